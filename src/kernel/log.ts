import { inspect } from 'node:util'
import { pino, type DestinationStream } from 'pino'

/** Structured logs: JSON lines, a sentence and facts. Callers hand in facts that are safe to keep; nothing is guessed. */
export type Log = {
  readonly [level in 'debug' | 'info' | 'warn' | 'error']: (
    facts: Readonly<Record<string, unknown>>,
    sentence: string,
  ) => void
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Names under which a secret could arrive by accident; their values never reach a line. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'key',
  'apiKey',
  'privateKey',
  'registration_id',
  'payment',
]

/** Writes to `destination`; flushed with `flush` before the process ends, since lines are written in batches. */
export function createLog(level: LogLevel, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[hidden]' },
      serializers: { error: describeError },
      messageKey: 'message',
    },
    destination,
  )
}

/** Batches lines; what waits is written after 100 ms, on `flush`, and when the process exits. */
export const stdoutDestination = (fd = 1) => pino.destination({ fd, sync: false, minLength: 4096, periodicFlush: 100 })

/** An error with its whole chain of causes, each once. */
function describeError(error: unknown): unknown {
  const chain: unknown[] = []
  for (let current = error; current !== undefined && current !== null && chain.length < 5;) {
    if (!(current instanceof Error)) {
      chain.push(inspect(current))
      break
    }
    chain.push({ name: current.name, message: current.message, ...codeOf(current), stack: current.stack })
    current = current.cause
  }
  return chain.length === 1 ? chain[0] : chain
}

const codeOf = (error: Error): { code?: string } =>
  'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
