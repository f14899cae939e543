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

/** The settings: those of the environment, and what a `.env` file adds. Windows does not tell capitals of names apart. */
export function mergeSettings(
  file: Record<string, string | undefined>,
  environment: Record<string, string | undefined>,
  platform = process.platform,
): Record<string, string | undefined> {
  if (platform !== 'win32') return { ...file, ...environment }
  const inCapitals = ([name, value]: [string, string | undefined]) => [name.toUpperCase(), value] as const
  return Object.fromEntries([...Object.entries(file), ...Object.entries(environment)].map(inCapitals))
}

/** A terminal signals the whole process group, and npm forwards the signal: within this time it is the same one. */
const ECHO_WINDOW_MS = 1_000

type StopHandlers = { first(signal: NodeJS.Signals): void; again(signal: NodeJS.Signals): void }

/**
 * What asks a process to stop. On Windows there is no SIGTERM: Ctrl-Break is what supervisors send there, and SIGHUP is
 * the window being closed, ten seconds before the process is ended.
 */
export const stopSignals = (platform = process.platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM']

/**
 * Handles the signals that ask to stop. The handlers are never removed: without them the echo of the first signal would
 * kill the process.
 */
export function onStopSignals({ first, again }: StopHandlers, clock: Pick<Clock, 'monotonic'> = systemClock): void {
  let firstAt: number | undefined
  for (const signal of stopSignals()) {
    process.on(signal, () => {
      const now = clock.monotonic()
      if (firstAt === undefined) first(signal)
      else if (now - firstAt > ECHO_WINDOW_MS) again(signal)
      firstAt ??= now
    })
  }
  onNpmGone(() => {
    if (firstAt === undefined) first('SIGTERM')
    firstAt ??= clock.monotonic()
  })
}

const PARENT_CHECK_MS = 300

/**
 * Calls back when the process that started us has ended, if npm is behind it: npm sends a signal to the shell between it
 * and us, and some shells (dash) end without passing it on.
 */
export function onNpmGone(
  gone: () => void,
  { env = process.env, parent = () => process.ppid }: { env?: NodeJS.ProcessEnv; parent?: () => number } = {},
): void {
  if (env['npm_lifecycle_event'] === undefined) return
  const first = parent()
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    gone()
  }, PARENT_CHECK_MS).unref()
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
