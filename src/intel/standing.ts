/** Registration status, as `/v1/check` reports it. */
export type Standing =
  | { readonly state: 'available' | 'registered' | 'reserved' }
  | { readonly state: 'unknown'; readonly reason: 'timeout' | 'rate_limited' | 'upstream_error' }
  /** A TLD that is not in the catalogue; `problem` is a sentence for the caller. */
  | { readonly state: 'unsupported'; readonly problem: string }

/** Why the status is unknown, and the seconds after which a retry may succeed. */
export const UNKNOWN: Readonly<
  Record<Extract<Standing, { state: 'unknown' }>['reason'], { readonly why: string; readonly retrySeconds: number }>
> = {
  timeout: { why: 'its registry did not answer in time', retrySeconds: 5 },
  rate_limited: { why: 'its registry has rate limited us', retrySeconds: 30 },
  upstream_error: { why: 'its registry could not answer', retrySeconds: 30 },
}
