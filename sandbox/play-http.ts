import type { ServerResponse } from 'node:http'
import { constants, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Outcome } from './outcome.ts'
import type { Wait } from './simulator.ts'

/** What would be answered if all went well. */
export type Answer = {
  readonly status: number
  /** Its media type. */
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

export const textAnswer = (text: string, status = 200): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: text,
})

/** Plays an outcome on one response. Whoever goes away in the middle ends the play; that is no error. */
export async function playHttp(
  outcome: Outcome,
  answer: Answer,
  response: ServerResponse,
  { wait }: { readonly wait: Wait },
): Promise<void> {
  if (response.destroyed) return
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    await play(outcome, answer, response, (ms) => wait(ms, gone.signal))
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
}

async function play(
  outcome: Outcome,
  answer: Answer,
  response: ServerResponse,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const body = Buffer.from(answer.body)
  const half = body.subarray(0, Math.floor(body.length / 2))
  switch (outcome.kind) {
    case 'ok':
      return send(response, answer)
    case 'slow':
      await wait(outcome.ms)
      return send(response, answer)
    case 'drip':
      head(response, answer, body.length)
      return pipeline(Readable.from(drip(body, () => wait(outcome.ms))), response)
    case 'hang':
      return
    case 'throttled': {
      const headers = { 'retry-after': String(outcome.seconds) }
      return send(response, { ...textAnswer('Too many requests.\n', 429), headers })
    }
    case 'denied':
      return send(response, textAnswer('You may not ask this.\n', outcome.status))
    case 'broken':
      return send(response, page(outcome.status, 'Something went wrong'))
    case 'down':
      return send(response, textAnswer('Out of order.\n', 503))
    case 'foreign':
      return send(response, page(answer.status, 'Welcome to our network'))
    case 'half':
      return send(response, { ...answer, body: half })
    case 'cut':
      head(response, answer, body.length)
      response.write(half, () => breakOff(response, (connection) => connection.destroySoon()))
      return
    case 'reset':
      breakOff(response, (connection) => connection.resetAndDestroy())
      return
    case 'huge':
      head(response, answer)
      // Spaces inside a JSON text may go on for ever; behind its end they would only be a long answer.
      return pipeline(Readable.from(padded(half, outcome.bytes)), response)
    case 'redirect':
      return send(response, { ...textAnswer('Ask over there.\n', 302), headers: { location: outcome.to } })
  }
}

function head(response: ServerResponse, { status, type, headers }: Answer, length?: number): void {
  response.writeHead(status, {
    'content-type': type,
    ...(length !== undefined && { 'content-length': length }),
    ...headers,
  })
}

function send(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body)
  head(response, answer, body.length)
  response.end(body)
}

/** Over HTTP/2 the connection belongs to others, too: it is the one exchange that breaks off. */
function breakOff(response: ServerResponse, end: (connection: Socket) => void): void {
  const maybeH2: unknown = response
  if (maybeH2 instanceof Http2ServerResponse) maybeH2.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  else if (response.socket) end(response.socket)
}

const page = (status: number, title: string): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
})

async function* drip(body: Uint8Array, pause: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += DROP) {
    yield body.subarray(at, at + DROP)
    await pause()
  }
}
const DROP = 16

function* padded(start: Uint8Array, bytes: number): Generator<Uint8Array> {
  yield start
  const spaces = Buffer.alloc(64 * 1024, ' ')
  for (let sent = start.length; sent < bytes; sent += spaces.length) yield spaces
}
