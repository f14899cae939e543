import type { Components } from './components.ts'
import type { Json } from './schemas.ts'

type Header = { readonly description: string; readonly example: string | number }

/** The headers an answer may carry and a client may want to read. */
const HEADERS = {
  Allow: { description: 'The methods the address has.', example: 'GET, HEAD, OPTIONS' },
  'Cache-Control': {
    description: 'For how many seconds the answer may be kept; `no-store` where it may not be.',
    example: 'public, max-age=3600',
  },
  Deprecation: {
    description: 'Since when this is kept for old clients only: seconds since 1970 after an @ (RFC 9745).',
    example: '@1794700800',
  },
  ETag: {
    description: 'Names this very answer. Sent back in If-None-Match, it is answered with 304 while nothing changed.',
    example: 'W/"mO2TDVFqZ0fCPoWbUQnkdw"',
  },
  Link: { description: 'The address to use instead.', example: '</v1/tlds>; rel="successor-version"' },
  'PAYMENT-REQUIRED': {
    description: 'What x402 version 2 asks for: base64 of JSON.',
    example: 'eyJ4NDAyVmVyc2lvbiI6MiwiYWNjZXB0cyI6W119',
  },
  'PAYMENT-RESPONSE': {
    description: 'Receipt of a payment by x402 version 2: base64 of JSON.',
    example: 'eyJzdWNjZXNzIjp0cnVlfQ==',
  },
  'Payment-Receipt': {
    description: 'Receipt of a payment by MPP: base64url of JSON.',
    example: 'eyJzdGF0dXMiOiJzdWNjZXNzIn0',
  },
  RateLimit: {
    description: 'How many requests may be made now (r), and in how many seconds it will be more again (t).',
    example: '"default";r=59;t=60',
  },
  'RateLimit-Policy': {
    description: 'How many requests (q) one address may make in a window of seconds (w).',
    example: '"default";q=60;w=60',
  },
  'Retry-After': { description: 'In how many seconds to ask again.', example: 12 },
  'Server-Timing': { description: 'Milliseconds the answer took inside the service.', example: 'app;dur=1.25' },
  'WWW-Authenticate': {
    description: 'The challenge of MPP, scheme `Payment`; its answer goes into `Authorization`.',
    example:
      'Payment id="x7Tg", realm="names.example.org", method="tempo", intent="charge", request="eyJhbW91bnQiOiI1MDAwMCJ9"',
  },
  'X-Ignored-Parameters': {
    description: 'Parameters of the query that were not used, since the endpoint has none of that name.',
    example: 'categry',
  },
  'X-PAYMENT-REQUIREMENTS': {
    description: 'What x402 version 1 asks for, as in the body: base64 of JSON.',
    example: 'eyJ4NDAyVmVyc2lvbiI6MSwiYWNjZXB0cyI6W119',
  },
  'X-PAYMENT-RESPONSE': {
    description: 'Receipt of a payment by x402 version 1: base64 of JSON.',
    example: 'eyJzdWNjZXNzIjp0cnVlfQ==',
  },
  'X-Payments-Mode': { description: '`simulated` where the money is not real.', example: 'simulated' },
  'X-Payments-Rpc': {
    description: 'Where the simulated chain answers, where the money is not real.',
    example: 'http://127.0.0.1:8545',
  },
  'X-Request-Id': {
    description: 'Names the request in our log; quote it when you report a problem. A client may send its own.',
    example: '7f1d0a4e-9c1b-4a57-8f5e-2f1f0c7f6a3d',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

export const EVERYWHERE = ['X-Request-Id', 'Server-Timing', 'Cache-Control'] as const satisfies HeaderName[]
export const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const satisfies HeaderName[]
export const DEPRECATED = ['Deprecation', 'Link'] as const satisfies HeaderName[]
/** Of every answer of a paid endpoint where the money is not real. */
export const SIMULATED = ['X-Payments-Mode', 'X-Payments-Rpc'] as const satisfies HeaderName[]
export const RECEIPTS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE', 'Payment-Receipt'] as const satisfies HeaderName[]
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
