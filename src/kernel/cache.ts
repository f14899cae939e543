import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import { estimateBytes } from './estimate-bytes.ts'
import { unlessAborted } from './timeout.ts'
import { OverloadError } from './errors.ts'

export type Cached<V> = {
  readonly value: V
  /** Whether the value was in the cache; false for all callers that waited for the load. */
  readonly cached: boolean
  /** When it was loaded, in milliseconds since the epoch. */
  readonly storedAt: number
  readonly expiresInMs: number
}

/** A value and how long it may be cached; 0 keeps it out of the cache. */
export type Loaded<V> = { readonly value: V; readonly ttlMs: number }

/** A cache with a TTL per value and LRU eviction. Concurrent requests for one key are coalesced (single flight). */
export type Cache<V> = {
  get(key: string): Cached<V> | undefined
  /** Stores a value that was loaded elsewhere. */
  set(key: string, loaded: Loaded<V>): void
  /**
   * The stored value, or the loaded one. Concurrent calls for one key share one load (single flight); if it fails, all
   * of them fail, and nothing is stored. The load is aborted once the signals of all its callers are aborted.
   */
  getOrLoad(
    key: string,
    load: (signal: AbortSignal) => Promise<Loaded<V>>,
    options?: { readonly refresh?: boolean | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Cached<V>>
  /** Removes the value. A load under way still answers its callers, but is not stored. */
  delete(key: string): void
  clear(): void
  readonly size: number
}

type Options = {
  /** What is cached, for error messages: `too many ${name} are being looked up`. */
  readonly name: string
  /** Maximum number of values; the least recently used is evicted first. */
  readonly max: number
  /** Maximum estimated size of all values together. */
  readonly maxBytes?: number
  /** Maximum concurrent loads; further ones are rejected. */
  readonly maxConcurrentLoads?: number
  readonly clock: Clock
}

/** Key, entry and their places in the cache's own lists, roughly. */
const ENTRY_BYTES = 200

type Entry<V> = { readonly value: V; readonly storedAt: number; readonly expiresAt: number }
type PendingLoad<V> = { waiters: number; settled: boolean; abort(): void; promise: Promise<Cached<V>> }

/** Names that clients choose can have large answers, such as TXT records: the number of values alone bounds no memory. */
const MAX_BYTES = 32 * 1024 * 1024
/** A larger value is not kept. */
const MAX_VALUE_BYTES = 1024 * 1024

export function createCache<V>({
  name,
  max,
  maxBytes = MAX_BYTES,
  maxConcurrentLoads = 1000,
  clock,
}: Options): Cache<V> {
  // TTLs are checked here and not by lru-cache: its own TTL does not work with a test clock that starts at zero, and it
  // does not record when a value was stored.
  // `max` is kept by a minimum size per entry: given to lru-cache, it would allocate the places of all entries at once.
  const minEntryBytes = Math.ceil(maxBytes / max)
  const entries = new LRUCache<string, Entry<V>>({
    maxSize: minEntryBytes * max,
    maxEntrySize: Math.max(Math.min(maxBytes, MAX_VALUE_BYTES), minEntryBytes),
    sizeCalculation: ({ value }, key) => Math.max(estimateBytes(value) + 2 * key.length + ENTRY_BYTES, minEntryBytes),
  })
  const pending = new Map<string, PendingLoad<V>>()
  // Includes loads that all callers have left or whose key was deleted: they still use resources.
  let activeLoads = 0

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

  const storeLoaded = (key: string, pendingLoad: PendingLoad<V>, { value, ttlMs }: Loaded<V>): Cached<V> => {
    if (pending.get(key) === pendingLoad) set(key, { value, ttlMs })
    return { value, cached: false, storedAt: clock.now(), expiresInMs: ttlMs > 0 ? ttlMs : 0 }
  }

  const removePending = (key: string, pendingLoad: PendingLoad<V>): void => {
    if (pending.get(key) === pendingLoad) pending.delete(key)
  }

  const startLoad = (key: string, load: (signal: AbortSignal) => Promise<Loaded<V>>): PendingLoad<V> => {
    if (activeLoads >= maxConcurrentLoads) throw new OverloadError(`too many ${name} are being looked up at once`)
    activeLoads++
    const controller = new AbortController()
    const promise = Promise.resolve()
      .then(() => load(controller.signal))
      .then((loaded) => storeLoaded(key, pendingLoad, loaded))
      .finally(() => {
        activeLoads--
        pendingLoad.settled = true
        removePending(key, pendingLoad)
      })
    const pendingLoad: PendingLoad<V> = { waiters: 0, settled: false, abort: () => controller.abort(), promise }
    pending.set(key, pendingLoad)
    return pendingLoad
  }

  return {
    get,
    set,
    async getOrLoad(key, load, { refresh = false, signal } = {}) {
      signal?.throwIfAborted()
      const hit = refresh ? undefined : get(key)
      if (hit) return hit
      const pendingLoad = pending.get(key) ?? startLoad(key, load)
      pendingLoad.waiters++
      try {
        return await unlessAborted(pendingLoad.promise, signal)
      } finally {
        if (--pendingLoad.waiters === 0 && !pendingLoad.settled) {
          // Later callers must not join a load that is being aborted.
          removePending(key, pendingLoad)
          pendingLoad.abort()
        }
      }
    },
    delete(key) {
      entries.delete(key)
      pending.delete(key)
    },
    clear() {
      entries.clear()
      pending.clear()
    },
    get size() {
      return entries.size
    },
  }
}
