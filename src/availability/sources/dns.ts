import type { Clock } from '../../kernel/clock.ts'
import { tldOf } from '../../kernel/names.ts'
import type { Delegation } from '../../protocols/dns/delegation-query.ts'
import type { DelegationFinder } from '../../protocols/dns/delegation-finder.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { LookupFailure, Finding, Probe } from '../probe.ts'

type Needs = {
  readonly delegations: Pick<DelegationFinder, 'find'>
  /** The name servers of a TLD; empty if only recursors may be queried. */
  readonly serversOf: (tld: string) => readonly ServerAddress[]
  /** Whether DNS is the only source for this TLD. */
  readonly isDecisive: (tld: string) => boolean
  readonly clock: Clock
  /** Stretches the timeout; for tests. */
  readonly timeoutScale?: number
}

/** Name servers answer quickly or not at all. The rest of the time is for the registry, unless DNS is the only source. */
const TIMEOUT_MS = 2_500
const MAX_TIME_SHARE = 0.4

/** Queries the TLD's name servers: a delegation proves that a name is registered. */
export function dnsProbe({ delegations, serversOf, isDecisive, clock, timeoutScale = 1 }: Needs): Probe {
  return {
    async query({ domain, tld }, { signal, deadline }) {
      const leftMs = deadline - clock.monotonic()
      const insist = isDecisive(tld)
      const timeoutMs = Math.max(1, insist ? leftMs : Math.min(TIMEOUT_MS * timeoutScale, leftMs * MAX_TIME_SHARE))
      // Under `co.uk` the servers of `uk` are asked: they are those of most such zones, or refer to the zone's own.
      const request = { domain, zone: tldOf(tld), servers: serversOf(tld), insist, timeoutMs, signal }
      const delegation = await delegations.find(request)
      const { server, question, rcode, hash, at, elapsedMs } = delegation.evidence
      return {
        ...toFinding(delegation),
        evidence: {
          source: 'dns',
          server,
          question,
          outcome: formatOutcome(delegation, rcode),
          ...(hash !== null && { sha256: hash }),
          at,
          ms: Math.round(elapsedMs),
        },
      }
    },
  }
}

function toFinding(delegation: Delegation): Omit<Finding, 'evidence'> {
  switch (delegation.kind) {
    case 'delegated':
      return { says: 'registered' }
    case 'not_delegated':
      // A recursor may hide a name from us: only the TLD's own servers prove that there is no delegation.
      return delegation.viaRecursor
        ? { says: 'unclear', failure: 'upstream_error' }
        : { says: 'not_delegated', ttlMs: delegation.ttlSeconds * 1000 }
    case 'unclear':
      return { says: 'unclear', failure: toFailure(delegation.why) }
  }
}

const toFailure = (why: Extract<Delegation, { kind: 'unclear' }>['why']): LookupFailure =>
  why === 'timeout' || why === 'unreachable' ? 'timeout' : 'upstream_error'

const formatOutcome = (delegation: Delegation, rcode: string | null): string =>
  delegation.kind === 'unclear' ? delegation.why : `${rcode ?? ''} ${delegation.kind}`.trim()
