import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { lookUpRecords } from '../../protocols/dns/record-lookup.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { Resolver } from '../resolver.ts'

type Needs = {
  readonly client: DnsClient
  readonly recursors: readonly ServerAddress[]
  readonly clock: Clock
  readonly timeoutScale?: number
}

const TIMEOUT_MS = 8_000

/** The operator's recursive resolvers, or the system's. */
export const recursorResolver = ({ client, recursors, clock, timeoutScale = 1 }: Needs): Resolver => ({
  async resolve(domain, signal) {
    if (recursors.length === 0) throw new UpstreamError('not_configured', 'no resolver is configured')
    const found = await lookUpRecords(
      { client, clock },
      { domain, recursors, timeoutMs: TIMEOUT_MS * timeoutScale, signal },
    )
    switch (found.kind) {
      case 'found':
        return found.records
      case 'nxdomain':
      case 'no_records':
        return null
      case 'timeout':
        throw new UpstreamError('timeout', 'the resolvers did not answer in time')
      case 'unavailable':
        if (found.why === 'servfail') return { servfail: true }
        throw new UpstreamError('unavailable', `the resolvers could not look it up: ${found.why}`)
    }
  },
})
