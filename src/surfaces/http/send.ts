import type { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'
import type { PaidAnswer } from '../../kernel/paywall.ts'
import type { EndpointResource, Exchange } from './exchange.ts'
import { PROBLEM_TYPE, problemBody, wantsProblem } from './problem.ts'
import { chooseEncoding, encode, matchesTag, render, type Rendered, tagOf } from './render.ts'
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

/** What a page of another origin may read; nobody else needs to be told. */
const EXPOSED: readonly string[] = [
  'Access-Control-Expose-Headers',
  [
    'X-Request-Id, ETag, Server-Timing, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Link, WWW-Authenticate',
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-REQUIREMENTS, X-PAYMENT-RESPONSE, Payment-Receipt, X-Payments-Mode, X-Payments-Rpc',
    'X-Ignored-Parameters, Mcp-Session-Id',
  ].join(', '),
]

/** What a page of another origin may send: everything a client of ours has a use for. */
const REQUEST_HEADERS = [
  'Accept, Authorization, Content-Type, If-None-Match, X-Request-Id, X-PAYMENT, PAYMENT-SIGNATURE',
  'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
].join(', ')

/** Sends what a handler answered, in the wrapping its endpoint and the client ask for. */
export function sendAnswer(exchange: Exchange, resource: EndpointResource, body: unknown): Sent {
  const { endpoint, wrap } = resource.route
  const status = wrap?.status?.(body) ?? 200
  const lifetime = status === 200 ? (wrap?.ttlSeconds?.(body) ?? endpoint.ttlSeconds) : undefined
  const deprecation = wrap?.deprecated?.(body)
  const extra = deprecation ? deprecationHeaders(deprecation) : resource.deprecation
  return sendRendered(exchange, status, render(body), JSON_TYPE, lifetime, extra)
}

/** Nothing where the answer has been handed over already; most need no waiting, and pay for none. */
type Sent = Promise<void> | undefined

/** Sends a body; one with a lifetime can be kept by the client and asked about with its tag. */
export function sendRendered(
  exchange: Exchange,
  status: number,
  rendered: Rendered,
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
    return encode(rendered, encoding).then((bytes) => finishWith(exchange, status, type, headers, bytes))
  }
  finishWith(exchange, status, type, headers, rendered.text, rendered.length)
  return undefined
}

/** Sends what somebody else has put together, money included. */
export function sendPaid(exchange: Exchange, { status, headers: own, body }: PaidAnswer): void {
  const headers = headersOf(exchange)
  for (const line of own) headers.push(line)
  finishWith(exchange, status, JSON_TYPE, headers, body)
}

/** Sends bytes that are no text, under a rule for caches of their own. */
export function sendBytes(exchange: Exchange, bytes: Uint8Array, type: string, caching: string): void {
  const headers = headersOf(exchange)
  headers.push('Cache-Control', caching)
  finishWith(exchange, 200, type, headers, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Sends what went wrong. An answer already under way cannot be taken back: its connection is cut. */
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
  finishWith(exchange, error.status, problem ? PROBLEM_TYPE : JSON_TYPE, headers, JSON.stringify(body))
}

/** Says what may be asked here, to a browser's preflight as to anybody else. */
export function sendOptions(exchange: Exchange, allow: string): void {
  const headers = headersOf(exchange)
  headers.push('Allow', allow, 'Access-Control-Allow-Methods', allow, 'Access-Control-Allow-Headers', REQUEST_HEADERS)
  headers.push('Access-Control-Max-Age', '86400', 'Cache-Control', 'no-store')
  exchange.response.writeHead(204, headers).end()
}

/** A body of text goes out in one write with the headers; bytes would cost a second piece in every packet. */
function finishWith(
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
  // Plain ASCII is copied as it is, without being read for what UTF-8 would make of it.
  else if (body.length === length) exchange.response.end(body, 'latin1')
  else exchange.response.end(body)
}

/** What every answer carries. */
export function headersOf(exchange: Exchange): string[] {
  if (exchange.state.draining) exchange.response.shouldKeepAlive = false
  const elapsed = exchange.clock.monotonic() - exchange.started
  const duration = `app;dur=${milliseconds(elapsed)}`
  const headers = [...COMMON, 'X-Request-Id', exchange.id, 'Server-Timing', duration]
  if (exchange.request.headers.origin !== undefined) headers.push(...EXPOSED)
  if (exchange.rate) for (const line of exchange.rate) headers.push(line)
  if (exchange.marks) for (const line of exchange.marks) headers.push(line)
  if (exchange.ignored) headers.push('X-Ignored-Parameters', ignoredLine(exchange.ignored))
  return headers
}

/** To the hundredth, put together from whole numbers: a fraction takes many times as long to become text. */
function milliseconds(elapsed: number): string {
  const hundredths = Math.round(elapsed * 100)
  const rest = hundredths % 100
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`
}

/** Names a client sent come back only where they are plain words. */
const ignoredLine = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => (/^[\w.-]{1,40}$/.test(name) ? name : '?'))
    .join(', ')
