import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/failing.ts'
import type { Exchange } from './exchange.ts'
import { headersOf } from './send.ts'

/** Lines of JSON, or server-sent events. */
export type StreamFormat = { readonly type: string; line(piece: unknown): string }

const NDJSON: StreamFormat = { type: 'application/x-ndjson', line: (piece) => `${JSON.stringify(piece)}\n` }
const EVENTS: StreamFormat = { type: 'text/event-stream', line: (piece) => `data: ${JSON.stringify(piece)}\n\n` }

/** The form the client takes a stream in, where the endpoint has one to give. */
export function streamFormat({ streams }: Endpoint, accept: string | undefined): StreamFormat | undefined {
  if (streams === undefined) return undefined
  if (accept?.includes(EVENTS.type)) return EVENTS
  if (accept?.includes(NDJSON.type)) return NDJSON
  return streams === 'unless JSON' && !accept?.includes('application/json') ? NDJSON : undefined
}

/**
 * Sends pieces as they come. Until the first is there an error is an answer like any other; after it, an error is the
 * last piece. A client that reads slowly is waited for, one that goes away ends the work.
 */
export async function sendStream(
  exchange: Exchange,
  format: StreamFormat,
  pieces: AsyncIterable<unknown>,
  asError: (thrown: unknown) => ApiError,
): Promise<void> {
  const { response } = exchange
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    let next = await iterator.next()
    // Proxies that collect answers before they pass them on are asked not to.
    const headers = [...headersOf(exchange), 'Content-Type', format.type, 'Cache-Control', 'no-store']
    response.writeHead(200, [...headers, 'X-Accel-Buffering', 'no'])
    while (!next.done && !response.destroyed) {
      await write(response, format.line(next.value))
      next = await nextOrError(iterator, asError)
    }
    response.end()
  } finally {
    await iterator.return?.()
  }
}

async function nextOrError(
  iterator: AsyncIterator<unknown>,
  asError: (thrown: unknown) => ApiError,
): Promise<IteratorResult<unknown>> {
  try {
    return await iterator.next()
  } catch (thrown) {
    return { done: false, value: errorBody(asError(thrown)) }
  }
}

async function write(response: ServerResponse, line: string): Promise<void> {
  if (response.write(line) || response.destroyed) return
  const gone = new AbortController()
  try {
    await Promise.race([once(response, 'drain', gone), once(response, 'close', gone)])
  } finally {
    gone.abort()
  }
}
