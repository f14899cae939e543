import { UpstreamError } from '../errors.ts'
import { BodyError } from './body.ts'
import { AddressRefusedError, ForbiddenTargetError } from './guard.ts'

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/** A status that is not an answer, in one of the five words. */
export function statusFailure(host: string, status: number, retryAfterMs: number | undefined): UpstreamError {
  const failure = status === 429 ? 'rate_limited' : status === 401 || status === 403 ? 'auth_error' : 'unavailable'
  return new UpstreamError(failure, `${host} answered ${status}`, { retryAfterMs })
}

/** The host asked for a pause that is not over; it was not asked. */
export const restFailure = (host: string, retryAfterMs: number): UpstreamError =>
  new UpstreamError('rate_limited', `${host} asked to be left alone`, { retryAfterMs })

/** Whatever went wrong on the way to an answer, in one of the five words. Names the host and nothing else of the URL. */
export function transportFailure(host: string, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (error instanceof AddressRefusedError) {
    return new UpstreamError('unavailable', error.message, { cause: error, refusal: error.message })
  }
  if (error instanceof ForbiddenTargetError || error instanceof BodyError) {
    return new UpstreamError('unavailable', `${host}: ${error.message}`, { cause: error })
  }
  const cause = trimmed(error)
  return TIMEOUTS.has(cause.code)
    ? new UpstreamError('timeout', `${host} did not answer in time`, { cause })
    : new UpstreamError('unavailable', `${host} could not be asked`, { cause })
}

/** The error without what libraries hang on it: sockets, and whole pieces of what the server sent. */
function trimmed(error: unknown): Error & { code: string } {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return Object.assign(new Error(message || code), { code })
}
