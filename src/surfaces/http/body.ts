import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { overloaded } from '../../kernel/error-response.ts'
import { ApiError } from '../../kernel/errors.ts'
import { duplicateFieldError } from '../../kernel/input.ts'
import type { Exchange } from './exchange.ts'
import { type JsonScan, scanJson } from '../../kernel/json-scan.ts'
import { readStream } from '../../kernel/read-stream.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Default for endpoints without `maxBodyBytes`; most POST bodies are small JSON objects. */
const MAX_BODY_BYTES = 16 * 1024

/** How much of an unread body may still arrive, and for how long, before the connection is cut. */
const MAX_DISCARD_BYTES = 256 * 1024
const DISCARD_TIMEOUT_MS = 5_000

/** Of all requests being served together: slow clients with large bodies would otherwise fill the memory. */
const MAX_BODIES_BYTES = 64 * 1024 * 1024

/** Counts bytes of a body that is kept until its request is finished. Throws 503 if all bodies together are too large. */
export function holdBodyBytes(exchange: Pick<Exchange, 'state' | 'bodyBytes'>, bytes: number): void {
  if (exchange.state.bodyBytes + bytes > MAX_BODIES_BYTES) throw overloaded()
  exchange.bodyBytes += bytes
  exchange.state.bodyBytes += bytes
}

/** The fields of a JSON body, and the bytes as they were received. */
export type JsonBody = { readonly fields: Record<string, unknown>; readonly bytes: Buffer }

/** Parses the body as a JSON object of at most `maxBodyBytes` bytes; throws `invalid_request` otherwise. */
export async function readJsonObject(
  exchange: Exchange,
  { maxBodyBytes = MAX_BODY_BYTES, complaints, input }: Pick<Endpoint, 'maxBodyBytes' | 'complaints' | 'input'>,
): Promise<JsonBody> {
  const { request } = exchange
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw refuse('The body must be JSON: send it with Content-Type: application/json.')
  }
  if (request.headers['content-encoding'] !== undefined) throw refuse('The body must not be compressed.')
  const bytes = await readBytes(exchange, maxBodyBytes)
  let value: unknown
  let scan: JsonScan
  try {
    const text = UTF8.decode(bytes)
    scan = scanJson(text)
    if (scan.problem === undefined) value = JSON.parse(text)
  } catch (cause) {
    throw refuse(bytes.length === 0 ? 'The body is empty; send a JSON object.' : 'The body is not valid JSON.', cause)
  }
  if (scan.problem !== undefined) throw refuse(scan.problem)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('The body must be a JSON object.')
  }
  const twice = scan.repeated
  if (twice !== undefined) {
    if (Object.hasOwn(input.shape, twice)) throw duplicateFieldError(complaints, twice)
    // Not a field of the endpoint, so none of its own error codes fits.
    throw refuse(`The body has a field more than once: ${JSON.stringify(twice.slice(0, 80))}.`)
  }
  return { fields: value as Record<string, unknown>, bytes }
}

/** The fields of a form that a page without a script has sent; throws `invalid_request` if it is too large. */
export async function readForm(exchange: Exchange, maxBytes: number): Promise<URLSearchParams> {
  const type = exchange.request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw refuse('The body must be a form: send it with Content-Type: application/x-www-form-urlencoded.')
  // Bytes that are not UTF-8 become U+FFFD, which no name may contain.
  return new URLSearchParams((await readBytes(exchange, maxBytes)).toString('utf8'))
}

async function readBytes(exchange: Exchange, limit: number): Promise<Buffer> {
  const { request } = exchange
  const tooLarge = () => refuse(`The body is larger than ${limit} bytes, the maximum here.`)
  // Refuse by Content-Length before reading anything.
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  let size = 0
  try {
    return await readStream(request, (bytes) => {
      size += bytes
      if (size > limit) throw tooLarge()
      holdBodyBytes(exchange, bytes)
    })
  } catch (error) {
    throw error instanceof ApiError ? error : refuse('The connection closed before the whole body arrived.', error)
  }
}

const refuse = (message: string, cause?: unknown): ApiError => new ApiError('invalid_request', message, { cause })

/**
 * Reads and drops the rest of an unread body while the answer is being sent, because closing at once would keep the
 * client from reading the answer. Cuts a client that keeps sending.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let size = 0
  const cut = () => request.socket.destroy()
  const timer = setTimeout(cut, DISCARD_TIMEOUT_MS)
  timer.unref()
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_DISCARD_BYTES) cut()
  })
  request.once('close', () => clearTimeout(timer))
  request.on('error', () => {})
  request.resume()
}
