import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { parseEnv } from 'node:util'
import { type Clock, systemClock } from '../kernel/clock.ts'

/** What a `.env` file sets; nothing where there is no such file. */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Other tools keep a folder of that name.
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    throw new Error(`the file ${path} cannot be read (${code ?? 'unreadable'}).`, { cause: error })
  }
}

/** A terminal sends a signal to the whole process group, and npm sends it on to us: that is still the first. */
const ECHO_MS = 1_000

type StopHandlers = { first(signal: NodeJS.Signals): void; again(signal: NodeJS.Signals): void }

/**
 * Hears SIGINT and SIGTERM. The handlers stay for good: if they were gone for a moment, the echo of the first signal
 * would kill the process.
 */
export function onStopSignals({ first, again }: StopHandlers, clock: Pick<Clock, 'monotonic'> = systemClock): void {
  let asked: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = clock.monotonic()
      if (asked === undefined) first(signal)
      else if (now - asked > ECHO_MS) again(signal)
      asked ??= now
    })
  }
}

export type Interrupt = {
  readonly signal: AbortSignal
  /** What the process ends with if it was interrupted: 128 and the number of the signal. */
  exitCode(): number | undefined
}

/** A reader that has gone away (`| head`) ends a command quietly; Ctrl-C aborts it, a second one ends it at once. */
export function behaveAsCommand(clock: Pick<Clock, 'monotonic'> = systemClock): Interrupt {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      // For example a full disk; standard error may be just as broken, but it is the only place left.
      process.stderr.write(`The output cannot be written (${error.code ?? error.message}).\n`)
      process.exit(1)
    })
  }
  const controller = new AbortController()
  let exitCode: number | undefined
  const first = (signal: NodeJS.Signals) => {
    exitCode = 128 + constants.signals[signal]
    controller.abort()
  }
  onStopSignals({ first, again: () => process.exit(exitCode) }, clock)
  return { signal: controller.signal, exitCode: () => exitCode }
}
