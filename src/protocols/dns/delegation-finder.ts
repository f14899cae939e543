import { type Clock, timestamp } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { DnsClient } from './client.ts'
import { queryRecursors, queryZoneServers, type Delegation, type DelegationRequest } from './delegation-query.ts'
import { createHijackDetector } from './hijack-detector.ts'
import type { ServerAddress } from './server-address.ts'

export type DelegationFinder = {
  /**
   * Asks the zone's servers, then recursors if those are inconclusive. Network failures are `unclear`; throws only the
   * signal's reason when aborted.
   */
  find(request: DelegationRequest): Promise<Delegation>
  /** Asks recursors first for a while: it was found out that no zone's servers can be reached. */
  assumeBlocked(): void
}

type Needs = {
  readonly client: DnsClient
  readonly clock: Clock
  readonly random: Random
  /** Fallback when the zone's own servers do not answer; may be empty. */
  readonly recursors: readonly ServerAddress[]
}

/** Share of the timeout for the zone's servers; the rest is for the recursors. */
const ZONE_TIME_SHARE = 0.6
/**
 * After this many consecutive timeouts in several zones, outgoing port 53 is probably blocked: recursors are asked
 * first for a while.
 */
const MIN_BLOCKED_TIMEOUTS = 5
const MIN_BLOCKED_ZONES = 2
const RECURSORS_FIRST_MS = 30_000
/** A query with a shorter timeout does not count as a timeout. */
const MIN_TIMEOUT_MS = 300

export function createDelegationFinder(needs: Needs): DelegationFinder {
  const { clock, recursors } = needs
  const hijacks = createHijackDetector(needs)
  const timeouts = { queries: 0, zones: new Set<string>() }
  const https = recursors.filter(({ url }) => url !== undefined)
  let blockedUntil = 0

  const countTimeouts = (delegation: Delegation, zone: string): void => {
    if (!isTimeout(delegation)) {
      timeouts.queries = 0
      timeouts.zones.clear()
      return
    }
    timeouts.queries++
    if (timeouts.zones.size < MIN_BLOCKED_ZONES) timeouts.zones.add(zone)
    if (timeouts.queries < MIN_BLOCKED_TIMEOUTS || timeouts.zones.size < MIN_BLOCKED_ZONES) return
    blockedUntil = clock.monotonic() + RECURSORS_FIRST_MS
  }

  const findThroughRecursors = async (
    request: DelegationRequest,
    startedAt: number,
    servers = recursors,
  ): Promise<Delegation> => {
    const left = () => request.timeoutMs - (clock.monotonic() - startedAt)
    const { delegation, server } = await queryRecursors(needs, { ...request, servers, timeoutMs: left() })
    if (delegation.kind !== 'delegated' || server === null) return delegation
    const verdict = await hijacks.check(server, request.zone, left(), request.signal)
    if (verdict === 'honest') return delegation
    // The network may lie on port 53, but not over HTTPS.
    if (verdict === 'lying' && !server.url && https.length > 0) return findThroughRecursors(request, startedAt, https)
    return { kind: 'unclear', why: verdict === 'lying' ? 'lying_recursor' : verdict, evidence: delegation.evidence }
  }

  return {
    async find(request) {
      const startedAt = clock.monotonic()
      const isBlocked = startedAt < blockedUntil
      const mayAskZone = request.servers.length > 0 && (recursors.length === 0 || !isBlocked || request.insist === true)
      if (!mayAskZone && recursors.length === 0) return noServers(request, clock)
      if (!mayAskZone) return findThroughRecursors(request, startedAt)
      const timeoutMs = request.timeoutMs * (recursors.length > 0 ? ZONE_TIME_SHARE : 1)
      const delegation = await queryZoneServers(needs, { ...request, timeoutMs })
      countTimeouts(delegation, request.zone)
      if (delegation.kind !== 'unclear' || delegation.why === 'overloaded' || recursors.length === 0) return delegation
      const fallback = await findThroughRecursors(request, startedAt)
      return fallback.kind === 'unclear' ? delegation : fallback
    },
    assumeBlocked() {
      timeouts.queries = MIN_BLOCKED_TIMEOUTS
      for (let zone = 0; zone < MIN_BLOCKED_ZONES; zone++) timeouts.zones.add(`.${zone}`)
      blockedUntil = clock.monotonic() + RECURSORS_FIRST_MS
    },
  }
}

const isTimeout = (delegation: Delegation): boolean =>
  delegation.kind === 'unclear' &&
  (delegation.why === 'unreachable' ||
    (delegation.why === 'timeout' && delegation.evidence.elapsedMs >= MIN_TIMEOUT_MS))

const noServers = ({ domain }: DelegationRequest, clock: Clock): Delegation => ({
  kind: 'unclear',
  why: 'no_servers',
  evidence: { server: '', question: `${domain} NS`, rcode: null, hash: null, at: timestamp(clock), elapsedMs: 0 },
})
