import { mkdirSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { resolve } from 'node:path'

/** Runs a bench as a command: a signal or its deadline ends it, and what went wrong is told in a sentence. */
export async function runAsCommand(deadlineMs: number, main: () => Promise<number>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(2))
  setTimeout(() => {
    process.stderr.write('The bench took too long and was ended.\n')
    process.exit(2)
  }, deadlineMs).unref()
  try {
    process.exitCode = await main()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}

/** Says on a terminal what is under way; nothing clears it. */
export function tell(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${what}`)
}

/** What the figures were measured on. */
export const machine = (): string =>
  `${cpus()[0]?.model ?? process.arch}, ${availableParallelism()} processors, Node ${process.version}`

/** The folder that processor profiles go to, made where it is not there. */
export function profileFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true })
  return folder
}
