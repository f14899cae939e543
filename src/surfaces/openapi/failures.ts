import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError, ERRORS, type ErrorCode, type Failure, failureCode, failureStatus } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'

/** One way an endpoint can refuse or fail, with the sentence a caller might read. */
export type Failing = {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
  /** Whether the sentence is the same at every endpoint. */
  readonly general: boolean
}

/** Every way an endpoint can fail, each once, by status. */
export function failuresOf(endpoint: Endpoint): Failing[] {
  const { errors, failsAs, price, rate, limitedAs = 'rate_limit_exceeded' } = endpoint
  const general: (Failure | false | undefined)[] = [
    'invalid_request',
    ...errors,
    failsAs,
    price !== undefined && 'payment_required',
    'method_not_allowed',
    rate === 'counted' && limitedAs,
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

/** What an address that is no endpoint refuses with, those of the door included, by status. */
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

/** A mark that only free text accepts, and a character that nothing does. */
const WRONG = ['?', '\u0000']

/**
 * What is said about a field left out, and about a wrong value in it. The parser itself is asked, with the example
 * spoilt in one field, so that neither code nor sentence can differ from what a caller gets.
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
