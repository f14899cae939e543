import type { Components } from './components.ts'
import type { Json } from './schemas.ts'

type Header = { readonly description: string; readonly example: string | number }

/** The headers an answer may carry and a client may want to read. */
const HEADERS = {
  Allow: { description: 'The methods the address has.', example: 'GET, HEAD, OPTIONS' },
  'Cache-Control': { description: 'For how many seconds the answer stays true.', example: 'public, max-age=3600' },
  Deprecation: {
    description: 'Since when this is kept for old clients only: seconds since 1970 after an @ (RFC 9745).',
    example: '@1794700800',
  },
  ETag: {
    description: 'Names this very answer. Sent back in If-None-Match, it is answered with 304 while nothing changed.',
    example: 'W/"mO2TDVFqZ0fCPoWbUQnkdw"',
  },
  Link: { description: 'Where to go instead.', example: '</v1/tlds>; rel="successor-version"' },
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
  'X-Ignored-Parameters': {
    description: 'Parameters of the query that were not used, since the endpoint has none of that name.',
    example: 'categry',
  },
  'X-Request-Id': {
    description: 'Names the request in our log; quote it when you report a problem. A client may send its own.',
    example: '7f1d0a4e-9c1b-4a57-8f5e-2f1f0c7f6a3d',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

export const EVERYWHERE = ['X-Request-Id', 'Server-Timing'] as const satisfies HeaderName[]
export const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const satisfies HeaderName[]

/** References to the headers of one response, in a fixed order. */
export const headersOf = (names: readonly HeaderName[], components: Components): Json =>
  Object.fromEntries(names.toSorted().map((name) => [name, components.use('headers', name, () => header(name))]))

function header(name: HeaderName): Json {
  const { description, example } = HEADERS[name]
  return { description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example }
}
