import type { Endpoint } from './endpoint.ts'
import { ApiError, ERRORS, failureCode, UpstreamError } from './errors.ts'

/** What anything thrown is to the caller; `broken` is the sentence for what should never happen. */
export function asApiError(thrown: unknown, endpoint: Pick<Endpoint, 'failsAs'> | undefined, broken: string): ApiError {
  if (thrown instanceof ApiError) return thrown
  const failure = endpoint?.failsAs
  if (!(thrown instanceof UpstreamError) || failure === undefined) {
    return new ApiError('internal_error', broken, { cause: thrown })
  }
  const { retryable, retryAfterMs, refusal } = thrown
  const advice =
    refusal !== undefined
      ? ` ${refusal[0]!.toUpperCase()}${refusal.slice(1)}.`
      : retryable
        ? ' Asking again may help.'
        : ''
  const sentence = `${ERRORS[failureCode(failure)].meaning}${advice}`
  const headers =
    retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
  return new ApiError(failure, sentence, { cause: thrown, headers })
}

/** The body of the contract: a word for machines, a sentence for people. */
export const errorBody = (error: ApiError): Record<string, unknown> => ({
  ...error.extra,
  error: error.code,
  message: error.message,
})
