import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import { unlessAborted } from './deadline.ts'
import { UpstreamError } from './errors.ts'

export type Cached<V> = {
  readonly value: V
  /** Whether the value was there already; false for everybody who waited for it to be loaded. */
  readonly cached: boolean
  /** When it was loaded, in milliseconds since the epoch. */
  readonly storedAt: number
  readonly expiresInMs: number
}

/** A value and how long it stays true; 0 keeps it out of the cache. */
export type Loaded<V> = { readonly value: V; readonly ttlMs: number }

export type Cache<V> = {
  get(key: string): Cached<V> | undefined
  /** Stores a value that was loaded elsewhere. */
  set(key: string, loaded: Loaded<V>): void
  /**
   * The stored value, or what `load` brings. However many ask at once, one load per key is under way; its failure is
   * everybody's and is not stored. The signal takes one asker away; the load is aborted when the last has gone.
   */
  through(
    key: string,
    load: (signal: AbortSignal) => Promise<Loaded<V>>,
    options?: { readonly refresh?: boolean | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Cached<V>>
  /** Forgets the value; a load that is under way still answers those who wait for it, but is not stored. */
  delete(key: string): void
  clear(): void
  readonly size: number
}

type Options = {
  /** What it holds, as an error names it. */
  readonly name: string
  /** Most values kept; the least recently used leave first. */
  readonly max: number
  /** Most loads under way at the same time; a further one is refused. */
  readonly maxFlights?: number
  readonly clock: Clock
}

type Entry<V> = { readonly value: V; readonly storedAt: number; readonly expiresAt: number }
type Flight<V> = { askers: number; landed: boolean; abort(): void; landing: Promise<Cached<V>> }

export function createCache<V>({ name, max, maxFlights = 1000, clock }: Options): Cache<V> {
  // Lifetimes are kept here, by the clock that never jumps; lru-cache's own cannot be told the time by a test that
  // starts at zero, and does not know when a value was stored.
  const entries = new LRUCache<string, Entry<V>>({ max })
  const flights = new Map<string, Flight<V>>()
  // Counts loads that everybody has left or that were forgotten, too: they still cost something.
  let underWay = 0

  const get = (key: string): Cached<V> | undefined => {
    const entry = entries.get(key)
    if (!entry) return undefined
    const expiresInMs = entry.expiresAt - clock.monotonic()
    if (expiresInMs > 0) return { value: entry.value, cached: true, storedAt: entry.storedAt, expiresInMs }
    entries.delete(key)
    return undefined
  }

  const set = (key: string, { value, ttlMs }: Loaded<V>): void => {
    if (ttlMs > 0) entries.set(key, { value, storedAt: clock.now(), expiresAt: clock.monotonic() + ttlMs })
    else entries.delete(key)
  }

  const land = (key: string, flight: Flight<V>, { value, ttlMs }: Loaded<V>): Cached<V> => {
    if (flights.get(key) === flight) set(key, { value, ttlMs })
    return { value, cached: false, storedAt: clock.now(), expiresInMs: ttlMs > 0 ? ttlMs : 0 }
  }

  const leaveFlight = (key: string, flight: Flight<V>): void => {
    if (flights.get(key) === flight) flights.delete(key)
  }

  const takeOff = (key: string, load: (signal: AbortSignal) => Promise<Loaded<V>>): Flight<V> => {
    if (underWay >= maxFlights) throw new UpstreamError('unavailable', `too many ${name} are being looked up at once`)
    underWay++
    const controller = new AbortController()
    const landing = Promise.resolve()
      .then(() => load(controller.signal))
      .then((loaded) => land(key, flight, loaded))
      .finally(() => {
        underWay--
        flight.landed = true
        leaveFlight(key, flight)
      })
    const flight: Flight<V> = { askers: 0, landed: false, abort: () => controller.abort(), landing }
    flights.set(key, flight)
    return flight
  }

  return {
    get,
    set,
    async through(key, load, { refresh = false, signal } = {}) {
      signal?.throwIfAborted()
      const hit = refresh ? undefined : get(key)
      if (hit) return hit
      const flight = flights.get(key) ?? takeOff(key, load)
      flight.askers++
      try {
        return await unlessAborted(flight.landing, signal)
      } finally {
        if (--flight.askers === 0 && !flight.landed) {
          // Whoever asks next must not join a load that is being given up.
          leaveFlight(key, flight)
          flight.abort()
        }
      }
    },
    delete(key) {
      entries.delete(key)
      flights.delete(key)
    },
    clear() {
      entries.clear()
      flights.clear()
    },
    get size() {
      return entries.size
    },
  }
}
