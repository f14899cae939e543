import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Exchange } from './exchange.ts'

/** The head of an answer while it is put together. */
export type Head = {
  /**
   * Lines that end in CRLF and are sent as they are: only names and values that contain no text from outside, or text that
   * was validated. Checking each of them again would take Node more time than the whole handler of a short answer.
   */
  lines: string
  /** Further names and values, alternating. Node checks them for characters that would break the head. */
  readonly checked: string[]
}

const COMMON =
  'X-Content-Type-Options: nosniff\r\nVary: Accept, Accept-Encoding, Origin\r\nAccess-Control-Allow-Origin: *\r\n'

/** Response headers that a page of another origin may read; sent only to requests with an Origin. */
const EXPOSED = `Access-Control-Expose-Headers: ${[
  'X-Request-Id, ETag, Server-Timing, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Link, WWW-Authenticate',
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-REQUIREMENTS, X-PAYMENT-RESPONSE, Payment-Receipt, Payment-Token',
  'Credit-Balance',
  'X-Payments-Mode, X-Payments-Rpc',
  'X-Ignored-Parameters, Mcp-Session-Id',
].join(', ')}\r\n`

/** The headers of every answer. */
export function startHead(exchange: Exchange): Head {
  if (exchange.state.draining) exchange.response.shouldKeepAlive = false
  const elapsed = exchange.clock.monotonic() - exchange.started
  let lines = `${COMMON}X-Request-Id: ${exchange.id}\r\nServer-Timing: app;dur=${formatMs(elapsed)}\r\n`
  if (exchange.rate !== undefined) lines += exchange.rate
  if (exchange.request.headers.origin !== undefined) lines += EXPOSED
  if (exchange.ignored) lines += `X-Ignored-Parameters: ${formatIgnored(exchange.ignored)}\r\n`
  return { lines, checked: exchange.paymentHeaders ? [...exchange.paymentHeaders] : [] }
}

/**
 * Writes the head. `_storeHeader` is what Node's writeHead ends in: it adds Date and Connection, and takes the first lines
 * unchecked. Not for requests for which writeHead does more: answers without a body, unanswered expectations, and mounts,
 * which may have set headers of their own.
 */
export function writeHead({ request, response, resource }: Exchange, status: number, { lines, checked }: Head): void {
  const { _storeHeader } = response as Partial<StoresHeader>
  if (
    _storeHeader === undefined ||
    status === 204 ||
    status === 304 ||
    resource?.kind === 'mount' ||
    request.headers.expect !== undefined
  ) {
    response.writeHead(status, [...pairsOf(lines), ...checked])
    return
  }
  response.statusCode = status
  _storeHeader.call(response, statusLine(status) + lines, checked)
}

type StoresHeader = { _storeHeader(this: ServerResponse, lines: string, headers: readonly string[]): void }

const OK = 'HTTP/1.1 200 OK\r\n'

const statusLine = (status: number): string =>
  status === 200 ? OK : `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`

/** Names and values, alternating, as lines that are sent unchecked. */
export function linesOf(pairs: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < pairs.length; at += 2) lines += `${pairs[at]}: ${pairs[at + 1]}\r\n`
  return lines
}

const pairsOf = (lines: string): string[] =>
  lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    })

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
