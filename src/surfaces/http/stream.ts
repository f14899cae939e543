import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'
import type { Exchange } from './exchange.ts'
import { startHead, writeHead } from './head.ts'

/** Lines of JSON, or server-sent events. */
export type StreamFormat = { readonly type: string; line(piece: unknown): string }

const NDJSON: StreamFormat = { type: 'application/x-ndjson', line: (piece) => `${JSON.stringify(piece)}\n` }
const EVENTS: StreamFormat = { type: 'text/event-stream', line: (piece) => `data: ${JSON.stringify(piece)}\n\n` }

// A wildcard is not enough: clients that do not care send it, and most of them parse JSON.
/** The stream format the client asks for; undefined if the endpoint does not stream, or none is asked for. */
export function streamFormat({ streams }: Endpoint, headers: IncomingHttpHeaders): StreamFormat | undefined {
  const { accept } = headers
  if (!streams || accept === undefined) return undefined
  return [EVENTS, NDJSON].find(({ type }) => accept.includes(type))
}

/**
 * Sends each piece as soon as it is there. An error before the first piece is an ordinary error answer; a later one
 * becomes the last piece. Backpressure of a slow client pauses the source, and a disconnect ends it.
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
    const head = startHead(exchange)
    // X-Accel-Buffering asks buffering proxies (nginx) to pass pieces on at once.
    head.lines += `Content-Type: ${format.type}\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n`
    writeHead(exchange, 200, head)
    const writer = createLineWriter(response)
    while (!next.done && !response.destroyed) {
      await writer.write(format.line(next.value))
      next = await nextOrError(iterator, asError)
    }
    writer.flush()
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

/** Lines are flushed early once the buffer has this many characters. */
const MAX_BUFFERED_CHARACTERS = 16_384

/**
 * Writes lines, those of one turn of the event loop in a single write: a system call per line is expensive. Does not use
 * `cork`: a response that ends while corked sends its last chunk before the others.
 */
function createLineWriter(response: ServerResponse): {
  write(line: string): Promise<unknown> | undefined
  flush(): void
} {
  let buffered = ''
  let hasWritten = false
  let scheduled: NodeJS.Immediate | undefined
  let backpressure: Promise<unknown> | undefined

  const flush = (): void => {
    clearImmediate(scheduled)
    scheduled = undefined
    const text = buffered
    buffered = ''
    if (text === '' || response.destroyed || response.write(text)) return
    backpressure = drained(response).then(() => (backpressure = undefined))
  }
  return {
    write(line) {
      buffered += line
      // The first line goes out at once: a caller is waiting for it.
      if (!hasWritten || buffered.length >= MAX_BUFFERED_CHARACTERS) flush()
      else scheduled ??= setImmediate(flush)
      hasWritten = true
      return backpressure
    },
    flush,
  }
}

/** Resolves when the client has read what was sent, or has disconnected. */
async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  try {
    await Promise.race([once(response, 'drain', gone), once(response, 'close', gone)])
  } catch {
    // The response failed; the next write sees that it is destroyed.
  } finally {
    gone.abort()
  }
}
