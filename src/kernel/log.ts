import { inspect } from 'node:util'
import { pino, type DestinationStream } from 'pino'

/** Structured logs: JSON lines with fields and a message. Callers must not pass secrets. */
export type Log = {
  readonly [level in 'debug' | 'info' | 'warn' | 'error']: (
    fields: Readonly<Record<string, unknown>>,
    message: string,
  ) => void
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Fields that could contain a secret by accident; their values are never logged. */
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

/** Logs to `destination`. Lines are written in batches: call its `flush` before the process ends. */
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

/** Batches lines: they are written every 100 ms, on `flush`, and when the process exits. */
export const stdoutDestination = (fd = 1) => pino.destination({ fd, sync: false, minLength: 4096, periodicFlush: 100 })

/** An error with its chain of causes. */
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
