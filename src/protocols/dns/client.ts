import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Random } from '../../kernel/random.ts'
import { cancel, createPendingQuery, type SharedResources, udpListener } from './pending-query.ts'
import type { DnsReply, DnsRequest } from './query-types.ts'
import { createQueryQueue, emptyReply, type QueueEntry } from './query-queue.ts'
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
  const shared: SharedResources = {
    clock,
    random,
    udp: createUdpTransport({ clock, random, datagramsPerMs, listener: udpListener }),
    tcp: createConcurrencyLimit({ name: 'DNS over TCP', maxConcurrent: MAX_TCP_CONNECTIONS, maxQueue: MAX_TCP_QUEUE }),
    health: createServerHealth({ clock, random }),
    refusals,
  }
  const groups = createServerGroups({ clock, random })
  const queue = createQueryQueue({ clock, maxInFlight, maxQueue })
  let closed = false

  /** Takes the query out before its answer; it is then rejected. */
  const abandon = (entry: QueueEntry, reason: unknown): void => {
    cancel(entry.query)
    queue.remove(entry)
    entry.reject(reason)
  }

  const rejectOnAbort = async (
    entry: QueueEntry,
    promise: Promise<DnsReply>,
    signal: AbortSignal,
  ): Promise<DnsReply> => {
    const onAbort = () => abandon(entry, signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  const send = (request: DnsRequest, group: ServerGroup): Promise<DnsReply> => {
    const { signal } = request
    const { promise, resolve, reject } = Promise.withResolvers<DnsReply>()
    const startedAt = clock.monotonic()
    const done = (reply: DnsReply) => {
      queue.remove(entry)
      group.record(reply, startedAt)
      resolve(reply)
    }
    let entry: QueueEntry
    try {
      signal?.throwIfAborted()
      if (closed) throw new UpstreamError('unavailable', 'the DNS client is closed')
      entry = { query: createPendingQuery(request, startedAt, shared, done), index: -1, reject }
    } catch (error) {
      return Promise.reject(error)
    }
    if (queue.isFull) return Promise.resolve(emptyReply('overloaded', 0))
    queue.add(entry)
    return signal ? rejectOnAbort(entry, promise, signal) : promise
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
      for (const entry of queue.drop()) {
        abandon(entry, new UpstreamError('unavailable', 'the DNS client was closed'))
      }
      shared.udp.close()
      refusals.close()
    },
    stats: () => ({ ...shared.udp.stats, inFlight: queue.inFlight, waiting: queue.waiting }),
  }
}
