import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Random } from '../../kernel/random.ts'
import { createBufferedRandom } from './buffered-random.ts'
import { cancel, createPendingQuery, type PendingQuery, type SharedResources, udpListener } from './pending-query.ts'
import type { DnsReply, DnsRequest } from './query-types.ts'
import { createQueryQueue, emptyReply } from './query-queue.ts'
import { createRefusalDetector } from './refusal-detector.ts'
import { createServerGroups, PROBE_TIMEOUT_MS, type ServerGroup } from './server-groups.ts'
import { createServerHealth } from './server-health.ts'
import { createUdpTransport } from './udp.ts'

export type { DnsRequest, DnsReply } from './query-types.ts'

export type DnsClient = {
  /**
   * Sends one query. Network failures are returned as an outcome. Throws the signal's reason when aborted, a RangeError
   * if the name is invalid, and an UpstreamError after the client is closed.
   */
  query(request: DnsRequest): Promise<DnsReply>
  /** Rejects all pending queries and closes the sockets. */
  close(): void
  stats(): DnsStats
}

export type DnsStats = {
  /** Datagrams sent. */
  readonly sent: number
  /** Datagrams that match no pending query: late, duplicate or forged. */
  readonly ignored: number
  readonly socketsOpened: number
  readonly inFlight: number
  readonly waiting: number
}

type Options = {
  readonly clock: Clock
  readonly random: Random
  /** Concurrent queries; further queries are queued. */
  readonly maxInFlight?: number
  /** When the queue is full, the outcome is `overloaded`. */
  readonly maxQueue?: number
  /** Send rate; faster bursts overflow buffers and are lost. */
  readonly datagramsPerMs?: number
}

const MAX_TCP_CONNECTIONS = 64
const MAX_TCP_QUEUE = 1024

export function createDnsClient(options: Options): DnsClient {
  const { clock, random, maxInFlight = 4096, maxQueue = 16_384, datagramsPerMs = 64 } = options
  const refusals = createRefusalDetector({ clock })
  const fastRandom = createBufferedRandom(random)
  const groups = createServerGroups({ clock, random })
  const queue = createQueryQueue({ clock, maxInFlight, maxQueue })
  let closed = false

  const leave = (query: PendingQuery): void => {
    const { caller, request } = query
    queue.remove(query)
    if (caller.onAbort) request.signal?.removeEventListener('abort', caller.onAbort)
  }

  const shared: SharedResources = {
    clock,
    random: fastRandom,
    udp: createUdpTransport({ clock, random: fastRandom, datagramsPerMs, listener: udpListener }),
    tcp: createConcurrencyLimit({ name: 'DNS over TCP', maxConcurrent: MAX_TCP_CONNECTIONS, maxQueue: MAX_TCP_QUEUE }),
    health: createServerHealth({ clock, random: fastRandom }),
    refusals,
    done(query, reply) {
      leave(query)
      query.caller.group.record(reply, query.startedAt)
      query.caller.resolve(reply)
    },
    abandon(query, reason) {
      cancel(query, clock.monotonic())
      leave(query)
      query.caller.reject(reason)
    },
  }

  const send = (request: DnsRequest, group: ServerGroup): Promise<DnsReply> => {
    const { signal } = request
    const { promise, resolve, reject } = Promise.withResolvers<DnsReply>()
    let query: PendingQuery
    try {
      signal?.throwIfAborted()
      if (closed) throw new UpstreamError('unavailable', 'the DNS client is closed')
      query = createPendingQuery(request, clock.monotonic(), shared, { group, resolve, reject, onAbort: null })
    } catch (error) {
      return Promise.reject(error)
    }
    if (queue.isFull) return Promise.resolve(emptyReply('overloaded', 0))
    if (signal) {
      query.caller.onAbort = () => shared.abandon(query, signal.reason)
      signal.addEventListener('abort', query.caller.onAbort, { once: true })
    }
    queue.add(query)
    return promise
  }

  return {
    query(request) {
      const { servers, signal } = request
      if (servers.length === 0) return Promise.resolve(emptyReply('unreachable', 0))
      const group = groups.of(servers)
      if (!group.isOnTrial) return send(request, group)
      if (!group.isGivenUp || signal?.aborted || closed) {
        return send({ ...request, timeoutMs: group.limitTimeoutMs(request.timeoutMs) }, group)
      }
      if (group.isProbeDue) group.probe(send({ ...request, timeoutMs: PROBE_TIMEOUT_MS, signal: undefined }, group))
      return Promise.resolve(emptyReply('unreachable', 0))
    },
    close() {
      closed = true
      for (const query of queue.drop()) {
        shared.abandon(query, new UpstreamError('unavailable', 'the DNS client was closed'))
      }
      shared.udp.close()
      refusals.close()
    },
    stats: () => ({ ...shared.udp.stats, inFlight: queue.inFlight, waiting: queue.waiting }),
  }
}
