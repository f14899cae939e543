import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import type { Components } from './components.ts'
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
  const headers: HeaderName[] = [...always, ...(kept ? (['ETag'] as const) : []), ...(endpoint.price ? RECEIPTS : [])]
  return {
    200: {
      description: meaning,
      headers: headersOf(headers, components),
      content: contentOf(endpoint, output),
    },
    ...(kept && {
      304: {
        description: 'The answer is still the one named in If-None-Match; it is not sent again.',
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

/** A whole body, and the same in pieces for those who accept a stream. */
function contentOf({ streams, example }: Endpoint, output: Json): Json {
  const whole = { 'application/json': { schema: output, example: example.output } }
  if (streams === undefined) return whole
  const pieces = (description: string) => ({ schema: { type: 'string', description } })
  return {
    ...whole,
    'application/x-ndjson': pieces('One JSON object a line, each as soon as it is known; the last is the summary.'),
    'text/event-stream': pieces('The same objects, each as the data of an event.'),
  }
}
