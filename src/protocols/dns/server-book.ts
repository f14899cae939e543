import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { ServerAddress } from './server-address.ts'

/** What we remember of the servers we asked, so that the next question goes to one that answers quickly. */
export type ServerBook = {
  /**
   * Whom of the candidates to ask next; they must not be none. Spread over those that are well and fast; with
   * `inOrder`, the first that is well.
   */
  choose(candidates: readonly ServerAddress[], inOrder: boolean): ServerAddress
  answered(server: ServerAddress, elapsedMs: number): void
  /** It did not answer in the time in which others do. */
  silent(server: ServerAddress, elapsedMs: number): void
  /** It answered, but cannot help: it refuses, fails or is not responsible. */
  useless(server: ServerAddress): void
  /** There is no way to it from this machine, nor, most likely, to any other of its family. */
  unreachable(server: ServerAddress): void
  readonly size: number
}

type Health = { meanMs: number; failures: number; avoidUntil: number }
type FamilyHealth = { proven: boolean; silences: number; avoidUntil: number }

/** All servers of the TLDs are about 4,500. */
const MAX_SERVERS = 8192
/** How much the newest time counts in the mean. */
const NEWEST_WEIGHT = 0.25
/** Looked at for each question: few enough to spread the load, enough to find a fast one. */
const DRAWS = 3
const MIN_AVOIDANCE_MS = 1000
const MAX_AVOIDANCE_MS = 60_000
const USELESS_AVOIDANCE_MS = 5000
/** So many unanswered questions in a row, over however many servers, speak against the way and not the servers. */
const SILENCES_OF_A_FAMILY = 8

export function createServerBook({ clock, random }: { readonly clock: Clock; readonly random: Random }): ServerBook {
  const servers = new Map<string, Health>()
  // IPv4 is taken to work until it does not; IPv6 must have worked before it is preferred to anything.
  const families: Record<4 | 6, FamilyHealth> = {
    4: { proven: true, silences: 0, avoidUntil: 0 },
    6: { proven: false, silences: 0, avoidUntil: 0 },
  }

  const healthOf = (server: ServerAddress): Health => {
    const known = servers.get(server.text)
    if (known) return known
    // Whoever was noted first leaves first; who is still in use comes back with the next answer.
    if (servers.size >= MAX_SERVERS) for (const [oldest] of servers) if (servers.delete(oldest)) break
    const fresh = { meanMs: 0, failures: 0, avoidUntil: 0 }
    servers.set(server.text, fresh)
    return fresh
  }

  /** 0 is well; the higher, the less one would ask it. */
  const reluctance = (server: ServerAddress, now: number): number => {
    const family = families[server.family]
    if (now < family.avoidUntil) return 3
    if (now < (servers.get(server.text)?.avoidUntil ?? 0)) return 2
    return family.proven ? 0 : 1
  }

  /** Nobody knows a new server's time: zero, so that it is tried. */
  const meanMs = (server: ServerAddress): number => servers.get(server.text)?.meanMs ?? 0

  const better = (a: ServerAddress, b: ServerAddress, now: number): ServerAddress => {
    const difference = reluctance(a, now) - reluctance(b, now) || meanMs(a) - meanMs(b)
    return difference <= 0 ? a : b
  }

  const avoid = (health: Health, ms: number): void => {
    health.avoidUntil = Math.max(health.avoidUntil, clock.monotonic() + ms)
  }

  return {
    choose(candidates, inOrder) {
      const now = clock.monotonic()
      if (inOrder) {
        return candidates.reduce((best, one) => (reluctance(one, now) < reluctance(best, now) ? one : best))
      }
      const draw = () => candidates[random.below(candidates.length)]!
      let best = draw()
      for (let more = 1; more < DRAWS && candidates.length > 1; more++) best = better(best, draw(), now)
      if (reluctance(best, now) === 0) return best
      return candidates.reduce((best, one) => better(best, one, now), best)
    },
    answered(server, elapsedMs) {
      const health = healthOf(server)
      health.meanMs = health.meanMs === 0 ? elapsedMs : health.meanMs + (elapsedMs - health.meanMs) * NEWEST_WEIGHT
      health.failures = 0
      health.avoidUntil = 0
      families[server.family] = { proven: true, silences: 0, avoidUntil: 0 }
    },
    silent(server, elapsedMs) {
      const health = healthOf(server)
      health.meanMs = Math.max(health.meanMs, elapsedMs)
      avoid(health, Math.min(MIN_AVOIDANCE_MS * 2 ** health.failures, MAX_AVOIDANCE_MS))
      health.failures++
      const family = families[server.family]
      family.silences++
      if (family.silences < SILENCES_OF_A_FAMILY) return
      family.proven = server.family === 4
      family.avoidUntil = clock.monotonic() + MAX_AVOIDANCE_MS
    },
    useless(server) {
      avoid(healthOf(server), USELESS_AVOIDANCE_MS)
    },
    unreachable(server) {
      families[server.family].avoidUntil = clock.monotonic() + MAX_AVOIDANCE_MS
    },
    get size() {
      return servers.size
    },
  }
}
