import { UpstreamError } from '../errors.ts'
import { BodyError } from './body.ts'
import { AddressRefusedError, ForbiddenTargetError } from './guard.ts'
import { ProxyError } from './proxy.ts'

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/** Codes of OpenSSL and Node for a certificate that is not accepted; it will not be a moment later either. */
const CERTIFICATES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Codes of the system and undici for a connection that failed or was broken. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EPROTO',
  'UND_ERR_SOCKET',
])
/** Of a connection that had been opened. A server that resets every new connection looks the same. */
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'])
const isBroken = (code: string): boolean => BROKEN.has(code) || code.startsWith('ERR_HTTP2_')

const isUnreachable = (code: string): boolean =>
  UNREACHABLE.has(code) || CERTIFICATES.has(code) || /^ERR_(?:SSL|TLS|HTTP2)_/.test(code)

/** The error for an HTTP status that is not accepted. */
export function statusFailure(host: string, status: number, retryAfterMs: number | undefined): UpstreamError {
  const failure = status === 429 ? 'rate_limited' : status === 401 || status === 403 ? 'auth_error' : 'unavailable'
  return new UpstreamError(failure, `${host} answered ${status}`, { retryAfterMs })
}

/** The error while a host is in its Retry-After backoff; the request was not sent. */
export const backoffFailure = (host: string, retryAfterMs: number): UpstreamError =>
  new UpstreamError('rate_limited', `${host} sent a Retry-After that is not over`, { retryAfterMs })

/** Converts any error to an UpstreamError. The message contains the host, and nothing else of the URL. */
export function transportFailure(host: string, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (error instanceof AddressRefusedError) {
    return new UpstreamError('unavailable', error.message, { cause: error, refusal: error.message })
  }
  if (error instanceof ForbiddenTargetError || error instanceof BodyError) {
    return new UpstreamError('unavailable', `${host}: ${error.message}`, { cause: error })
  }
  if (error instanceof ProxyError) {
    return new UpstreamError('unavailable', `${host} could not be asked: ${error.message}`, {
      cause: error,
      unreachable: true,
    })
  }
  const cause = trimmed(error)
  return TIMEOUTS.has(cause.code)
    ? new UpstreamError('timeout', `${host} did not answer in time`, { cause })
    : new UpstreamError('unavailable', `${host} could not be asked`, {
        cause,
        unreachable: isUnreachable(cause.code),
        broken: isBroken(cause.code),
        untrusted: CERTIFICATES.has(cause.code),
      })
}

/** The error without what libraries attach to it: sockets, and parts of the response. */
function trimmed(error: unknown): Error & { code: string } {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return Object.assign(new Error(message || code), { code })
}
