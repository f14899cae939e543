/** Response time of a host: a moving mean and deviation, like TCP's round-trip time estimate (RFC 6298). */
export type LatencyEstimate = {
  record(ms: number): void
  readonly meanMs: number
  /** After this time an answer is late: 1.5 times the usual time. */
  readonly slowMs: number
  /** After this time no answer is expected any more. */
  readonly failedMs: number
}

/** For a host that has not answered yet: the first connection is slow. */
const INITIAL_MEAN_MS = 100
const INITIAL_USUAL_MS = 1000
/** Lower bounds, so that a busy moment of this process does not look like a slow host. */
const MIN_SLOW_MS = 250
const MIN_FAILED_MS = 2000

export function createLatencyEstimate(): LatencyEstimate {
  let meanMs = INITIAL_MEAN_MS
  let deviationMs = 0
  let usualMs = INITIAL_USUAL_MS
  let isFirst = true
  return {
    record(ms) {
      deviationMs = isFirst ? ms / 2 : deviationMs + (Math.abs(ms - meanMs) - deviationMs) / 4
      meanMs += (ms - meanMs) / 8
      usualMs = meanMs + 2 * deviationMs
      isFirst = false
    },
    get meanMs() {
      return meanMs
    },
    get slowMs() {
      return Math.max(MIN_SLOW_MS, 1.5 * usualMs)
    },
    get failedMs() {
      return Math.max(MIN_FAILED_MS, 3 * usualMs)
    },
  }
}
