/**
 * Counts the requests of the last minute, exactly. Each slot has one counter per second, and the time of the last request
 * in that second, so that a second leaves the window exactly a minute after it. (A fixed window allows twice the quota
 * across its border, and a leaky bucket nearly twice after a pause.) Times are whole milliseconds of the monotonic clock.
 *
 * All counters are in arrays of fixed size, so a large quota cannot grow them.
 */
export type SlidingWindows = {
  /** Resets a slot for another client. */
  clear(slot: number): void
  /** Requests in the window that ends now. Call it first: it resets the counters that have left the window. */
  used(slot: number, now: number): number
  add(slot: number, now: number, cost: number): void
  /** Uncounts a request of that second. False if it has already left the window. */
  remove(slot: number, now: number, second: number): boolean
  /** Whole seconds until at least `needed` counted requests have left the window. */
  secondsUntilFree(slot: number, now: number, needed: number): number
}

export const WINDOW_SECONDS = 60
/** One bucket per second, and one more: the oldest second may still overlap the window by some milliseconds. */
const BUCKETS = WINDOW_SECONDS + 1

export function createSlidingWindows(slots: number, maxCount: number): SlidingWindows {
  const counts = createCounters(maxCount, slots * BUCKETS)
  /** Milliseconds into its second at which a bucket's last request came. */
  const offsets = new Uint16Array(slots * BUCKETS)
  const totals = new Float64Array(slots)
  const lastSeconds = new Float64Array(slots)
  /** All buckets of earlier seconds are empty: spares a search through a minute of buckets at every request. */
  const firstSeconds = new Float64Array(slots)

  const empty = (slot: number, second: number): void => {
    const bucket = bucketAt(slot, second)
    totals[slot]! -= counts[bucket]!
    counts[bucket] = 0
  }

  /** Resets the buckets that have left the window since the last request of this slot. */
  const expireBuckets = (slot: number, second: number, offset: number): void => {
    const last = lastSeconds[slot]!
    lastSeconds[slot] = second
    if (totals[slot] === 0) return
    for (let at = Math.max(last + 1, second - WINDOW_SECONDS); at <= second; at++) empty(slot, at)
    if (offsets[bucketAt(slot, second - WINDOW_SECONDS)]! <= offset) empty(slot, second - WINDOW_SECONDS)
  }

  return {
    clear(slot) {
      counts.fill(0, slot * BUCKETS, (slot + 1) * BUCKETS)
      totals[slot] = 0
    },
    used(slot, now) {
      expireBuckets(slot, Math.floor(now / 1000), now % 1000)
      return totals[slot]!
    },
    add(slot, now, cost) {
      const second = Math.floor(now / 1000)
      const bucket = bucketAt(slot, second)
      if (totals[slot] === 0) firstSeconds[slot] = second
      counts[bucket]! += cost
      offsets[bucket] = now % 1000
      totals[slot]! += cost
    },
    remove(slot, now, second) {
      const bucket = bucketAt(slot, second)
      if (Math.floor(now / 1000) - second > WINDOW_SECONDS || counts[bucket] === 0) return false
      counts[bucket]! -= 1
      totals[slot]! -= 1
      return true
    },
    secondsUntilFree(slot, now, needed) {
      // Nothing has to leave: the cost alone is above the limit.
      if (needed === 0) return 1
      const second = Math.floor(now / 1000)
      let first = Math.max(second - WINDOW_SECONDS, firstSeconds[slot]!)
      while (first < second && counts[bucketAt(slot, first)] === 0) first++
      firstSeconds[slot] = first
      let freed = 0
      for (let at = first; at <= second; at++) {
        const bucket = bucketAt(slot, at)
        freed += counts[bucket]!
        if (freed >= needed) return Math.max(1, Math.ceil(at + WINDOW_SECONDS - (now - offsets[bucket]!) / 1000))
      }
      return WINDOW_SECONDS
    },
  }
}

/** The smallest type that can hold the highest count. */
function createCounters(maxCount: number, length: number): Uint8Array | Uint16Array | Uint32Array | Float64Array {
  if (maxCount <= 0xff) return new Uint8Array(length)
  if (maxCount <= 0xffff) return new Uint16Array(length)
  return maxCount <= 0xffff_ffff ? new Uint32Array(length) : new Float64Array(length)
}

/** Also for negative seconds: a window may reach back before the start of the clock. */
const bucketAt = (slot: number, second: number): number => slot * BUCKETS + ((second + BUCKETS) % BUCKETS)
