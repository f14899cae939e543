import type { Clock } from '../../kernel/clock.ts'
import type { DnsClient } from './client.ts'
import type { DohClient } from './doh.ts'
import type { DnsOutcome } from './outcome.ts'
import { emptyReply } from './query-queue.ts'
import type { DnsReply, DnsRequest } from './query-types.ts'
import type { RecursorHonesty } from './recursor-honesty.ts'
import type { ServerAddress } from './server-address.ts'

type Needs = {
  readonly client: DnsClient
  readonly clock: Clock
  /** For servers with a URL. */
  readonly doh: DohClient & { close(): unknown }
  /** Which replies on port 53 are not believed. */
  readonly honesty: RecursorHonesty
}

type HttpsServer = ServerAddress & { readonly url: URL }
type Recursors = { readonly plain: readonly ServerAddress[]; readonly https: readonly HttpsServer[] }

/** Outcomes that say something about the recursors or the way to them, and not about the name. */
const NO_ANSWER: ReadonlySet<DnsOutcome> = new Set([
  'timeout',
  'unreachable',
  'refused',
  'formerr',
  'notimp',
  'rejected',
  'lame',
  'malformed',
  'truncated',
])
/** Share of the timeout for recursors on port 53; the rest is for those over HTTPS. */
const PLAIN_TIME_SHARE = 0.5
const MAX_PLAIN_MS = 1_500
/** After a failure, a server over HTTPS is asked last for this long. */
const AVOIDANCE_MS = 30_000

/**
 * A DNS client whose recursors may be blocked or lie. Those with a URL are asked over HTTPS if the others cannot be
 * reached on port 53, or if their answer is one that they would give for any name. How long the others are
 * left alone is decided by their circuit breaker. Queries to authoritative servers are passed on as they are.
 */
export function createRecursorClient({ client, clock, doh, honesty }: Needs): DnsClient {
  // Kept for each list: the client tells groups of servers apart by their list.
  const known = new WeakMap<readonly ServerAddress[], Recursors>()
  const avoidUntil = new Map<string, number>()

  const split = (servers: readonly ServerAddress[]): Recursors => {
    const found = known.get(servers)
    if (found) return found
    const recursors = { plain: servers.filter(({ url }) => !url), https: servers.filter(isHttps) }
    known.set(servers, recursors)
    return recursors
  }

  const isAvoided = ({ text }: HttpsServer): boolean => clock.monotonic() < (avoidUntil.get(text) ?? 0)

  const queryOverHttps = async (
    servers: readonly HttpsServer[],
    request: DnsRequest,
    leftMs: () => number,
  ): Promise<DnsReply | null> => {
    const inOrder = servers.toSorted((one, other) => Number(isAvoided(one)) - Number(isAvoided(other)))
    let reply: DnsReply | null = null
    for (const [index, server] of inOrder.entries()) {
      const timeoutMs = leftMs() / (inOrder.length - index)
      if (timeoutMs <= 0) break
      reply = await doh.query(server, { ...request, timeoutMs })
      if (!NO_ANSWER.has(reply.outcome)) return reply
      avoidUntil.set(server.text, clock.monotonic() + AVOIDANCE_MS)
    }
    return reply
  }

  const query = async (request: DnsRequest, { plain, https }: Recursors): Promise<DnsReply> => {
    const startedAt = clock.monotonic()
    const leftMs = () => request.timeoutMs - (clock.monotonic() - startedAt)
    let first: DnsReply | null = null
    if (plain.length > 0) {
      const timeoutMs = https.length === 0 ? request.timeoutMs : Math.min(leftMs() * PLAIN_TIME_SHARE, MAX_PLAIN_MS)
      const [reply, isMeaningless] = await Promise.all([
        client.query({ ...request, servers: plain, timeoutMs }),
        honesty.check(plain, timeoutMs),
      ])
      first = isMeaningless(reply) ? { ...emptyReply('unreachable', reply.elapsedMs), outcome: 'rejected' } : reply
      if (!NO_ANSWER.has(first.outcome)) return first
    }
    request.signal?.throwIfAborted()
    const second = await queryOverHttps(https, request, leftMs)
    const reply = second && (!first || !NO_ANSWER.has(second.outcome)) ? second : first
    return { ...(reply ?? emptyReply('unreachable', 0)), elapsedMs: clock.monotonic() - startedAt }
  }

  return {
    query: (request) =>
      request.recursion && request.servers.length > 0 ? query(request, split(request.servers)) : client.query(request),
    close() {
      client.close()
      void doh.close()
    },
    stats: () => client.stats(),
  }
}

const isHttps = (server: ServerAddress): server is HttpsServer => server.url !== undefined
