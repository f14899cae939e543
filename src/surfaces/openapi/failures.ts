import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError, ERRORS, type ErrorCode, type Failure, failureCode, failureStatus } from '../../kernel/errors.ts'
import { acceptsCredit } from './credit.ts'
import { parseInput } from '../../kernel/input.ts'

/** One error of an endpoint, with an example message. */
export type Failing = {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
  /** Whether all endpoints use this message. */
  readonly general: boolean
}

/** Every error of an endpoint, each once, by status. */
export function failuresOf(endpoint: Endpoint): Failing[] {
  const { errors, failsAs, price, rate, limitedAs = 'rate_limit_exceeded' } = endpoint
  const general: (Failure | false | undefined)[] = [
    'invalid_request',
    ...errors,
    failsAs,
    price !== undefined && 'payment_required',
    price !== undefined && 'payment_identifier_conflict',
    acceptsCredit(endpoint) && 'invalid_token',
    acceptsCredit(endpoint) && 'idempotency_key_reused',
    'method_not_allowed',
    rate === 'counted' && limitedAs,
    (rate === 'counted' || failsAs !== undefined) && 'service_unavailable',
    'internal_error',
  ]
  const all = [...complaintsOf(endpoint), ...general.filter((failure) => !!failure).map(inGeneral)]
  const once = new Map<string, Failing>()
  for (const failing of all) {
    const key = `${failing.status} ${failing.code}`
    if (!once.has(key)) once.set(key, failing)
  }
  return [...once.values()].sort((one, other) => one.status - other.status)
}

/** Every error of a path that is not an endpoint, including those of the door, by status. */
export const refusedByDoor = (codes: readonly ErrorCode[]): Failing[] =>
  (['invalid_request', ...codes, 'method_not_allowed', 'internal_error'] as const)
    .map(inGeneral)
    .sort((one, other) => one.status - other.status)

const inGeneral = (failure: Failure): Failing => ({
  code: failureCode(failure),
  status: failureStatus(failure),
  message: ERRORS[failureCode(failure)].meaning,
  general: true,
})

/** A value that only free text accepts, and one that nothing accepts. */
const WRONG = ['?', '\u0000']

/**
 * The errors for a missing field and for an invalid value. They come from the parser itself, given the example with one
 * field changed, so that code and message are those a caller gets.
 */
function complaintsOf(endpoint: Endpoint): Failing[] {
  const good = endpoint.example.input as Readonly<Record<string, unknown>>
  return Object.keys(endpoint.input.shape).flatMap((field) => {
    const { [field]: _, ...without } = good
    const missing = refusal(endpoint, without)
    const invalid = WRONG.map((value) => refusal(endpoint, { ...good, [field]: value })).find(Boolean)
    return [missing, invalid]
      .filter((error) => error !== undefined)
      .map(({ code, status, message }) => ({ code, status, message, general: false }))
  })
}

function refusal(endpoint: Endpoint, raw: Readonly<Record<string, unknown>>): ApiError | undefined {
  try {
    parseInput(endpoint, raw, endpoint.method === 'POST' ? 'json' : 'text')
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
