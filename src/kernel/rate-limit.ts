import { createClientSlots } from './client-slots.ts'
import { CLIENTS_PER_NETWORK, networkOf } from './client-network.ts'
import type { Clock } from './clock.ts'
import { createSlidingWindows, WINDOW_SECONDS } from './sliding-window.ts'

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

/**
 * At most `quota` requests in any minute, per client, and ten times as many per /48 of IPv6. Neither a flood of addresses nor a large quota grows the memory:
 * when all slots are used, a client that has long been inactive is evicted.
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
  const clients = createCounters(maxClients, quota)
  const networks = createCounters(Math.ceil(maxClients / 2), quota * CLIENTS_PER_NETWORK)
  const currentMs = () => Math.floor(clock.monotonic())

  /** A cost of 0 counts nothing and returns the current state. */
  const takeFrom = ({ windows, limit }: Counters, slot: number, cost: number, now: number): RateDecision => {
    const used = windows.used(slot, now)
    if (used + cost > limit) {
      const needed = Math.min(used + cost - limit, used)
      return { allowed: false, remaining: limit - used, seconds: windows.secondsUntilFree(slot, now, needed) }
    }
    // Not for 0: that would move the last request of this second, and with it when all of them leave the window.
    if (cost > 0) windows.add(slot, now, cost)
    return { allowed: true, remaining: limit - used - cost, seconds: windows.secondsUntilFree(slot, now, 1) }
  }

  /** Both the client and its network must have room; a request that one of them rejects is counted for neither. */
  const takeFromBoth = (client: string, network: string, cost: number, now: number): RateDecision => {
    const shared = networks.slots.slotFor(network)
    const used = networks.windows.used(shared, now)
    if (used + cost > networks.limit) return takeFrom(networks, shared, cost, now)
    const own = takeFrom(clients, clients.slots.slotFor(client), cost, now)
    if (!own.allowed) return own
    const ofNetwork = takeFrom(networks, shared, cost, now)
    return ofNetwork.remaining < own.remaining ? ofNetwork : own
  }

  const take = (client: string, cost: number, now: number): RateDecision => {
    const network = networkOf(client)
    return network === undefined
      ? takeFrom(clients, clients.slots.slotFor(client), cost, now)
      : takeFromBoth(client, network, cost, now)
  }

  /** Uncounts a request of that second, unless it has already left the window. */
  const refundAt = (client: string, second: number): RateDecision => {
    const now = currentMs()
    const network = networkOf(client)
    refundTo(clients, client, now, second)
    if (network !== undefined) refundTo(networks, network, now, second)
    return take(client, 0, now)
  }

  return {
    quota,
    windowSeconds: WINDOW_SECONDS,
    get size() {
      return clients.slots.size + networks.slots.size
    },
    take: (client, cost = 1) => take(client, cost, currentMs()),
    reserve(client) {
      const now = currentMs()
      const decision = take(client, 1, now)
      const second = Math.floor(now / 1000)
      const refund = () => (decision.allowed ? refundAt(client, second) : take(client, 0, currentMs()))
      return { ...decision, refund }
    },
  }
}

/** One kind of callers: the slot of each, and its requests of the last minute. */
type Counters = {
  readonly slots: ReturnType<typeof createClientSlots>
  readonly windows: ReturnType<typeof createSlidingWindows>
  readonly limit: number
}

/** Counters of clients are smaller than those of networks; memory that no caller has needed is not taken. */
function createCounters(max: number, limit: number): Counters {
  const windows = createSlidingWindows(max, limit)
  return { slots: createClientSlots(max, windows.clear), windows, limit }
}

function refundTo({ slots, windows }: Counters, key: string, now: number, second: number): void {
  const slot = slots.slotFor(key)
  // First, because it resets expired buckets: otherwise one could be mistaken for that of a later second.
  windows.used(slot, now)
  windows.remove(slot, now, second)
}
