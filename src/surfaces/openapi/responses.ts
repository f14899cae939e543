import type { Route } from '../../kernel/endpoint.ts'
import type { Components } from './components.ts'
import { acceptsCredit } from './credit.ts'
import { errorResponsesOf } from './error-responses.ts'
import { COUNTED, DEPRECATED, EVERYWHERE, type HeaderName, headersOf, RECEIPTS, SIMULATED } from './headers.ts'
import type { Json, Schemas } from './schemas.ts'

/** All responses of one endpoint, by status. */
export function responsesOf(
  { endpoint, wrap }: Route,
  output: Json,
  meaning: unknown,
  schemas: Schemas,
  components: Components,
): Json {
  const kept = endpoint.ttlSeconds !== undefined || wrap?.ttlSeconds !== undefined
  const always: HeaderName[] = [
    ...EVERYWHERE,
    ...(endpoint.rate === 'counted' ? COUNTED : []),
    ...(endpoint.deprecated || wrap?.deprecated ? DEPRECATED : []),
    ...(endpoint.price ? SIMULATED : []),
    'X-Ignored-Parameters',
  ]
  const headers: HeaderName[] = [
    ...always,
    ...(kept ? (['ETag'] as const) : []),
    ...(endpoint.price ? RECEIPTS : []),
    ...(acceptsCredit(endpoint) ? (['Credit-Balance'] as const) : []),
  ]
  return {
    200: {
      description: meaning,
      headers: headersOf(headers, components),
      content: { 'application/json': { schema: output, example: endpoint.example.output } },
      ...(endpoint.streams && { 'x-streams': STREAMS }),
    },
    ...(kept && {
      304: {
        description: 'The response has not changed since the version in If-None-Match.',
        headers: headersOf(headers, components),
      },
    }),
    ...errorResponsesOf(endpoint, schemas, components),
    ...Object.fromEntries(
      Object.entries(endpoint.otherAnswers ?? {}).map(([status, { description, example }]) => [
        status,
        {
          description,
          headers: headersOf(always, components),
          content: { 'application/json': { schema: output, example } },
        },
      ]),
    ),
  }
}

/**
 * Not in `content`: OpenAPI 3.1 has no schema for a sequence of objects, and generators would turn the type of the answer
 * into `string | …`.
 */
const STREAMS: Json = {
  'application/x-ndjson': 'One JSON object per line, each as soon as it is known; the last is the summary.',
  'text/event-stream': 'The same objects, each as the data of an event.',
}
