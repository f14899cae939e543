import type { Endpoint, Route } from '../../kernel/endpoint.ts'
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
      content: contentOf(endpoint, output),
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

/** The whole body, and the same data as a stream. */
function contentOf({ streams, example }: Endpoint, output: Json): Json {
  const whole = { 'application/json': { schema: output, example: example.output } }
  if (streams === undefined) return whole
  const pieces = (description: string) => ({ schema: { type: 'string', description } })
  return {
    ...whole,
    'application/x-ndjson': pieces('One JSON object per line, each as soon as it is known; the last is the summary.'),
    'text/event-stream': pieces('The same objects, each as the data of an event.'),
  }
}
