import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { lookUp } from '../../protocols/dns/look-up.ts'
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
  async look(domain, signal) {
    if (recursors.length === 0) throw new UpstreamError('not_configured', 'there is no resolver to ask')
    const found = await lookUp({ client, clock }, { domain, recursors, deadlineMs: TIMEOUT_MS * timeoutScale, signal })
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
        throw new UpstreamError('unavailable', `the resolvers could not tell: ${found.why}`)
    }
  },
})
