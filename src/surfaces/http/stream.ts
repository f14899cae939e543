import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'
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
    const pen = penOf(response)
    while (!next.done && !response.destroyed) {
      await pen.write(format.line(next.value))
      next = await nextOrError(iterator, asError)
    }
    pen.flush()
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

/** As much as goes out at once, even where more is there at once. */
const ONE_PIECE = 16_384

/**
 * Writes lines. Those of the same turn of the loop leave together: a call to the system for every line is dear. (Not by
 * `cork`: a response that ends while corked sends its last chunk before the others.)
 */
function penOf(response: ServerResponse): { write(line: string): Promise<unknown> | undefined; flush(): void } {
  let waiting = ''
  let begun = false
  let turn: NodeJS.Immediate | undefined
  let room: Promise<unknown> | undefined

  const flush = (): void => {
    clearImmediate(turn)
    turn = undefined
    const text = waiting
    waiting = ''
    if (text === '' || response.destroyed || response.write(text)) return
    room = drained(response).then(() => (room = undefined))
  }
  return {
    write(line) {
      waiting += line
      // The first is what somebody waits for.
      if (!begun || waiting.length >= ONE_PIECE) flush()
      else turn ??= setImmediate(flush)
      begun = true
      return room
    },
    flush,
  }
}

/** Resolves when the client has read what was sent, or is gone. */
async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  try {
    await Promise.race([once(response, 'drain', gone), once(response, 'close', gone)])
  } catch {
    // It broke; whoever writes next finds it destroyed.
  } finally {
    gone.abort()
  }
}
