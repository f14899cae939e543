import { styleText } from 'node:util'
import type { z } from 'zod'
import type { Common } from './arguments.ts'
import { toCsv, toJson, toNdjson } from './formats.ts'
import { takeApart } from './rows.ts'
import type { Screen, Style } from './table.ts'
import { toHuman } from './table.ts'

export type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }

/** What a command touches of the world. */
export type Io = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the person at the terminal has had enough. */
  readonly signal: AbortSignal
}

/** An answer as text: a table on a terminal, JSON for everything else, or what was asked for. */
export function present(body: unknown, schema: z.ZodType, { format, color }: Omit<Common, 'help'>, io: Io): string {
  const { stdout } = io
  switch (format ?? (stdout.isTTY ? 'human' : 'json')) {
    case 'human':
      return toHuman(takeApart(body, schema), screenOf(stdout, io.env, color))
    case 'json':
      return toJson(body, stdout.isTTY ? 2 : 0)
    case 'ndjson':
      return toNdjson(body, takeApart(body, schema))
    case 'csv':
      return toCsv(takeApart(body, schema))
  }
}

/** A file or a pipe has no edge to cut at, and no colours. */
export function screenOf(output: Output, env: Io['env'], color = true): Screen {
  const colored = color && output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const style: Style = (name, text) => (colored ? styleText(name, text, { validateStream: false }) : text)
  // A terminal may not know its width, or claim one in which nothing can be said.
  return { columns: output.isTTY ? Math.max(20, output.columns || 80) : Infinity, style }
}
