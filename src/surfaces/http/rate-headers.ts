import { ApiError } from '../../kernel/errors.ts'
import type { RateDecision, RateLimiter } from '../../kernel/rate-limit.ts'
import type { Exchange } from './exchange.ts'

/** The line with the RateLimit-Policy header; undefined if there is no rate limit. */
export const ratePolicy = ({ quota, windowSeconds }: RateLimiter): string | undefined =>
  Number.isFinite(quota) ? `RateLimit-Policy: "default";q=${quota};w=${windowSeconds}\r\n` : undefined

export function setRateHeaders(
  exchange: Exchange,
  policy: string | undefined,
  { remaining, seconds }: RateDecision,
): void {
  if (policy === undefined) return
  exchange.rate = `${policy}RateLimit: "default";r=${remaining};t=${seconds}\r\n`
}

export const rateLimitError = (
  { quota }: RateLimiter,
  { seconds }: RateDecision,
  code: 'rate_limited' | 'rate_limit_exceeded',
): ApiError =>
  new ApiError(code, `More than ${quota} requests in a minute came from your address; ask again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })

/** Documents have a limit of their own, so their error has no RateLimit headers, which describe the limit of requests. */
export const documentLimitError = ({ quota }: RateLimiter, { seconds }: RateDecision): ApiError =>
  new ApiError(
    'rate_limit_exceeded',
    `More than ${quota} documents in a minute were asked for by your address; keep a copy, and ask again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
