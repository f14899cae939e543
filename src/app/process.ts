import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { parseEnv } from 'node:util'

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

export type Interrupt = {
  readonly signal: AbortSignal
  /** What the process ends with if it was interrupted: 128 and the number of the signal. */
  exitCode(): number | undefined
}

/** A reader that has gone away (`| head`) ends a command quietly; Ctrl-C aborts it, a second one ends it at once. */
export function behaveAsCommand(): Interrupt {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      // For example a full disk; standard error may be just as broken, but it is the only place left.
      process.stderr.write(`The output cannot be written (${error.code ?? error.message}).\n`)
      process.exit(1)
    })
  }
  const controller = new AbortController()
  let received: 'SIGINT' | 'SIGTERM' | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      received = signal
      controller.abort()
    })
  }
  return {
    signal: controller.signal,
    exitCode: () => (received === undefined ? undefined : 128 + constants.signals[received]),
  }
}
