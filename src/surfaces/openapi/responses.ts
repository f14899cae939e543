import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import type { Components } from './components.ts'
import { failuresOf, type Failing } from './failures.ts'
import { COUNTED, EVERYWHERE, type HeaderName, headersOf } from './headers.ts'
import type { Json } from './schemas.ts'

/** The schemas of every error body; endpoints may not use these names. */
export const ERROR_SCHEMAS: Readonly<Record<'Error' | 'Problem', Json>> = {
  Error: {
    type: 'object',
    description: 'What went wrong. Some errors have further members, such as `tld` or `errors`.',
    properties: {
      error: { type: 'string', description: 'A word for machines; its meaning never changes.' },
      message: { type: 'string', description: 'A sentence for people; its wording may change.' },
    },
    required: ['error', 'message'],
  },
  Problem: {
    description: 'The same, with the members of RFC 9457.',
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        properties: {
          type: { type: 'string', format: 'uri', description: 'The error code as a URI.' },
          title: { type: 'string', description: 'What the error code means.' },
          status: { type: 'integer', description: 'The HTTP status.' },
          detail: { type: 'string', description: 'The same sentence as `message`.' },
          instance: { type: 'string', format: 'uri', description: 'The request this happened to.' },
        },
        required: ['type', 'title', 'status', 'detail', 'instance'],
      },
    ],
  },
}

const EXAMPLE_REQUEST = '7f1d0a4e-9c1b-4a57-8f5e-2f1f0c7f6a3d'

/** All responses of one endpoint, by status. */
export function responsesOf({ endpoint, wrap }: Route, output: Json, meaning: unknown, components: Components): Json {
  const kept = endpoint.lifetime !== undefined || wrap?.lifetime !== undefined
  const headers: HeaderName[] = [
    ...EVERYWHERE,
    ...(endpoint.rate === 'counted' ? COUNTED : []),
    ...(kept ? (['Cache-Control', 'ETag'] as const) : []),
    ...(endpoint.deprecated || wrap?.deprecated ? (['Deprecation', 'Link'] as const) : []),
    ...(endpoint.method === 'GET' ? (['X-Ignored-Parameters'] as const) : []),
  ]
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
    ...errorResponses(endpoint, components),
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

function errorResponses(endpoint: Endpoint, components: Components): Json {
  const byStatus = Map.groupBy(failuresOf(endpoint), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, failures]) => {
      // A wrong method is refused before anybody is counted.
      const counted = endpoint.rate === 'counted' && status !== 405
      const make = () => errorResponse(status, failures, counted, components)
      if (!failures.every(({ general }) => general)) return [status, make()]
      const name = componentName(failures) + (counted || status === 405 ? '' : 'Uncounted')
      return [status, components.use('responses', name, make)]
    }),
  )
}

function errorResponse(status: number, failures: Failing[], counted: boolean, components: Components): Json {
  const codes = failures.map(({ code }) => code)
  const headers: HeaderName[] = [...EVERYWHERE, ...(counted ? COUNTED : [])]
  if (status === 405) headers.push('Allow')
  if (status === 429) headers.push('Retry-After')
  const content = (schema: string, body: (failing: Failing) => Json): Json => ({
    schema: {
      allOf: [
        { $ref: `#/components/schemas/${schema}` },
        { type: 'object', properties: { error: { type: 'string', enum: codes } } },
      ],
    },
    examples: Object.fromEntries(failures.map((failing) => [failing.code, { value: body(failing) }])),
  })
  return {
    description: codes.map(describe).join('\n'),
    headers: headersOf(headers, components),
    content: {
      'application/json': content('Error', errorBody),
      'application/problem+json': content('Problem', problemBody),
    },
  }
}

const describe = (code: ErrorCode, _at: number, codes: readonly ErrorCode[]): string =>
  `${codes.length > 1 ? '- ' : ''}\`${code}\`: ${ERRORS[code].meaning}`

const errorBody = ({ code, message }: Failing): Json => ({ error: code, message })

const problemBody = ({ code, status, message }: Failing): Json => ({
  type: `urn:onoma:error:${code}`,
  title: ERRORS[code].meaning,
  status,
  detail: message,
  instance: `urn:onoma:request:${EXAMPLE_REQUEST}`,
  error: code,
  message,
})

/** `RateLimitExceeded`; a code that does not wear its usual status has it in its name: `CheckFailed500`. */
const componentName = (failures: readonly Failing[]): string =>
  failures.map(({ code, status }) => pascal(code) + (status === ERRORS[code].status ? '' : status)).join('Or')

const pascal = (code: string): string => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
