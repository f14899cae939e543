import type { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'
import { nextTurn } from '../../kernel/event-loop.ts'
import type { PaidAnswer } from '../../kernel/paywall.ts'
import type { EndpointResource, Exchange } from './exchange.ts'
import { type Head, linesOf, startHead, writeHead } from './head.ts'
import { PROBLEM_TYPE, problemBody, wantsProblem } from './problem.ts'
import {
  bodyOf,
  chooseEncoding,
  encode,
  matchesTag,
  render,
  type RenderedBody,
  renderInSteps,
  tagOf,
} from './render.ts'
import { deprecationHeaders } from './resources.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const NOT_CACHED = 'Cache-Control: no-store\r\n'

/** Request headers that a page of another origin may send. */
const REQUEST_HEADERS = [
  'Accept, Authorization, Content-Type, If-None-Match, X-Request-Id, X-PAYMENT, PAYMENT-SIGNATURE, Payment-Token',
  'Idempotency-Key',
  'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
].join(', ')

/** Sends the result of a handler with the status, caching and deprecation headers that its endpoint defines. */
export function sendAnswer(exchange: Exchange, resource: EndpointResource, body: unknown): Sent {
  const { endpoint, wrap } = resource.route
  const status = wrap?.status?.(body) ?? 200
  const lifetime = status === 200 ? (wrap?.ttlSeconds?.(body) ?? endpoint.ttlSeconds) : undefined
  const deprecation = wrap?.deprecated?.(body)
  const extra = deprecation ? deprecationHeaders(deprecation) : resource.deprecation
  if (!endpoint.large || typeof body !== 'object' || body === null) {
    return sendRendered(exchange, status, render(body), JSON_TYPE, lifetime, extra)
  }
  return renderInSteps(body, nextTurn).then((rendered) =>
    sendRendered(exchange, status, rendered, JSON_TYPE, lifetime, extra),
  )
}

/** Undefined if the answer was sent synchronously, which spares most requests a promise. */
type Sent = Promise<void> | undefined

/** Sends a body. With a lifetime it gets an ETag and may be cached, and If-None-Match is answered with 304. */
export function sendRendered(
  exchange: Exchange,
  status: number,
  rendered: RenderedBody,
  type: string,
  lifetime: number | undefined,
  extra: readonly string[] = [],
): Sent {
  const { request } = exchange
  const head = startHead(exchange)
  for (const line of extra) head.checked.push(line)
  if (lifetime === undefined) {
    head.lines += NOT_CACHED
  } else {
    const tag = tagOf(rendered)
    head.lines += `Cache-Control: public, max-age=${lifetime}\r\nETag: ${tag}\r\n`
    if (matchesTag(request.headers['if-none-match'], tag)) {
      writeHead(exchange, 304, head)
      exchange.response.end()
      return undefined
    }
  }
  const encoding = chooseEncoding(request.headers['accept-encoding'], rendered.length)
  if (encoding) {
    head.lines += `Content-Encoding: ${encoding}\r\n`
    return encode(rendered, encoding).then((bytes) => endResponse(exchange, status, type, head, bytes))
  }
  endResponse(exchange, status, type, head, bodyOf(rendered), rendered.length)
  return undefined
}

/** Sends JSON that must not be cached, with any status. */
export function sendStatus(exchange: Exchange, status: number, body: object): void {
  const head = startHead(exchange)
  head.lines += NOT_CACHED
  endResponse(exchange, status, JSON_TYPE, head, JSON.stringify(body))
}

/** Sends an answer of the paywall as it is. */
export function sendPaid(exchange: Exchange, answer: PaidAnswer): void {
  const head = startHead(exchange)
  reportDelivery(exchange, answer)
  // What a 402 carries is base64 and text of our own, and long; receipts repeat what clients have sent.
  if (answer.status === 402) head.lines += linesOf(answer.headers)
  else for (const line of answer.headers) head.checked.push(line)
  endResponse(exchange, answer.status, JSON_TYPE, head, answer.body)
}

/** Tells the paywall whether the response that contains its answer was written. */
export function reportDelivery({ response }: Exchange, { onDelivered, onLost }: PaidAnswer): void {
  if (onDelivered) response.once('finish', onDelivered)
  if (!onLost) return
  if (response.destroyed) onLost()
  else response.once('close', () => response.writableFinished || onLost())
}

/** Sends binary data with the given Cache-Control. */
export function sendBytes(exchange: Exchange, bytes: Uint8Array, type: string, cacheControl: string): void {
  const head = startHead(exchange)
  head.checked.push('Cache-Control', cacheControl)
  endResponse(exchange, 200, type, head, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Sends an error. If an answer has already begun, the connection is cut instead. Problems link to pages at `publicUrl`. */
export function sendError(exchange: Exchange, error: ApiError, publicUrl: string): void {
  const { request, response } = exchange
  if (response.headersSent) {
    response.destroy()
    return
  }
  const problem = wantsProblem(request.headers.accept)
  const body = problem ? problemBody(error, exchange.id, publicUrl) : errorBody(error)
  const head = startHead(exchange)
  if (exchange.resource?.kind === 'route') for (const line of exchange.resource.deprecation) head.checked.push(line)
  for (const name in error.headers) head.checked.push(name, error.headers[name]!)
  head.lines += NOT_CACHED
  endResponse(exchange, error.status, problem ? PROBLEM_TYPE : JSON_TYPE, head, JSON.stringify(body))
}

/** Answers OPTIONS, including a browser's CORS preflight. */
export function sendOptions(exchange: Exchange, allow: string): void {
  const head = startHead(exchange)
  head.checked.push('Allow', allow, 'Access-Control-Allow-Methods', allow)
  head.lines += `Access-Control-Allow-Headers: ${REQUEST_HEADERS}\r\nAccess-Control-Max-Age: 86400\r\n${NOT_CACHED}`
  writeHead(exchange, 204, head)
  exchange.response.end()
}

/** Ends the response. Node sends a string body in one write with the headers; a Buffer takes a second write. */
function endResponse(
  exchange: Exchange,
  status: number,
  type: string,
  head: Head,
  body: string | Buffer,
  length = Buffer.byteLength(body),
): void {
  head.lines += `Content-Type: ${type}\r\n`
  head.checked.push('Content-Length', String(length))
  writeHead(exchange, status, head)
  if (exchange.request.method === 'HEAD') exchange.response.end()
  // ASCII only: writing it as latin1 skips the UTF-8 encoder.
  else if (typeof body === 'string' && body.length === length) exchange.response.end(body, 'latin1')
  else exchange.response.end(body)
}
