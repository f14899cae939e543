import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError, type UpstreamFailure } from '../kernel/errors.ts'
import type { DnsName } from '../kernel/names.ts'
import type { Records, Resolver, ServFail } from './resolver.ts'

export type Found = { readonly records: Records; readonly ms: number; readonly at: number }

export type Dns = {
  look(domain: DnsName, signal: AbortSignal): Promise<Found>
  readonly size: number
}

type Looked = { readonly found: Records | ServFail | null; readonly ms: number }

/** Concurrent requests for one name share one lookup; records are not kept longer, so that a change shows at once. */
const TTL_MS = 5_000

export function createDns({ resolver, clock }: { resolver: Resolver; clock: Clock }): Dns {
  const cache = createCache<Looked>({ name: 'DNS records', max: 10_000, clock })

  const lookUp = async (domain: DnsName, signal: AbortSignal) => {
    const began = clock.monotonic()
    const found = await resolver.look(domain, signal)
    return { value: { found, ms: Math.round(clock.monotonic() - began) }, ttlMs: TTL_MS }
  }

  return {
    async look(domain, signal) {
      const { value, storedAt } = await cache
        .through(domain, (own) => lookUp(domain, own), { signal })
        .catch((cause: unknown) => {
          throw cause instanceof UpstreamError ? failure(domain, cause) : cause
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

function failure(domain: DnsName, cause: UpstreamError): ApiError {
  const code = cause.failure === 'timeout' ? 'timeout' : 'service_unavailable'
  return new ApiError(code, sentence(domain, cause.failure), { cause })
}

function sentence(domain: DnsName, failure: UpstreamFailure): string {
  switch (failure) {
    case 'timeout':
      return `The resolvers did not answer for ${domain} in time; try again later.`
    case 'not_configured':
      return 'No resolver is set up here; the operator names one in ONOMA_DNS_SERVERS.'
    default:
      return `No resolver could be asked about ${domain}; try again later.`
  }
}
