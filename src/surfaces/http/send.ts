import type { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'
import { nextTurn } from '../../kernel/event-loop.ts'
import type { PaidAnswer } from '../../kernel/paywall.ts'
import type { EndpointResource, Exchange } from './exchange.ts'
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
const COMMON: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Vary',
  'Accept, Accept-Encoding, Origin',
  'Access-Control-Allow-Origin',
  '*',
]

/** Response headers that a page of another origin may read; sent only to requests with an Origin. */
const EXPOSED: readonly string[] = [
  'Access-Control-Expose-Headers',
  [
    'X-Request-Id, ETag, Server-Timing, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Link, WWW-Authenticate',
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-REQUIREMENTS, X-PAYMENT-RESPONSE, Payment-Receipt, Payment-Token',
    'X-Payments-Mode, X-Payments-Rpc',
    'X-Ignored-Parameters, Mcp-Session-Id',
  ].join(', '),
]

/** Request headers that a page of another origin may send. */
const REQUEST_HEADERS = [
  'Accept, Authorization, Content-Type, If-None-Match, X-Request-Id, X-PAYMENT, PAYMENT-SIGNATURE, Payment-Token',
  'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
].join(', ')

/** Sends the result of a handler with the status, caching and deprecation headers that its endpoint defines. */
export function sendAnswer(exchange: Exchange, resource: EndpointResource, body: unknown): Sent {
  const { endpoint, wrap } = resource.route
  const status = wrap?.status?.(body) ?? 200
  const lifetime = status === 200 ? (wrap?.ttlSeconds?.(body) ?? endpoint.ttlSeconds) : undefined
  const deprecation = wrap?.deprecated?.(body)
  const extra = deprecation ? deprecationHeaders(deprecation) : resource.deprecation
  if (endpoint.streams !== 'unless JSON' || typeof body !== 'object' || body === null) {
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
  const headers = headersOf(exchange)
  for (const line of extra) headers.push(line)
  if (lifetime === undefined) {
    headers.push('Cache-Control', 'no-store')
  } else {
    const tag = tagOf(rendered)
    headers.push('Cache-Control', `public, max-age=${lifetime}`, 'ETag', tag)
    if (matchesTag(request.headers['if-none-match'], tag)) {
      exchange.response.writeHead(304, headers).end()
      return undefined
    }
  }
  const encoding = chooseEncoding(request.headers['accept-encoding'], rendered.length)
  if (encoding) {
    headers.push('Content-Encoding', encoding)
    return encode(rendered, encoding).then((bytes) => endResponse(exchange, status, type, headers, bytes))
  }
  endResponse(exchange, status, type, headers, bodyOf(rendered), rendered.length)
  return undefined
}

/** Sends JSON that must not be cached, with any status. */
export function sendStatus(exchange: Exchange, status: number, body: object): void {
  const headers = headersOf(exchange)
  headers.push('Cache-Control', 'no-store')
  endResponse(exchange, status, JSON_TYPE, headers, JSON.stringify(body))
}

/** Sends an answer of the paywall as it is. */
export function sendPaid(exchange: Exchange, { status, headers: own, body, onDelivered }: PaidAnswer): void {
  const headers = headersOf(exchange)
  if (onDelivered) exchange.response.once('finish', onDelivered)
  for (const line of own) headers.push(line)
  endResponse(exchange, status, JSON_TYPE, headers, body)
}

/** Sends binary data with the given Cache-Control. */
export function sendBytes(exchange: Exchange, bytes: Uint8Array, type: string, cacheControl: string): void {
  const headers = headersOf(exchange)
  headers.push('Cache-Control', cacheControl)
  endResponse(exchange, 200, type, headers, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Sends an error. If an answer has already begun, the connection is cut instead. */
export function sendError(exchange: Exchange, error: ApiError): void {
  const { request, response } = exchange
  if (response.headersSent) {
    response.destroy()
    return
  }
  const problem = wantsProblem(request.headers.accept)
  const body = problem ? problemBody(error, exchange.id) : errorBody(error)
  const headers = headersOf(exchange)
  if (exchange.resource?.kind === 'route') for (const line of exchange.resource.deprecation) headers.push(line)
  for (const name in error.headers) headers.push(name, error.headers[name]!)
  headers.push('Cache-Control', 'no-store')
  endResponse(exchange, error.status, problem ? PROBLEM_TYPE : JSON_TYPE, headers, JSON.stringify(body))
}

/** Answers OPTIONS, including a browser's CORS preflight. */
export function sendOptions(exchange: Exchange, allow: string): void {
  const headers = headersOf(exchange)
  headers.push('Allow', allow, 'Access-Control-Allow-Methods', allow, 'Access-Control-Allow-Headers', REQUEST_HEADERS)
  headers.push('Access-Control-Max-Age', '86400', 'Cache-Control', 'no-store')
  exchange.response.writeHead(204, headers).end()
}

/** Ends the response. Node sends a string body in one write with the headers; a Buffer takes a second write. */
function endResponse(
  exchange: Exchange,
  status: number,
  type: string,
  headers: string[],
  body: string | Buffer,
  length = Buffer.byteLength(body),
): void {
  headers.push('Content-Type', type, 'Content-Length', String(length))
  exchange.response.writeHead(status, headers)
  if (exchange.request.method === 'HEAD') exchange.response.end()
  // ASCII only: writing it as latin1 skips the UTF-8 encoder.
  else if (typeof body === 'string' && body.length === length) exchange.response.end(body, 'latin1')
  else exchange.response.end(body)
}

/** The headers of every answer, names and values alternating. */
export function headersOf(exchange: Exchange): string[] {
  if (exchange.state.draining) exchange.response.shouldKeepAlive = false
  const elapsed = exchange.clock.monotonic() - exchange.started
  const duration = `app;dur=${formatMs(elapsed)}`
  const headers = [...COMMON, 'X-Request-Id', exchange.id, 'Server-Timing', duration]
  if (exchange.request.headers.origin !== undefined) headers.push(...EXPOSED)
  if (exchange.rate) for (const line of exchange.rate) headers.push(line)
  if (exchange.paymentHeaders) for (const line of exchange.paymentHeaders) headers.push(line)
  if (exchange.ignored) headers.push('X-Ignored-Parameters', formatIgnored(exchange.ignored))
  return headers
}

/** Two decimals, formatted from integers: `toFixed` is many times slower. */
function formatMs(elapsed: number): string {
  const hundredths = Math.round(elapsed * 100)
  const rest = hundredths % 100
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`
}

/** Echoes the names of ignored parameters; anything but plain names becomes `?`. */
const formatIgnored = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => (/^[\w.-]{1,40}$/.test(name) ? name : '?'))
    .join(', ')
