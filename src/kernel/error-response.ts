import type { Endpoint } from './endpoint.ts'
import { ApiError, type ErrorCode, ERRORS, failureCode, OverloadError, UpstreamError } from './errors.ts'

/** Converts anything thrown to an ApiError. `unexpected` is the message for an error that should never happen. */
export function asApiError(
  thrown: unknown,
  endpoint: Pick<Endpoint, 'failsAs'> | undefined,
  unexpected: string,
): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof OverloadError) return overloaded(thrown)
  if (isOutOfDescriptors(thrown)) return overloaded(thrown)
  const failure = endpoint?.failsAs
  if (!(thrown instanceof UpstreamError) || failure === undefined) {
    return new ApiError('internal_error', unexpected, { cause: thrown })
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

/** 503 with Retry-After: this instance has too much to do. */
export const overloaded = (cause?: Error): ApiError => {
  const retryAfterMs = (cause instanceof OverloadError ? cause.retryAfterMs : undefined) ?? 1_000
  const seconds = Math.ceil(retryAfterMs / 1000)
  const when = seconds === 1 ? 'a second' : `${seconds} seconds`
  return new ApiError('service_unavailable', `Too many requests are being served at once; ask again in ${when}.`, {
    cause,
    headers: { 'Retry-After': String(seconds) },
  })
}

/** The process or the machine has no file descriptor left: load, not a bug. */
const isOutOfDescriptors = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'EMFILE' || thrown.code === 'ENFILE')

/** The page about an error code, at the service itself. `publicUrl` has no slash at its end. */
export const errorPageUrl = (publicUrl: string, code: ErrorCode): string => `${publicUrl}/docs/errors/${code}`

/** The body of every error response: a code for programs, a message for people. */
export const errorBody = (error: ApiError): Record<string, unknown> => ({
  ...error.extra,
  error: error.code,
  message: error.message,
})

const MAX_REASONS = 5

/**
 * Why a request failed, for the log, without its parameters: messages for the client may contain them, and errors of
 * libraries may quote an address or an answer that does. Only the messages of an UpstreamError are known not to.
 */
export function reasonsOf(error: unknown): string[] {
  const reasons: string[] = []
  for (let at = error; at instanceof Error && reasons.length < MAX_REASONS; at = at.cause) {
    if (at instanceof UpstreamError) reasons.push(at.message)
    else if (!(at instanceof ApiError)) reasons.push('code' in at ? String(at.code) : at.name)
  }
  return reasons
}
