import { type ApiError, ERRORS } from '../../kernel/errors.ts'
import { errorBody, errorPageUrl } from '../../kernel/error-response.ts'

export const brokenSentence = (requestId: string): string =>
  `Something went wrong on our side; quote request ${requestId} when you report it.`

/**
 * The error body with the members of RFC 9457, for clients that accept `application/problem+json`. `publicUrl` has no slash
 * at its end; `type` is the address of the page about the code.
 */
export const problemBody = (error: ApiError, requestId: string, publicUrl: string): Record<string, unknown> => ({
  type: errorPageUrl(publicUrl, error.code),
  title: ERRORS[error.code].meaning,
  status: error.status,
  detail: error.message,
  instance: `urn:onoma:request:${requestId}`,
  ...errorBody(error),
})

export const PROBLEM_TYPE = 'application/problem+json'

export const wantsProblem = (accept: string | undefined): boolean => accept?.includes(PROBLEM_TYPE) ?? false
