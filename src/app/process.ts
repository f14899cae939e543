import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { parseEnv } from 'node:util'
import { type Clock, systemClock } from '../kernel/clock.ts'

/** The settings in a `.env` file; empty if it does not exist. */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Some tools create a folder with this name.
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    throw new Error(`the file ${path} cannot be read (${code ?? 'unreadable'}).`, { cause: error })
  }
}

/** A terminal signals the whole process group, and npm forwards the signal: within this time it is the same one. */
const ECHO_WINDOW_MS = 1_000

type StopHandlers = { first(signal: NodeJS.Signals): void; again(signal: NodeJS.Signals): void }

/**
 * Handles SIGINT and SIGTERM. The handlers are never removed: without them the echo of the first signal would kill the
 * process.
 */
export function onStopSignals({ first, again }: StopHandlers, clock: Pick<Clock, 'monotonic'> = systemClock): void {
  let firstAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = clock.monotonic()
      if (firstAt === undefined) first(signal)
      else if (now - firstAt > ECHO_WINDOW_MS) again(signal)
      firstAt ??= now
    })
  }
}

/**
 * Ends the process even if a thread hangs, for example in a name lookup whose resolver never answers: `process.exit` would
 * wait for it. The exit handlers of libraries, which stop their own child processes, are run first.
 */
export function endBySignal(signal: NodeJS.Signals): void {
  try {
    process.emit('exit', 128 + constants.signals[signal])
  } finally {
    // Without listeners the signal has its default effect.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
}

export type Interrupt = {
  readonly signal: AbortSignal
  /** 128 plus the signal number if the process was interrupted. */
  exitCode(): number | undefined
}

/** A closed pipe (`| head`) ends a command silently; Ctrl-C aborts it, a second one exits at once. */
export function behaveAsCommand(clock: Pick<Clock, 'monotonic'> = systemClock): Interrupt {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      // For example a full disk. Standard error may fail, too, but there is nowhere else to report it.
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
