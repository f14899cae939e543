import type { Clock } from '../../kernel/clock.ts'
import type { FastRandom } from './buffered-random.ts'
import type { ServerAddress } from './server-address.ts'

/** Response times and failures of servers, used to send the next query to a healthy, fast one. */
export type ServerHealth = {
  /**
   * Picks the server to ask next. `candidates` must not be empty. Spreads the load over healthy and fast servers; with
   * `inOrder`, picks the first healthy one.
   */
  choose(candidates: readonly ServerAddress[], inOrder: boolean): ServerAddress
  recordAnswer(server: ServerAddress, elapsedMs: number): void
  /** The server did not answer before the retry. */
  recordTimeout(server: ServerAddress, elapsedMs: number): void
  /** The server answered, but refused, failed or is lame. */
  recordFailure(server: ServerAddress): void
  /** There is no route to the server, and so probably none to its address family. */
  recordUnreachable(server: ServerAddress): void
  readonly size: number
}

type HealthRecord = { meanMs: number; failures: number; avoidUntil: number }
type FamilyHealth = { proven: boolean; timeouts: number; avoidUntil: number }

/** The TLDs have about 4,500 servers. */
const MAX_SERVERS = 8192
/** Weight of the newest response time in the moving average. */
const NEWEST_WEIGHT = 0.25
/** Random candidates compared per query: few enough to spread the load, enough to find a fast one. */
const SAMPLED_SERVERS = 3
const MIN_AVOIDANCE_MS = 1000
const MAX_AVOIDANCE_MS = 60_000
const FAILURE_AVOIDANCE_MS = 5000
/** This many consecutive timeouts, over any number of servers, mean that the address family is unreachable. */
const MAX_FAMILY_TIMEOUTS = 8

export function createServerHealth({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: FastRandom
}): ServerHealth {
  const servers = new Map<string, HealthRecord>()
  // IPv4 is assumed to work until it fails; IPv6 must have worked once before it is preferred.
  const families: Record<4 | 6, FamilyHealth> = {
    4: { proven: true, timeouts: 0, avoidUntil: 0 },
    6: { proven: false, timeouts: 0, avoidUntil: 0 },
  }

  const recordOf = (server: ServerAddress): HealthRecord => {
    const known = servers.get(server.text)
    if (known) return known
    // Evict the oldest entry; a server still in use is added again with its next answer.
    if (servers.size >= MAX_SERVERS) for (const [oldest] of servers) if (servers.delete(oldest)) break
    const fresh = { meanMs: 0, failures: 0, avoidUntil: 0 }
    servers.set(server.text, fresh)
    return fresh
  }

  /** 0 is healthy; servers with a higher level are asked later. */
  const avoidanceLevel = (server: ServerAddress, now: number): number => {
    const family = families[server.family]
    if (now < family.avoidUntil) return 3
    if (now < (servers.get(server.text)?.avoidUntil ?? 0)) return 2
    return family.proven ? 0 : 1
  }

  /** 0 for a new server, so that it is tried. */
  const meanMs = (server: ServerAddress): number => servers.get(server.text)?.meanMs ?? 0

  const better = (a: ServerAddress, b: ServerAddress, now: number): ServerAddress => {
    const difference = avoidanceLevel(a, now) - avoidanceLevel(b, now) || meanMs(a) - meanMs(b)
    return difference <= 0 ? a : b
  }

  const avoid = (health: HealthRecord, ms: number): void => {
    health.avoidUntil = Math.max(health.avoidUntil, clock.monotonic() + ms)
  }

  return {
    choose(candidates, inOrder) {
      if (candidates.length === 1) return candidates[0]!
      const now = clock.monotonic()
      if (inOrder) {
        return candidates.reduce((best, one) => (avoidanceLevel(one, now) < avoidanceLevel(best, now) ? one : best))
      }
      const draw = () => candidates[random.below(candidates.length)]!
      let best = draw()
      for (let more = 1; more < SAMPLED_SERVERS; more++) best = better(best, draw(), now)
      if (avoidanceLevel(best, now) === 0) return best
      return candidates.reduce((best, one) => better(best, one, now), best)
    },
    recordAnswer(server, elapsedMs) {
      const health = recordOf(server)
      health.meanMs = health.meanMs === 0 ? elapsedMs : health.meanMs + (elapsedMs - health.meanMs) * NEWEST_WEIGHT
      health.failures = 0
      health.avoidUntil = 0
      const family = families[server.family]
      family.proven = true
      family.timeouts = 0
      family.avoidUntil = 0
    },
    recordTimeout(server, elapsedMs) {
      const health = recordOf(server)
      health.meanMs = Math.max(health.meanMs, elapsedMs)
      avoid(health, Math.min(MIN_AVOIDANCE_MS * 2 ** health.failures, MAX_AVOIDANCE_MS))
      health.failures++
      const family = families[server.family]
      family.timeouts++
      if (family.timeouts < MAX_FAMILY_TIMEOUTS) return
      family.proven = server.family === 4
      family.avoidUntil = clock.monotonic() + MAX_AVOIDANCE_MS
    },
    recordFailure(server) {
      avoid(recordOf(server), FAILURE_AVOIDANCE_MS)
    },
    recordUnreachable(server) {
      families[server.family].avoidUntil = clock.monotonic() + MAX_AVOIDANCE_MS
    },
    get size() {
      return servers.size
    },
  }
}
