import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { DomainName } from '../kernel/names.ts'
import type { Records, Resolver } from './resolver.ts'

export type Found = { readonly records: Records; readonly ms: number; readonly at: number }

export type Dns = {
  look(domain: DomainName, signal: AbortSignal): Promise<Found>
  readonly size: number
}

/** Many askers of one name within a moment are one question; longer than that an answer is not kept. */
const KEEP_MS = 5_000

export function createDns({ resolver, clock }: { resolver: Resolver; clock: Clock }): Dns {
  const cache = createCache<Omit<Found, 'at'> | null>({ name: 'DNS records', max: 10_000, clock })
  return {
    async look(domain, signal) {
      try {
        const { value, storedAt } = await cache.through(
          domain,
          async (own) => {
            const began = clock.monotonic()
            const records = await resolver.look(domain, own)
            return { value: records && { records, ms: Math.round(clock.monotonic() - began) }, ttlMs: KEEP_MS }
          },
          { signal },
        )
        if (value) return { ...value, at: storedAt }
      } catch (cause) {
        if (!(cause instanceof UpstreamError) || cause.failure !== 'timeout') throw cause
        throw new ApiError('timeout', `The resolvers did not answer for ${domain} in time; ask again later.`, { cause })
      }
      throw new ApiError('domain_not_found', `${domain} does not exist in DNS or has no records.`)
    },
    get size() {
      return cache.size
    },
  }
}
