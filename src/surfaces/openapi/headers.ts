import type { Components } from './components.ts'
import type { Json } from './schemas.ts'

type Header = { readonly description: string; readonly example: string | number }

/** Response headers that clients may want to read. */
const HEADERS = {
  Allow: { description: 'Methods allowed at this path.', example: 'GET, HEAD, OPTIONS' },
  'Cache-Control': {
    description: 'How many seconds the response may be cached, or `no-store`.',
    example: 'public, max-age=3600',
  },
  'Credit-Balance': {
    description: 'What is left of the credit that paid for this, in US dollars.',
    example: '4.95',
  },
  Deprecation: {
    description: 'Since when the endpoint is deprecated: @ and seconds since 1970 (RFC 9745).',
    example: '@1794700800',
  },
  ETag: {
    description: 'Version of the response. Send it in If-None-Match to get 304 if nothing changed.',
    example: 'W/"mO2TDVFqZ0fCPoWbUQnkdw"',
  },
  Link: { description: 'The endpoint to use instead.', example: '</v1/tlds>; rel="successor-version"' },
  'PAYMENT-REQUIRED': {
    description: 'Payment requirements of x402 version 2, as base64 of JSON.',
    example: 'eyJ4NDAyVmVyc2lvbiI6MiwiYWNjZXB0cyI6W119',
  },
  'PAYMENT-RESPONSE': {
    description: 'Receipt of an x402 version 2 payment, as base64 of JSON.',
    example: 'eyJzdWNjZXNzIjp0cnVlfQ==',
  },
  'Payment-Receipt': {
    description: 'Receipt of an MPP payment, as base64url of JSON.',
    example: 'eyJzdGF0dXMiOiJzdWNjZXNzIn0',
  },
  'Payment-Token': {
    description:
      'Comes with the first answer to a payment. Send it as a request header with the same payment to fetch the answer again.',
    example: 'q3vXc0m5bq1o7r8J4k2uTnYpZ6dWfHsLxEaGiCtRwQo',
  },
  RateLimit: {
    description: 'Remaining requests (r), and seconds until there are more (t).',
    example: '"default";r=59;t=60',
  },
  'RateLimit-Policy': {
    description: 'Maximum requests (q) of one client address in a window of w seconds.',
    example: '"default";q=60;w=60',
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', example: 12 },
  'Server-Timing': { description: 'Time spent inside the service, in milliseconds.', example: 'app;dur=1.25' },
  'WWW-Authenticate': {
    description:
      'MPP challenge, scheme `Payment`; send the credential in `Authorization`. With 401 it is `Bearer`: send a credit token.',
    example:
      'Payment id="x7Tg", realm="names.example.org", method="tempo", intent="charge", request="eyJhbW91bnQiOiI1MDAwMCJ9"',
  },
  'X-Ignored-Parameters': {
    description: 'Query parameters that the endpoint does not have; they were ignored.',
    example: 'categry',
  },
  'X-PAYMENT-REQUIREMENTS': {
    description: 'Payment requirements of x402 version 1, as in the body, as base64 of JSON.',
    example: 'eyJ4NDAyVmVyc2lvbiI6MSwiYWNjZXB0cyI6W119',
  },
  'X-PAYMENT-RESPONSE': {
    description: 'Receipt of an x402 version 1 payment, as base64 of JSON.',
    example: 'eyJzdWNjZXNzIjp0cnVlfQ==',
  },
  'X-Payments-Mode': {
    description: '`simulated` if payments use play money, `free` if nothing is charged.',
    example: 'simulated',
  },
  'X-Payments-Rpc': {
    description: 'JSON-RPC URL of the simulated chain, if payments are simulated.',
    example: 'http://127.0.0.1:8545',
  },
  'X-Request-Id': {
    description:
      'Id of the request in the log of the service; quote it when you report a problem. Clients may send their own.',
    example: '7f1d0a4e-9c1b-4a57-8f5e-2f1f0c7f6a3d',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

export const EVERYWHERE = ['X-Request-Id', 'Server-Timing', 'Cache-Control'] as const satisfies HeaderName[]
export const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const satisfies HeaderName[]
export const DEPRECATED = ['Deprecation', 'Link'] as const satisfies HeaderName[]
/** Sent with every response of a paid endpoint if payments are simulated. */
export const SIMULATED = ['X-Payments-Mode', 'X-Payments-Rpc'] as const satisfies HeaderName[]
export const RECEIPTS = [
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'Payment-Receipt',
  'Payment-Token',
] as const satisfies HeaderName[]
export const CHALLENGES = [
  'WWW-Authenticate',
  'PAYMENT-REQUIRED',
  'X-PAYMENT-REQUIREMENTS',
] as const satisfies HeaderName[]

/** References to the headers of one response, in a fixed order. */
export const headersOf = (names: readonly HeaderName[], components: Components): Json =>
  Object.fromEntries(names.toSorted().map((name) => [name, components.use('headers', name, () => header(name))]))

function header(name: HeaderName): Json {
  const { description, example } = HEADERS[name]
  return { description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example }
}
