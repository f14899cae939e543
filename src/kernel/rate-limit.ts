import type { Clock } from './clock.ts'

/** Rate limit per client. The implementation below counts in memory; several instances would need a shared store. */
export type RateLimiter = {
  /** At most `quota` requests in any period of `windowSeconds`. */
  readonly quota: number
  readonly windowSeconds: number
  /** Counts `cost` requests of this client if the quota allows, or returns when it will. Never throws. */
  take(client: string, cost?: number): RateDecision | Promise<RateDecision>
  /** Counts one request that may turn out not to count. Never throws. */
  reserve(client: string): Reservation | Promise<Reservation>
}

export type RateDecision = {
  readonly allowed: boolean
  /** Requests the client has left now. */
  readonly remaining: number
  /** Whole seconds until `remaining` grows; if not allowed, until the same request would be. */
  readonly seconds: number
}

export type Reservation = RateDecision & {
  /** Uncounts the request; call it at most once. Returns the state after that. */
  refund(): RateDecision | Promise<RateDecision>
}

/** For callers without a limit: the operator's own command line and agents on their machine. */
export const unlimited = (): RateDecision => ({ allowed: true, remaining: Infinity, seconds: 0 })

/** Used when the operator has turned the limit off; its quota is infinite. */
export const createUnlimitedRateLimiter = (): RateLimiter & { readonly size: number } => ({
  quota: Infinity,
  windowSeconds: WINDOW_SECONDS,
  size: 0,
  take: unlimited,
  reserve: () => ({ ...unlimited(), refund: unlimited }),
})

const WINDOW_SECONDS = 60
/** One bucket per second, and one more: the oldest second may still overlap the window by some milliseconds. */
const BUCKETS = WINDOW_SECONDS + 1
/** Array entries per client, a power of two of at least `BUCKETS`. */
const STRIDE = 64
/** Clients compared to find one to evict. */
const EVICTION_SAMPLE = 64

/**
 * A sliding window: at most `quota` requests in any minute. Each client has one counter per second, and the time of the
 * last request in that second, so that a second leaves the window exactly a minute after it. (A fixed window allows
 * twice the quota across its border, and a leaky bucket nearly twice after a pause.)
 *
 * All counters are in arrays of fixed size, so neither a flood of addresses nor a large quota can grow them. When all
 * slots are used, a client that has long been inactive is evicted.
 */
export function createMemoryRateLimiter({
  quota,
  clock,
  maxClients = 100_000,
}: {
  quota: number
  clock: Clock
  maxClients?: number
}): RateLimiter & { readonly size: number } {
  const counts = createCounters(quota, maxClients * STRIDE)
  /** Milliseconds into its second at which a bucket's last request came. */
  const offsets = new Uint16Array(maxClients * STRIDE)
  const totals = new Float64Array(maxClients)
  const lastSeconds = new Float64Array(maxClients)
  const slots = new Map<string, number>()
  const clientAt: string[] = []
  /** When a slot was last used, as a count of requests since the start, so values are unique. */
  const lastUsed = new Float64Array(maxClients)
  let useCount = 0
  let evictionStart = 0

  const slotFor = (client: string): number => {
    let slot = slots.get(client)
    if (slot === undefined) {
      slot = slots.size < maxClients ? slots.size : evict()
      slots.set(client, slot)
      clientAt[slot] = client
      counts.fill(0, slot * STRIDE, slot * STRIDE + BUCKETS)
      totals[slot] = 0
    }
    lastUsed[slot] = ++useCount
    return slot
  }

  /**
   * Evicts the least recently seen client among the next few. (An exact order of all clients would allocate on every
   * request.)
   */
  const evict = (): number => {
    let leastRecent = evictionStart
    for (let step = 1; step < EVICTION_SAMPLE; step++) {
      const slot = (evictionStart + step) % maxClients
      if (lastUsed[slot]! < lastUsed[leastRecent]!) leastRecent = slot
    }
    evictionStart = (evictionStart + EVICTION_SAMPLE) % maxClients
    slots.delete(clientAt[leastRecent]!)
    return leastRecent
  }

  /** Resets the buckets that have left the window since this client's last request. */
  const expireBuckets = (slot: number, second: number, offset: number): void => {
    const last = lastSeconds[slot]!
    lastSeconds[slot] = second
    if (totals[slot] === 0) return
    for (let at = Math.max(last + 1, second - WINDOW_SECONDS); at <= second; at++) empty(slot, at)
    const oldest = slot * STRIDE + bucketIndex(second - WINDOW_SECONDS)
    if (offsets[oldest]! <= offset) empty(slot, second - WINDOW_SECONDS)
  }

  const empty = (slot: number, second: number): void => {
    const bucket = slot * STRIDE + bucketIndex(second)
    totals[slot]! -= counts[bucket]!
    counts[bucket] = 0
  }

  /** Whole seconds until at least `needed` counted requests have left the window. */
  const secondsUntilFree = (slot: number, now: number, needed: number): number => {
    const second = Math.floor(now / 1000)
    let freed = 0
    for (let at = second - WINDOW_SECONDS; at <= second; at++) {
      const bucket = slot * STRIDE + bucketIndex(at)
      freed += counts[bucket]!
      if (freed >= needed) return Math.max(1, Math.ceil(at + WINDOW_SECONDS - (now - offsets[bucket]!) / 1000))
    }
    return WINDOW_SECONDS
  }

  const take = (client: string, cost: number, now = Math.floor(clock.monotonic())): RateDecision => {
    const second = Math.floor(now / 1000)
    const slot = slotFor(client)
    expireBuckets(slot, second, now % 1000)
    const used = totals[slot]!
    if (used + cost > quota) {
      const needed = Math.min(used + cost - quota, used)
      return { allowed: false, remaining: quota - used, seconds: secondsUntilFree(slot, now, needed) }
    }
    const bucket = slot * STRIDE + bucketIndex(second)
    counts[bucket]! += cost
    offsets[bucket] = now % 1000
    totals[slot]! += cost
    return { allowed: true, remaining: quota - used - cost, seconds: secondsUntilFree(slot, now, 1) }
  }

  /** Uncounts a request of that second, unless it has already left the window. */
  const refundAt = (client: string, second: number): RateDecision => {
    // First, because it resets expired buckets: otherwise one could be mistaken for that of a later second.
    const now = Math.floor(clock.monotonic())
    const decision = take(client, 0, now)
    const slot = slots.get(client)!
    const bucket = slot * STRIDE + bucketIndex(second)
    if (Math.floor(now / 1000) - second > WINDOW_SECONDS || counts[bucket] === 0) return decision
    counts[bucket]! -= 1
    totals[slot]! -= 1
    return { ...decision, remaining: decision.remaining + 1 }
  }

  return {
    quota,
    windowSeconds: WINDOW_SECONDS,
    get size() {
      return slots.size
    },
    take: (client, cost = 1) => take(client, cost),
    reserve(client) {
      const now = Math.floor(clock.monotonic())
      const decision = take(client, 1, now)
      const second = Math.floor(now / 1000)
      return { ...decision, refund: () => (decision.allowed ? refundAt(client, second) : take(client, 0)) }
    },
  }
}

/** No counter exceeds the quota, so the smallest type that can hold it is used. */
const createCounters = (quota: number, length: number): Uint16Array | Uint32Array | Float64Array =>
  quota <= 0xffff ? new Uint16Array(length) : quota <= 0xffff_ffff ? new Uint32Array(length) : new Float64Array(length)

/** Also for negative seconds: a window may reach back before the start of the clock. */
const bucketIndex = (second: number): number => (second + BUCKETS) % BUCKETS
