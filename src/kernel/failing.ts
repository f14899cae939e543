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

const MAX_REASONS = 5

/**
 * Why something failed, for the log, without what was asked for: sentences for the caller may name it, and errors of
 * libraries may quote an address or an answer that does. Only an UpstreamError has words of our own about the outside.
 */
export function reasonsOf(error: unknown): string[] {
  const reasons: string[] = []
  for (let at = error; at instanceof Error && reasons.length < MAX_REASONS; at = at.cause) {
    if (at instanceof UpstreamError) reasons.push(at.message)
    else if (!(at instanceof ApiError)) reasons.push('code' in at ? String(at.code) : at.name)
  }
  return reasons
}
