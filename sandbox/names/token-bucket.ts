import type { Clock } from '../../src/kernel/clock.ts'

/** Rate limit: requests per second, and the burst allowed after idle time. */
export type RequestLimit = { readonly perSecond: number; readonly burst: number }

/** A token bucket whose limit may change at any time; a changed limit starts with a full bucket. */
export type TokenBucket = {
  /** Null if the query is allowed, otherwise the milliseconds until the next one is. */
  take(limit: RequestLimit | null): number | null
}

export function createTokenBucket(clock: Clock): TokenBucket {
  let current: RequestLimit | null = null
  let tokens = 0
  let refilledAt = 0
  return {
    take(limit) {
      const now = clock.monotonic()
      if (limit === null) {
        current = null
        return null
      }
      const isNew = current?.perSecond !== limit.perSecond || current.burst !== limit.burst
      tokens = isNew ? limit.burst : Math.min(limit.burst, tokens + ((now - refilledAt) / 1000) * limit.perSecond)
      current = limit
      refilledAt = now
      if (tokens < 1) return ((1 - tokens) / limit.perSecond) * 1000
      tokens--
      return null
    },
  }
}
