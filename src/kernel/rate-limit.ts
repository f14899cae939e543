import type { Clock } from './clock.ts'

/** Counts what each client asks for. Implementations: memory (below); a shared store for several instances. */
export type RateLimiter = {
  /** The policy every decision is made by: at most `quota` in any `windowSeconds`. */
  readonly quota: number
  readonly windowSeconds: number
  /** Counts `cost` requests of this client if the quota allows, or says when it will. Never throws. */
  take(client: string, cost?: number): RateDecision | Promise<RateDecision>
  /** Counts one request that may turn out not to count. Never throws. */
  reserve(client: string): Reservation | Promise<Reservation>
}

export type RateDecision = {
  readonly allowed: boolean
  /** What the client may still ask for right now. */
  readonly remaining: number
  /** Whole seconds until `remaining` next grows, or, when refused, until the same request would be allowed. */
  readonly seconds: number
}

export type Reservation = RateDecision & {
  /** Takes the request out of the count again; call it at most once. Returns what the client may ask for now. */
  refund(): RateDecision | Promise<RateDecision>
}

/** For callers without a limit: the operator's own command line and agents on their machine. */
export const unlimited = (): RateDecision => ({ allowed: true, remaining: Infinity, seconds: 0 })

/** Where the operator has turned the limit off; its quota is infinite. */
export const createUnlimitedRateLimiter = (): RateLimiter & { readonly size: number } => ({
  quota: Infinity,
  windowSeconds: WINDOW_SECONDS,
  size: 0,
  take: unlimited,
  reserve: () => ({ ...unlimited(), refund: unlimited }),
})

const WINDOW_SECONDS = 60
/** One bucket a second. One more than the window: the oldest second may still overlap it with its last milliseconds. */
const BUCKETS = WINDOW_SECONDS + 1
const STRIDE = 64
const EVICTION_SAMPLE = 64

/**
 * At most `quota` requests in any minute: each client has one counter per second, and beside it when in that second
 * the last request came, so that a second leaves the window exactly a minute after that. (A fixed window lets twice
 * the quota through across its border, and a leaky bucket nearly that after a pause.)
 *
 * All counters live in arrays of a fixed number of places, so neither a flood of addresses nor a large quota can grow
 * them; when every place is taken a client that has been quiet for long gives up its own.
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
  /** When a place was last used, in requests since the start: no two are alike. */
  const lastUsed = new Float64Array(maxClients)
  let useCount = 0
  let evictionStart = 0

  const slotFor = (client: string): number => {
    let place = slots.get(client)
    if (place === undefined) {
      place = slots.size < maxClients ? slots.size : evict()
      slots.set(client, place)
      clientAt[place] = client
      counts.fill(0, place * STRIDE, place * STRIDE + BUCKETS)
      totals[place] = 0
    }
    lastUsed[place] = ++useCount
    return place
  }

  /**
   * Evicts the least recently seen client among the next few. (An exact order of all clients would allocate on every
   * request.)
   */
  const evict = (): number => {
    let leastRecent = evictionStart
    for (let step = 1; step < EVICTION_SAMPLE; step++) {
      const place = (evictionStart + step) % maxClients
      if (lastUsed[place]! < lastUsed[leastRecent]!) leastRecent = place
    }
    evictionStart = (evictionStart + EVICTION_SAMPLE) % maxClients
    slots.delete(clientAt[leastRecent]!)
    return leastRecent
  }

  /** Empties the buckets that have left the window since this client's last request. */
  const expireBuckets = (place: number, second: number, offset: number): void => {
    const last = lastSeconds[place]!
    lastSeconds[place] = second
    if (totals[place] === 0) return
    for (let at = Math.max(last + 1, second - WINDOW_SECONDS); at <= second; at++) empty(place, at)
    const oldest = place * STRIDE + bucketIndex(second - WINDOW_SECONDS)
    if (offsets[oldest]! <= offset) empty(place, second - WINDOW_SECONDS)
  }

  const empty = (place: number, second: number): void => {
    const bucket = place * STRIDE + bucketIndex(second)
    totals[place]! -= counts[bucket]!
    counts[bucket] = 0
  }

  /** Whole seconds until at least `needed` of what was counted has left the window. */
  const secondsUntilFree = (place: number, now: number, needed: number): number => {
    const second = Math.floor(now / 1000)
    let freed = 0
    for (let at = second - WINDOW_SECONDS; at <= second; at++) {
      const bucket = place * STRIDE + bucketIndex(at)
      freed += counts[bucket]!
      if (freed >= needed) return Math.max(1, Math.ceil(at + WINDOW_SECONDS - (now - offsets[bucket]!) / 1000))
    }
    return WINDOW_SECONDS
  }

  const take = (client: string, cost: number, now = Math.floor(clock.monotonic())): RateDecision => {
    const second = Math.floor(now / 1000)
    const place = slotFor(client)
    expireBuckets(place, second, now % 1000)
    const used = totals[place]!
    if (used + cost > quota) {
      const needed = Math.min(used + cost - quota, used)
      return { allowed: false, remaining: quota - used, seconds: secondsUntilFree(place, now, needed) }
    }
    const bucket = place * STRIDE + bucketIndex(second)
    counts[bucket]! += cost
    offsets[bucket] = now % 1000
    totals[place]! += cost
    return { allowed: true, remaining: quota - used - cost, seconds: secondsUntilFree(place, now, 1) }
  }

  /** Uncounts a request of that second; nothing is left to uncount once it has left the window. */
  const refundAt = (client: string, second: number): RateDecision => {
    // Asked first: it empties the buckets that have left the window, so that none is mistaken for a later second's.
    const now = Math.floor(clock.monotonic())
    const decision = take(client, 0, now)
    const place = slots.get(client)!
    const bucket = place * STRIDE + bucketIndex(second)
    if (Math.floor(now / 1000) - second > WINDOW_SECONDS || counts[bucket] === 0) return decision
    counts[bucket]! -= 1
    totals[place]! -= 1
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

/** No counter ever holds more than the quota: the narrowest that can hold it will do. */
const createCounters = (quota: number, length: number): Uint16Array | Uint32Array | Float64Array =>
  quota <= 0xffff ? new Uint16Array(length) : quota <= 0xffff_ffff ? new Uint32Array(length) : new Float64Array(length)

/** Seconds before the clock's start count too: a window may reach back past it. */
const bucketIndex = (second: number): number => (second + BUCKETS) % BUCKETS
