import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { callbackify, promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { HostLookup } from './guard.ts'

/** The addresses of a host, and how long they may be used. */
export type HostAnswer = { readonly addresses: readonly LookupAddress[]; readonly ttlMs: number }

/** Resolves a host name. Null if the name has no address; throws if nobody could be asked. */
export type ResolveHost = (hostname: string) => Promise<HostAnswer | null>

/**
 * The addresses of upstream hosts, shared by all connections: each host is resolved once, kept for its TTL, and resolved
 * again shortly before that ends if it is still in use. Says nothing about which addresses are allowed: the connector
 * checks the address of every connection.
 */
export type HostAddresses = {
  /** For `net.connect` and `tls.connect`. */
  readonly lookup: HostLookup
}

type Options = {
  readonly clock: Clock
  /** Tried in order: the next one if a resolver has no address or fails. */
  readonly resolvers: readonly ResolveHost[]
  readonly max?: number
}

/** A shorter TTL would mean a DNS query for almost every connection, a longer one that a move goes unnoticed. */
const MIN_TTL_MS = 5_000
const MAX_TTL_MS = 3_600_000
/** The part of the TTL after which a use starts a refresh. */
const REFRESH_AFTER = 0.8
/** How long addresses are used past their TTL while no resolver answers. */
const MAX_STALE_MS = 3_600_000
/** After a failure, the resolvers are left alone this long. */
const RETRY_MS = 5_000
/** Many requests wait for a host that does not exist; they share its error for this long. */
const ERROR_TTL_MS = 1_000

type Entry = {
  readonly addresses: readonly LookupAddress[]
  readonly expiresAt: number
  refreshAt: number
  staleUntil: number
}

export function createHostAddresses({ clock, resolvers, max = 1000 }: Options): HostAddresses {
  const entries = new LRUCache<string, Entry>({ max })
  const errors = new LRUCache<string, { readonly error: unknown; readonly until: number }>({ max })
  const loading = new Map<string, Promise<Entry>>()

  const resolve = async (hostname: string): Promise<HostAnswer> => {
    let failure: unknown
    for (const resolver of resolvers) {
      try {
        const answer = await resolver(hostname)
        if (answer && answer.addresses.length > 0) return answer
      } catch (error) {
        failure ??= error
      }
    }
    throw failure ?? notFound(hostname)
  }

  const load = async (hostname: string): Promise<Entry> => {
    try {
      const { addresses, ttlMs } = await resolve(hostname)
      const now = clock.monotonic()
      const keptMs = Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS)
      const expiresAt = now + keptMs
      const entry = {
        addresses,
        expiresAt,
        refreshAt: now + keptMs * REFRESH_AFTER,
        staleUntil: expiresAt + MAX_STALE_MS,
      }
      entries.set(hostname, entry)
      errors.delete(hostname)
      return entry
    } catch (error) {
      const now = clock.monotonic()
      const known = entries.get(hostname)
      // A name that is gone is gone; only a failure is bridged by what was known before.
      if (known && isNotFound(error)) known.staleUntil = known.expiresAt
      if (!known || now >= known.staleUntil) {
        errors.set(hostname, { error, until: now + ERROR_TTL_MS })
        throw error
      }
      known.refreshAt = now + RETRY_MS
      return known
    }
  }

  /** Concurrent requests for one host share one resolution. */
  const loadOnce = (hostname: string): Promise<Entry> => {
    const underWay = loading.get(hostname)
    if (underWay) return underWay
    const promise = load(hostname).finally(() => loading.delete(hostname))
    loading.set(hostname, promise)
    return promise
  }

  const lookUpNow = callbackify(async (hostname: string) => [...(await loadOnce(hostname)).addresses])

  /** The entry, if it may be used now. Starts a refresh if one is due. */
  const usable = (hostname: string): Entry | undefined => {
    const entry = entries.get(hostname)
    const now = clock.monotonic()
    if (!entry || now >= entry.staleUntil) return undefined
    const isRefreshDue = now >= entry.refreshAt
    if (now >= entry.expiresAt && isRefreshDue) return undefined
    if (isRefreshDue) loadOnce(hostname).catch(() => {})
    return entry
  }

  return {
    lookup(hostname, _options, callback) {
      const name = normalize(hostname)
      const entry = usable(name)
      if (entry) return callback(null, [...entry.addresses])
      const failed = errors.get(name)
      if (failed && clock.monotonic() < failed.until) return callback(failed.error as NodeJS.ErrnoException, [])
      lookUpNow(name, (error, addresses) => callback(error, addresses ?? []))
    },
  }
}

const normalize = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '')

const notFound = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })

const isNotFound = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOTFOUND'

/** The system does not say how long its answer holds. */
const SYSTEM_TTL_MS = 30_000
const lookUpAll = (hostname: string) => promisify(systemLookup)(hostname, { all: true })

/** The system's own resolver: knows the hosts file, search domains and whatever else the operator has set up. */
export const systemResolver: ResolveHost = async (hostname) => ({
  addresses: await lookUpAll(hostname),
  ttlMs: SYSTEM_TTL_MS,
})
