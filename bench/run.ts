import { mkdirSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { resolve } from 'node:path'
import { verdictLines } from './report.ts'
import type { Verdict } from './verdicts.ts'

/** Runs a bench as a command: a signal or the deadline ends it; an error is printed as one sentence. */
export async function runAsCommand(timeoutMs: number, main: () => Promise<number>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(2))
  setTimeout(() => {
    process.stderr.write(`The bench did not finish within ${timeoutMs / 60_000} minutes.\n`)
    process.exit(2)
  }, timeoutMs).unref()
  try {
    process.exitCode = await main()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}

/** Shows the current step on a terminal; an empty text clears the line. */
export function showProgress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${what}`)
}

type Report = {
  /** Print one JSON object instead of text. */
  readonly json: boolean
  /** Text that follows the description of the machine on its line. */
  readonly heading?: string
  readonly sections: readonly string[]
  /** The figures behind the sections, for `--json`. */
  readonly data: object
  readonly verdicts: readonly Verdict[]
}

/** Prints the report of a bench. Returns the exit code: 0 if all targets were met, otherwise 1. */
export function printReport({ json, heading = '', sections, data, verdicts }: Report): 0 | 1 {
  showProgress('')
  const report = json
    ? JSON.stringify({ machine: machine(), ...data, verdicts }, null, 2)
    : [machine() + heading, ...sections, verdictLines(verdicts)].join('\n\n')
  process.stdout.write(`${report}\n`)
  return verdicts.every(({ met }) => met) ? 0 : 1
}

/** The machine the figures were measured on. */
export const machine = (): string =>
  `${cpus()[0]?.model ?? process.arch}, ${availableParallelism()} processors, Node ${process.version}`

/** The folder for CPU profiles; created if missing. */
export function profileFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true })
  return folder
}
