/** A bucket that starts full and fills at a rate; each question takes a token. Times are in milliseconds. */
export type Bucket = {
  /** A negative number puts some back. */
  take(now: number, tokens?: number): void
  /** How long until there are as many tokens; for more than it holds, until so many have been taken one by one. */
  waitMs(now: number, tokens?: number): number
  /** From now on, tokens a second, and the most it holds. */
  set(rate: number, size?: number): void
  /** Holds one token, and begins to fill at a later time. */
  restart(at: number): void
  readonly rate: number
}

/** Sums of fractions end a hair below the whole. */
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
  }
}
