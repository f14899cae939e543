import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError, type UpstreamFailure } from '../kernel/errors.ts'
import type { DnsName } from '../kernel/names.ts'
import type { Records, Resolver, ServFail } from './resolver.ts'

export type DnsAnswer = { readonly records: Records; readonly ms: number; readonly at: number }

export type Dns = {
  lookUp(domain: DnsName, signal: AbortSignal): Promise<DnsAnswer>
  readonly size: number
}

type CachedLookup = { readonly found: Records | ServFail | null; readonly ms: number }

/** Short, so that a change shows at once. Concurrent requests for one name share one lookup. */
const TTL_MS = 5_000

export function createDns({ resolver, clock }: { resolver: Resolver; clock: Clock }): Dns {
  const cache = createCache<CachedLookup>({ name: 'DNS records', max: 10_000, clock })

  const lookUp = async (domain: DnsName, signal: AbortSignal) => {
    const began = clock.monotonic()
    const found = await resolver.resolve(domain, signal)
    return { value: { found, ms: Math.round(clock.monotonic() - began) }, ttlMs: TTL_MS }
  }

  return {
    async lookUp(domain, signal) {
      const { value, storedAt } = await cache
        .getOrLoad(domain, (own) => lookUp(domain, own), { signal })
        .catch((cause: unknown) => {
          throw cause instanceof UpstreamError ? toApiError(domain, cause) : cause
        })
      const { found, ms } = value
      if (found === null) throw new ApiError('domain_not_found', `${domain} does not exist in DNS or has no records.`)
      if ('servfail' in found) {
        const cause = new UpstreamError('unavailable', 'the resolvers answered SERVFAIL')
        throw new ApiError('service_unavailable', servfailMessage(domain), { cause })
      }
      return { records: found, ms, at: storedAt }
    },
    get size() {
      return cache.size
    },
  }
}

const servfailMessage = (domain: DnsName): string =>
  `The resolvers answered SERVFAIL for ${domain}: its name servers do not answer, or its DNSSEC signatures are wrong.`

function toApiError(domain: DnsName, cause: UpstreamError): ApiError {
  const code = cause.failure === 'timeout' ? 'timeout' : 'service_unavailable'
  return new ApiError(code, upstreamFailureMessage(domain, cause.failure), {
    cause,
    off: cause.failure === 'not_configured',
  })
}

function upstreamFailureMessage(domain: DnsName, failure: UpstreamFailure): string {
  switch (failure) {
    case 'timeout':
      return `The resolvers did not answer for ${domain} in time; try again later.`
    case 'not_configured':
      return 'No resolver is configured; the operator sets one in ONOMA_DNS_SERVERS.'
    default:
      return `No resolver could look up ${domain}; try again later.`
  }
}
