import { type ApiError, ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'

export const brokenSentence = (requestId: string): string =>
  `Something went wrong on our side; quote request ${requestId} when you report it.`

/** The error body with the members of RFC 9457, for clients that accept `application/problem+json`. */
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
