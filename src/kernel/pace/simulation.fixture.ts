import { manualClock, type Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import { seededRandom } from '../random.ts'
import { createPacer } from './pacer.ts'

export const HOST = 'registry.test'

/** Simulated time: advances to the next event when nothing is left to do at the current time. */
export type World = {
  readonly clock: Clock
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Advances time until the promise is settled. Throws if no event is left. */
  live<T>(promise: Promise<T>): Promise<T>
}

type Event = { readonly at: number; readonly order: number; happen(): void }

export function createWorld(): World {
  const clock = manualClock()
  const events: Event[] = []
  let order = 0

  const add = (event: Event): void => {
    let low = 0
    let high = events.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = events[middle]!
      if (other.at < event.at || (other.at === event.at && other.order < event.order)) low = middle + 1
      else high = middle
    }
    events.splice(low, 0, event)
  }

  return {
    clock,
    wait(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const event = { at: clock.monotonic() + Math.max(ms, 0), order: order++, happen: resolve }
        add(event)
        signal?.addEventListener(
          'abort',
          () => {
            const at = events.indexOf(event)
            if (at !== -1) events.splice(at, 1)
            reject(signal.reason)
          },
          { once: true },
        )
      })
    },
    async live(promise) {
      let settled = false
      const mark = () => (settled = true)
      promise.then(mark, mark)
      for (;;) {
        await new Promise(setImmediate)
        if (settled) return promise
        const next = events.shift()
        if (!next) throw new Error('the promise is pending, and no event is left')
        clock.advance(next.at - clock.monotonic())
        next.happen()
        // All events of the same time.
        while (events[0] && events[0].at === next.at) events.shift()!.happen()
      }
    },
  }
}

/** Whether a registry accepts a request that arrives now. */
export type Limiter = (now: number) => boolean

export function tokenBucket(rate: number, burst: number): Limiter {
  let tokens = burst
  let last = 0
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - last) * rate) / 1000)
    last = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}

export function fixedWindow(limit: number, windowMs: number): Limiter {
  let window = -1
  let count = 0
  return (now) => {
    const current = Math.floor(now / windowMs)
    if (current !== window) {
      window = current
      count = 0
    }
    return ++count <= limit
  }
}

export function slidingWindow(limit: number, windowMs: number): Limiter {
  let taken: number[] = []
  return (now) => {
    taken = taken.filter((at) => at > now - windowMs)
    if (taken.length >= limit) return false
    taken.push(now)
    return true
  }
}

export type Registry = {
  ask(attempt?: { readonly signal?: AbortSignal }): Promise<number>
  readonly asked: number
  readonly refused: number
  readonly maxUnderWay: number
}

type RegistryOptions = {
  readonly limiter?: Limiter
  readonly latencyMs?: number
  /** Retry-After of a refusal; null for none. */
  readonly retryAfterMs?: number | null
  /** Throws to make the registry fail. */
  readonly fault?: (asked: number) => void
}

export function createRegistry(
  { clock, wait }: World,
  { limiter = () => true, latencyMs = 60, retryAfterMs = 1000, fault = () => {} }: RegistryOptions = {},
): Registry {
  const counts = { asked: 0, refused: 0, maxUnderWay: 0 }
  let underWay = 0
  return {
    async ask({ signal } = {}) {
      counts.asked++
      counts.maxUnderWay = Math.max(counts.maxUnderWay, ++underWay)
      const number = counts.asked
      try {
        await wait(latencyMs / 2, signal)
        const taken = limiter(clock.monotonic())
        await wait(latencyMs / 2, signal)
        if (!taken) {
          counts.refused++
          throw new UpstreamError('rate_limited', 'too often', { retryAfterMs: retryAfterMs ?? undefined })
        }
        fault(number)
        return number
      } finally {
        underWay--
      }
    },
    get asked() {
      return counts.asked
    },
    get refused() {
      return counts.refused
    },
    get maxUnderWay() {
      return counts.maxUnderWay
    },
  }
}

export const pacerIn = (world: World, options: Partial<Parameters<typeof createPacer>[0]> = {}) =>
  createPacer({ clock: world.clock, random: seededRandom(1), wait: world.wait, ...options })
