import type { Clock } from '../../kernel/clock.ts'
import { createBreaker } from '../../kernel/pace/breaker.ts'
import type { Random } from '../../kernel/random.ts'
import type { DnsReply } from './query-types.ts'
import type { ServerAddress } from './server-address.ts'

/** Circuit breaker for a list of equivalent servers: the name servers of a zone, or the recursors. */
export type ServerGroup = {
  /** Whether they were silent the last time: then one of the following applies. */
  readonly isOnTrial: boolean
  /** Whether they have been silent for so long that no caller should wait for them. */
  readonly isGivenUp: boolean
  /** Whether a query for which nobody waits should find out now if one of them is back. */
  readonly isProbeDue: boolean
  /** The timeout of a query that tries them again. */
  limitTimeoutMs(timeoutMs: number): number
  /** Records the reply to a query that began at that time. */
  record(reply: DnsReply, startedAt: number): void
  /** Counts a probe until it has a reply. */
  probe(reply: Promise<DnsReply>): void
}

export type ServerGroups = { of(servers: readonly ServerAddress[]): ServerGroup }

/** A query with a shorter timeout says nothing about the servers. */
const MIN_TIMEOUT_MS = 300
/** Of a query for which nobody waits. */
export const PROBE_TIMEOUT_MS = 2000
/** For the first query after one that was not answered. A recursor may need this long for a name it does not know. */
const TRIAL_TIMEOUT_MS = 1000

/** Groups are told apart by their list of servers, which callers keep; the state is dropped with the list. */
export function createServerGroups(needs: { readonly clock: Clock; readonly random: Random }): ServerGroups {
  const groups = new WeakMap<readonly ServerAddress[], ServerGroup>()
  return {
    of(servers) {
      const known = groups.get(servers)
      if (known) return known
      const group = createGroup(needs)
      groups.set(servers, group)
      return group
    },
  }
}

function createGroup({ clock, random }: { readonly clock: Clock; readonly random: Random }): ServerGroup {
  const breaker = createBreaker({ random })
  let probes = 0
  return {
    get isOnTrial() {
      return breaker.isOnTrial
    },
    get isGivenUp() {
      return breaker.isGivenUp(clock.monotonic())
    },
    get isProbeDue() {
      return breaker.waitMs(clock.monotonic(), probes) === 0
    },
    limitTimeoutMs: (timeoutMs) => Math.min(timeoutMs, TRIAL_TIMEOUT_MS),
    record({ outcome, server, elapsedMs, attempts }, startedAt) {
      const now = startedAt + elapsedMs
      // Without an attempt it timed out in our own queue.
      const isSilence = outcome === 'timeout' && attempts.length > 0 && elapsedMs >= MIN_TIMEOUT_MS
      if (server !== null) breaker.answered(now)
      else if (isSilence) breaker.failed(now, 'timeout', startedAt)
    },
    probe(reply) {
      probes++
      const ended = () => void probes--
      reply.then(ended, ended)
    },
  }
}
