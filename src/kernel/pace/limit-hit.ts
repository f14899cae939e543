/** One time the host refused; refusals of requests sent before `at` belong to it. */
export type LimitHit = RateEstimate & {
  readonly at: number
  readonly refusedSentAt: number
  readonly pauseMs: number
  refusals: number
}

type RateEstimate = {
  /** Requests sent since the last pause. */
  readonly sent: number
  /** The host's limit in requests per second, if it accepted `passes` of them. */
  estimate(passes: number): number
}

/** Backoff if a refusal has no Retry-After. Doubled with every consecutive refusal. */
export const DEFAULT_PAUSE_MS = 1000
/** How far back the first estimate looks, however long the Retry-After is. */
const MAX_LOOK_BACK_MS = 60_000
/** With fewer requests before the first refusal, this many are assumed. */
const MIN_SAMPLES = 10
const MIN_RATE_PER_SECOND = 1 / 60
export const MAX_RATE_PER_SECOND = 10_000
/** While the limit is unknown: growth of the rate per answer, less if the host has long pauses. */
const SEARCH_STEP = 0.08
/** Once the limit is known: answers until the rate is close to it again, per refusal at the last hit. */
const ANSWERS_PER_REFUSAL = 80
/** The time between two hits is at least this many times the pause they cost. */
const MIN_PAUSES_BETWEEN_REFUSALS = 8
/** Share of the refused rate that is approached; the refused rate itself is never tried again. */
const TARGET_SHARE = 0.97

/** The first refusal: accepted requests, divided by the time they took and the pause after them. */
export function estimateFirst(refusedSentAt: number, pauseMs: number, recent: readonly number[]): RateEstimate {
  const lookBackMs = Math.min(Math.max(pauseMs, DEFAULT_PAUSE_MS), MAX_LOOK_BACK_MS)
  const counted = recent.filter((at) => at >= refusedSentAt - lookBackMs)
  const spanMs = refusedSentAt - (counted[0] ?? refusedSentAt) + Math.max(pauseMs, DEFAULT_PAUSE_MS)
  // A few accepted requests say little about how many would have been accepted.
  const minPasses = counted.length < MIN_SAMPLES ? MIN_SAMPLES : 0
  return { sent: counted.length, estimate: (passes) => (0.95 * Math.max(passes, minPasses) * 1000) / spanMs }
}

/** The requests sent at `rate` between two refusals. */
type SentSincePause = { readonly count: number; readonly firstAt: number; readonly rate: number }

/**
 * A later refusal: requests accepted since the last one. A host with a token bucket also refilled it during the pause, a
 * host with a fixed window started the window after it; the estimate is between the two.
 */
export function estimateLater(
  refusedSentAt: number,
  last: LimitHit,
  { count, firstAt, rate }: SentSincePause,
): RateEstimate {
  const withPauseMs = Math.max(refusedSentAt - last.refusedSentAt, 1)
  const withoutPauseMs = Math.max(refusedSentAt - firstAt, 1)
  return {
    sent: count,
    estimate(passes) {
      const least = (passes * 1000) / withPauseMs
      return Math.min(Math.sqrt(least * Math.min((passes * 1000) / withoutPauseMs, rate)), 0.95 * rate)
    },
  }
}

/** The next rate to try after an answer. Each hit costs refusals and a pause: the more it cost, the slower the growth. */
export function growRate(rate: number, refusedRate: number | undefined, { pauseMs, refusals }: LimitHit): number {
  const answers = Math.max(ANSWERS_PER_REFUSAL * refusals, (MIN_PAUSES_BETWEEN_REFUSALS * rate * pauseMs) / 1000)
  const step =
    refusedRate === undefined
      ? SEARCH_STEP * Math.min(Math.sqrt(DEFAULT_PAUSE_MS / pauseMs), 1)
      : Math.max(TARGET_SHARE * refusedRate - rate, 0.05 * refusedRate) / answers
  return clampRate(rate + step)
}

export const clampRate = (rate: number): number => Math.min(Math.max(rate, MIN_RATE_PER_SECOND), MAX_RATE_PER_SECOND)
