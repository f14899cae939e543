import { createClientSlots } from './client-slots.ts'
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
 * At most `quota` requests in any minute, per client. Neither a flood of addresses nor a large quota grows the memory:
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
  // No counter exceeds the quota.
  const windows = createSlidingWindows(maxClients, quota)
  const clients = createClientSlots(maxClients, windows.clear)
  const currentMs = () => Math.floor(clock.monotonic())

  const take = (slot: number, cost: number, now: number): RateDecision => {
    const used = windows.used(slot, now)
    if (used + cost > quota) {
      const needed = Math.min(used + cost - quota, used)
      return { allowed: false, remaining: quota - used, seconds: windows.secondsUntilFree(slot, now, needed) }
    }
    windows.add(slot, now, cost)
    return { allowed: true, remaining: quota - used - cost, seconds: windows.secondsUntilFree(slot, now, 1) }
  }

  /** Uncounts a request of that second, unless it has already left the window. */
  const refundAt = (client: string, second: number): RateDecision => {
    const now = currentMs()
    const slot = clients.slotFor(client)
    // First, because it resets expired buckets: otherwise one could be mistaken for that of a later second.
    const decision = take(slot, 0, now)
    return windows.remove(slot, now, second) ? { ...decision, remaining: decision.remaining + 1 } : decision
  }

  return {
    quota,
    windowSeconds: WINDOW_SECONDS,
    get size() {
      return clients.size
    },
    take: (client, cost = 1) => take(clients.slotFor(client), cost, currentMs()),
    reserve(client) {
      const now = currentMs()
      const decision = take(clients.slotFor(client), 1, now)
      const second = Math.floor(now / 1000)
      const refund = () => (decision.allowed ? refundAt(client, second) : take(clients.slotFor(client), 0, currentMs()))
      return { ...decision, refund }
    },
  }
}
