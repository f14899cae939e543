import type { Clock } from '../../kernel/clock.ts'
import type { Delegation } from '../../protocols/dns/delegation.ts'
import type { Delegations } from '../../protocols/dns/delegations.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { Failure, Finding, Probe } from '../probe.ts'

type Needs = {
  readonly delegations: Delegations
  /** The name servers of a TLD; none where only recursors may be asked. */
  readonly serversOf: (tld: string) => readonly ServerAddress[]
  /** Whether nobody but the name servers can tell of this TLD. */
  readonly isDecisive: (tld: string) => boolean
  readonly clock: Clock
  /** Stretches the timeout; for tests. */
  readonly timeoutScale?: number
}

/** Name servers answer at once or not at all: the rest of the time belongs to the registry, if there is one to ask. */
const TIMEOUT_MS = 2_500
const SHARE = 0.4

/** The TLD's name servers as somebody who can prove that a name is taken. */
export function dnsProbe({ delegations, serversOf, isDecisive, clock, timeoutScale = 1 }: Needs): Probe {
  return {
    async ask({ domain, tld }, { signal, deadline }) {
      const leftMs = deadline - clock.monotonic()
      const insist = isDecisive(tld)
      const deadlineMs = Math.max(1, insist ? leftMs : Math.min(TIMEOUT_MS * timeoutScale, leftMs * SHARE))
      const question = { domain, zone: tld, servers: serversOf(tld), insist, deadlineMs, signal }
      const delegation = await delegations.find(question)
      const { server, question: asked, rcode, hash, at, elapsedMs } = delegation.evidence
      return {
        ...findingOf(delegation),
        evidence: {
          source: 'dns',
          server,
          question: asked,
          outcome: outcomeOf(delegation, rcode),
          ...(hash !== null && { sha256: hash }),
          at,
          ms: Math.round(elapsedMs),
        },
      }
    },
  }
}

function findingOf(delegation: Delegation): Omit<Finding, 'evidence'> {
  switch (delegation.kind) {
    case 'delegated':
      return { says: 'registered' }
    case 'not_delegated':
      // What a recursor does not find may be hidden from us: only the TLD's own servers can say that it is not there.
      return delegation.viaRecursor
        ? { says: 'unclear', failure: 'upstream_error' }
        : { says: 'not_delegated', keepMs: delegation.ttlSeconds * 1000 }
    case 'unclear':
      return { says: 'unclear', failure: failureOf(delegation.why) }
  }
}

const failureOf = (why: Extract<Delegation, { kind: 'unclear' }>['why']): Failure =>
  why === 'timeout' || why === 'unreachable' ? 'timeout' : 'upstream_error'

const outcomeOf = (delegation: Delegation, rcode: string | null): string =>
  delegation.kind === 'unclear' ? delegation.why : `${rcode ?? ''} ${delegation.kind}`.trim()
