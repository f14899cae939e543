import type { ServerResponse } from 'node:http'
import { constants, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Outcome } from './outcome.ts'
import type { Wait } from './simulator.ts'

/** The response when all goes well. */
export type HttpAnswer = {
  readonly status: number
  /** Media type. */
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export const jsonAnswer = (value: unknown, status = 200): HttpAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

export const textAnswer = (text: string, status = 200): HttpAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: text,
})

/** Plays an outcome on one response. Stops without an error when the client disconnects. */
export async function playHttp(
  outcome: Outcome,
  answer: HttpAnswer,
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
  answer: HttpAnswer,
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
      writeHead(response, answer, body.length)
      return pipeline(Readable.from(drip(body, () => wait(outcome.ms))), response)
    case 'hang':
      return
    case 'throttled': {
      const headers = { 'retry-after': String(outcome.seconds) }
      return send(response, { ...textAnswer('Too many requests.\n', 429), headers })
    }
    case 'denied':
      return send(response, textAnswer('Access denied.\n', outcome.status))
    case 'broken':
      return send(response, page(outcome.status, 'Something went wrong'))
    case 'down':
      return send(response, textAnswer('Service unavailable.\n', 503))
    case 'foreign':
      return send(response, page(answer.status, 'Welcome to our network'))
    case 'half':
      return send(response, { ...answer, body: half })
    case 'cut':
      writeHead(response, answer, body.length)
      response.write(half, () => disconnect(response, (connection) => connection.destroySoon()))
      return
    case 'reset':
      disconnect(response, (connection) => connection.resetAndDestroy())
      return
    case 'huge':
      writeHead(response, answer)
      // Pad inside the JSON text: spaces after its end would only be a long valid answer.
      return pipeline(Readable.from(padded(half, outcome.bytes)), response)
    case 'redirect':
      return send(response, { ...textAnswer('Found.\n', 302), headers: { location: outcome.to } })
  }
}

function writeHead(response: ServerResponse, { status, type, headers }: HttpAnswer, length?: number): void {
  response.writeHead(status, {
    'content-type': type,
    ...(length !== undefined && { 'content-length': length }),
    ...headers,
  })
}

function send(response: ServerResponse, answer: HttpAnswer): void {
  const body = Buffer.from(answer.body)
  writeHead(response, answer, body.length)
  response.end(body)
}

/** Over HTTP/2 only the stream is closed, because other requests share the connection. */
function disconnect(response: ServerResponse, end: (connection: Socket) => void): void {
  const maybeH2: unknown = response
  if (maybeH2 instanceof Http2ServerResponse) maybeH2.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  else if (response.socket) end(response.socket)
}

const page = (status: number, title: string): HttpAnswer => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
})

/** Also the size that `docs/sandbox.md` names. */
const DRIP_BYTES = 16

async function* drip(body: Uint8Array, pause: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += DRIP_BYTES) {
    yield body.subarray(at, at + DRIP_BYTES)
    await pause()
  }
}

function* padded(start: Uint8Array, bytes: number): Generator<Uint8Array> {
  yield start
  const spaces = Buffer.alloc(64 * 1024, ' ')
  for (let sent = start.length; sent < bytes; sent += spaces.length) yield spaces
}
