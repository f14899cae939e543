import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError, ERRORS, type ErrorCode, UpstreamError } from '../../kernel/errors.ts'

/** The one place where anything thrown becomes what a caller is told. */
export function asApiError(thrown: unknown, endpoint: Endpoint | undefined, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof UpstreamError && endpoint?.failsAs !== undefined) {
    const failure = endpoint.failsAs
    const code = typeof failure === 'string' ? failure : failure.code
    const again = thrown.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(thrown.retryAfterMs / 1000))
    return new ApiError(failure, `${ERRORS[code].meaning}${thrown.retryable ? ' Asking again may help.' : ''}`, {
      cause: thrown,
      headers: again === undefined ? {} : { 'Retry-After': String(again) },
    })
  }
  return new ApiError(
    'internal_error',
    `Something went wrong on our side; quote request ${requestId} when you report it.`,
    {
      cause: thrown,
    },
  )
}

/** The body of the contract: a word for machines, a sentence for people. */
export const errorBody = (error: ApiError): Record<string, unknown> => ({
  ...error.extra,
  error: error.code,
  message: error.message,
})

/** The same body with the members of RFC 9457, for clients that ask for it. */
export const problemBody = (error: ApiError, requestId: string): Record<string, unknown> => ({
  type: problemType(error.code),
  title: ERRORS[error.code].meaning,
  status: error.status,
  detail: error.message,
  instance: `urn:onoma:request:${requestId}`,
  ...errorBody(error),
})

const problemType = (code: ErrorCode): string => `urn:onoma:error:${code}`

export const PROBLEM_TYPE = 'application/problem+json'

export const wantsProblem = (accept: string | undefined): boolean => accept?.includes(PROBLEM_TYPE) ?? false
