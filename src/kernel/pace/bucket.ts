/** A token bucket that starts full; each request takes a token. Times are in milliseconds. */
export type Bucket = {
  /** A negative number puts some back. */
  take(now: number, tokens?: number): void
  /** Milliseconds until that many tokens are there; for more than `size`, until that many could be taken one by one. */
  waitMs(now: number, tokens?: number): number
  /** Changes the tokens per second and the capacity. */
  set(rate: number, size?: number): void
  /** Resets to one token, and starts filling at the given time. */
  restart(at: number): void
  readonly rate: number
  readonly size: number
}

/** Tolerance for floating-point sums. */
const SLACK = 1e-6

export function createBucket(size: number, rate: number): Bucket {
  let tokens = size
  let filledAt = 0
  const fill = (now: number): void => {
    if (now <= filledAt) return
    tokens = Math.min(size, tokens + ((now - filledAt) * rate) / 1000)
    filledAt = now
  }
  return {
    take(now, count = 1) {
      fill(now)
      tokens -= count
    },
    waitMs(now, wanted = 1) {
      fill(now)
      return tokens >= wanted - SLACK ? 0 : ((wanted - tokens) * 1000) / rate
    },
    set(newRate, newSize = size) {
      rate = newRate
      size = newSize
    },
    restart(at) {
      tokens = 1
      filledAt = at
    },
    get rate() {
      return rate
    },
    get size() {
      return size
    },
  }
}
