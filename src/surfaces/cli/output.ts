import { styleText } from 'node:util'
import type * as z from 'zod'
import type { Common } from './arguments.ts'
import { toCsv, toJson, toNdjson } from './formats.ts'
import { toTabular } from './rows.ts'
import type { Screen, Style } from './table.ts'
import { toHuman } from './table.ts'

export type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }

/** Streams, environment and abort signal of a command. */
export type Io = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * Formats a result: in the requested format, otherwise as a table on a terminal and as JSON elsewhere. All formats but JSON
 * show `rows`, which the schema describes.
 */
export function formatResult(
  body: unknown,
  schema: z.ZodType,
  { format, color }: Omit<Common, 'help'>,
  io: Io,
  rows: unknown = body,
): string {
  const { stdout } = io
  switch (format ?? (stdout.isTTY ? 'human' : 'json')) {
    case 'human':
      return toHuman(toTabular(rows, schema), screenOf(stdout, io.env, color))
    case 'json':
      return toJson(body, stdout.isTTY ? 2 : 0)
    case 'ndjson':
      return toNdjson(rows, toTabular(rows, schema))
    case 'csv':
      return toCsv(toTabular(rows, schema))
  }
}

/** A file or pipe has unlimited width and no colors. */
export function screenOf(output: Output, env: Io['env'], color = true): Screen {
  const colored = color && output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const style: Style = (name, text) => (colored ? styleText(name, text, { validateStream: false }) : text)
  // A terminal may report no width, or one that is too small to use.
  return { columns: output.isTTY ? Math.max(20, output.columns || 80) : Infinity, style }
}
