import type * as z from 'zod'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { errorPageUrl } from '../../kernel/error-response.ts'
import { ERRORS, type ErrorCode, failureStatus } from '../../kernel/errors.ts'
import type { Components } from './components.ts'
import { type Failing, failuresOf, refusedByDoor } from './failures.ts'
import { COUNTED, DEPRECATED, EVERYWHERE, type HeaderName, headersOf, SIMULATED } from './headers.ts'
import { paymentRequired } from './payment-required.ts'
import type { Json, Schemas } from './schemas.ts'
import { refusedByListener } from './refused-by-listener.ts'

/** The schemas of every error body; endpoints may not use these names. */
export const ERROR_SCHEMAS: Readonly<Record<'Error' | 'Problem', Json>> = {
  Error: {
    type: 'object',
    description: 'What went wrong.',
    properties: {
      error: { type: 'string', description: 'Error code for programs; its meaning never changes.' },
      message: { type: 'string', description: 'Explanation for people; its wording may change.' },
    },
    required: ['error', 'message'],
  },
  Problem: {
    description: 'The error with the members of RFC 9457.',
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        properties: {
          type: { type: 'string', format: 'uri', description: 'The page about the error code.' },
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

/** Schemas of error members besides `error` and `message`, under unique keys. */
export const memberSchemasOf = (endpoint: Endpoint): Record<string, z.ZodType> =>
  Object.fromEntries(membersOf(endpoint).map(([code, members]) => [memberKey(endpoint, code), members]))

const membersOf = ({ errorMembers = {} }: Endpoint) => Object.entries(errorMembers) as [ErrorCode, z.ZodObject][]

const memberKey = ({ name, method, path }: Endpoint, code: ErrorCode): string =>
  `${name} ${method} ${path} error ${code}`

/** Decides which headers an error has. */
type Traits = {
  readonly counted: boolean
  readonly deprecated: boolean
  readonly paid: boolean
  /** Whether it may have Retry-After. */
  readonly mayRetry: boolean
  /** Whether it may have X-Ignored-Parameters. */
  readonly mayIgnore: boolean
}

/** Every error of an endpoint, by status. */
export function errorResponsesOf(endpoint: Endpoint, schemas: Schemas, components: Components): Json {
  const byStatus = Map.groupBy(failuresOf(endpoint), ({ status }) => status)
  const own = [...byStatus].map(([status, failures]): [number, Json] => {
    if (status === 402) return [status, paymentRequired(endpoint, components)]
    const members = membersOf(endpoint).filter(([code]) => failures.some((failing) => failing.code === code))
    const traits = traitsOf(endpoint, status)
    const make = () =>
      errorResponse(
        failures,
        traits,
        members.map(([code, shape]) => ({ code, shape, schema: schemas.byKey[memberKey(endpoint, code)]! })),
        components,
      )
    const isShared = members.length === 0 && failures.every(({ general }) => general)
    return [status, isShared ? components.use('responses', componentName(failures, traits), make) : make()]
  })
  return Object.fromEntries([...own, ...refusedByListener(components)])
}

/** The errors of a path that is not an endpoint: not rate-limited, paid or deprecated. */
export function plainErrorResponses(codes: readonly ErrorCode[], components: Components): Json {
  const byStatus = Map.groupBy(refusedByDoor(codes), ({ status }) => status)
  const own = [...byStatus].map(([status, failures]): [number, Json] => {
    const traits = { ...NO_TRAITS, mayRetry: MAY_RETRY.has(status) }
    const make = () => errorResponse(failures, traits, [], components)
    return [status, components.use('responses', componentName(failures, traits), make)]
  })
  return Object.fromEntries([...own, ...refusedByListener(components)])
}

const NO_TRAITS: Traits = { counted: false, deprecated: false, paid: false, mayRetry: false, mayIgnore: false }

const MAY_RETRY: ReadonlySet<number> = new Set([429, 502, 503, 504])

function traitsOf({ rate, deprecated, price, failsAs }: Endpoint, status: number): Traits {
  // A wrong method is rejected before the endpoint is known.
  if (status === 405) return NO_TRAITS
  return {
    counted: rate === 'counted',
    deprecated: deprecated !== undefined,
    paid: price !== undefined,
    mayRetry: MAY_RETRY.has(status) || (failsAs !== undefined && failureStatus(failsAs) === status),
    // A request is counted before its query is parsed.
    mayIgnore: status !== 429,
  }
}

type Members = { readonly code: ErrorCode; readonly shape: z.ZodObject; readonly schema: Json }

function errorResponse(
  failures: readonly Failing[],
  { counted, deprecated, paid, mayRetry, mayIgnore }: Traits,
  members: readonly Members[],
  components: Components,
): Json {
  const codes = failures.map(({ code }) => code)
  const status = failures[0]!.status
  const headers: HeaderName[] = [
    ...EVERYWHERE,
    ...(counted ? COUNTED : []),
    ...(deprecated ? DEPRECATED : []),
    ...(paid ? SIMULATED : []),
    ...(mayRetry ? (['Retry-After'] as const) : []),
    ...(mayIgnore ? (['X-Ignored-Parameters'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
  ]
  const properties = Object.assign({}, ...members.map(({ schema }) => schema['properties'])) as Json
  // Required only if every code of this status has it.
  const required =
    members.length === codes.length ? members.flatMap(({ schema }) => (schema['required'] ?? []) as string[]) : []
  const content = (schema: string, body: (failing: Failing) => Json): Json => ({
    schema: {
      allOf: [
        { $ref: `#/components/schemas/${schema}` },
        {
          type: 'object',
          properties: { error: { type: 'string', enum: codes }, ...properties },
          ...(required.length > 0 && { required: [...new Set(required)] }),
        },
      ],
    },
    examples: Object.fromEntries(
      failures.map((failing) => {
        const { shape } = members.find(({ code }) => code === failing.code) ?? {}
        return [failing.code, { value: { ...(shape && exampleOf(shape)), ...body(failing) } }]
      }),
    ),
  })
  return {
    description: codes.map(describe).join('\n'),
    headers: headersOf(headers, components),
    content: {
      'application/json': content('Error', errorBody),
      'application/problem+json': content('Problem', (failing) => problemBody(failing, components.publicUrl)),
    },
  }
}

/** Each member must have an example, so that the error example is complete. */
const exampleOf = ({ shape }: z.ZodObject): Json =>
  Object.fromEntries(
    Object.entries<z.ZodType>(shape).map(([name, field]) => {
      const { examples } = (field.meta() ?? {}) as { examples?: readonly unknown[] }
      if (!examples) throw new Error(`The member ${name} of an error has no example`)
      return [name, examples[0]]
    }),
  )

const describe = (code: ErrorCode, _at: number, codes: readonly ErrorCode[]): string =>
  `${codes.length > 1 ? '- ' : ''}\`${code}\`: ${ERRORS[code].meaning}`

const errorBody = ({ code, message }: Failing): Json => ({ error: code, message })

const problemBody = ({ code, status, message }: Failing, publicUrl: string): Json => ({
  type: errorPageUrl(publicUrl, code),
  title: ERRORS[code].meaning,
  status,
  detail: message,
  instance: `urn:onoma:request:${EXAMPLE_REQUEST}`,
  error: code,
  message,
})

/** `RateLimitExceeded`; a code with another than its usual status has it in its name: `CheckFailed500`. */
function componentName(failures: readonly Failing[], traits: Traits): string {
  const { status } = failures[0]!
  const name = failures.map(({ code }) => pascal(code) + (status === ERRORS[code].status ? '' : status)).join('Or')
  if (status === 405) return name
  const suffixes = [
    !traits.counted && 'Uncounted',
    traits.deprecated && 'Deprecated',
    traits.paid && 'Paid',
    traits.mayRetry && !MAY_RETRY.has(status) && 'MayRetry',
    !traits.mayIgnore && status !== 429 && 'OfFile',
  ]
  return [name, ...suffixes.filter((suffix) => suffix !== false)].join('')
}

const pascal = (code: string): string => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
