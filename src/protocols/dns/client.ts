import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Random } from '../../kernel/random.ts'
import {
  type DnsRequest,
  cancel,
  createPendingQuery,
  type DnsReply,
  type PendingQuery,
  sendFirst,
  type SharedResources,
  tick,
  udpListener,
} from './pending-query.ts'
import { createServerHealth } from './server-health.ts'
import { createUdpTransport } from './udp.ts'

export type { DnsRequest, DnsReply } from './pending-query.ts'

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

const SWEEP_INTERVAL_MS = 10
const MAX_TCP_CONNECTIONS = 64
const MAX_TCP_QUEUE = 1024

type QueueEntry = {
  readonly query: PendingQuery
  /** Index in `inFlight`; -1 while queued or finished. */
  index: number
  readonly reject: (reason: unknown) => void
}

export function createDnsClient(options: Options): DnsClient {
  const { clock, random, maxInFlight = 4096, maxQueue = 16_384, datagramsPerMs = 64 } = options
  const shared: SharedResources = {
    clock,
    random,
    udp: createUdpTransport({ clock, random, datagramsPerMs, listener: udpListener }),
    tcp: createConcurrencyLimit({ name: 'DNS over TCP', maxConcurrent: MAX_TCP_CONNECTIONS, maxQueue: MAX_TCP_QUEUE }),
    health: createServerHealth({ clock, random }),
  }
  // An array, not a Set: V8 rehashes a Set with high turnover into new tables, and the old tables keep their entries
  // alive until the next full garbage collection.
  const inFlight: QueueEntry[] = []
  const queue = new Set<QueueEntry>()
  let sweeper: NodeJS.Timeout | undefined
  let draining = false
  let closed = false

  /** One shared timer instead of one per query: nearly all queries are answered long before they time out. */
  const sweep = (): void => {
    const now = clock.monotonic()
    // Backwards: a query that finishes meanwhile is replaced by the last one, which was already ticked.
    for (let at = inFlight.length - 1; at >= 0; at--) if (inFlight[at]) tick(inFlight[at]!.query, now)
    for (const entry of queue) {
      const { request, startedAt, done } = entry.query
      if (now - startedAt >= request.timeoutMs) done(emptyReply('timeout', now - startedAt))
    }
    stopSweeper()
  }

  const stopSweeper = (): void => {
    if (inFlight.length > 0 || queue.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  const start = (entry: QueueEntry): void => {
    entry.index = inFlight.push(entry) - 1
    try {
      sendFirst(entry.query)
    } catch (error) {
      // Reject only this query: the caller may be another query that has just finished.
      entry.reject(error)
      remove(entry)
    }
  }

  /** Not reentrant, so the stack stays flat however many queries finish at once. */
  const drainQueue = (): void => {
    if (draining) return
    draining = true
    for (const entry of queue) {
      if (inFlight.length >= maxInFlight) break
      queue.delete(entry)
      start(entry)
    }
    draining = false
  }

  const remove = (entry: QueueEntry): void => {
    if (entry.index !== -1) {
      const last = inFlight.pop()!
      if (last !== entry) {
        inFlight[entry.index] = last
        last.index = entry.index
      }
      entry.index = -1
    }
    queue.delete(entry)
    drainQueue()
    stopSweeper()
  }

  const rejectOnAbort = async (
    entry: QueueEntry,
    promise: Promise<DnsReply>,
    signal: AbortSignal,
  ): Promise<DnsReply> => {
    const onAbort = () => {
      cancel(entry.query)
      remove(entry)
      entry.reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    query(request) {
      const { signal, servers } = request
      const { promise, resolve, reject } = Promise.withResolvers<DnsReply>()
      const done = (reply: DnsReply) => {
        remove(entry)
        resolve(reply)
      }
      let entry: QueueEntry
      try {
        signal?.throwIfAborted()
        if (closed) throw new UpstreamError('unavailable', 'the DNS client is closed')
        entry = { query: createPendingQuery(request, clock.monotonic(), shared, done), index: -1, reject }
      } catch (error) {
        return Promise.reject(error)
      }
      if (servers.length === 0) return Promise.resolve(emptyReply('unreachable', 0))
      const isFull = inFlight.length >= maxInFlight
      if (isFull && queue.size >= maxQueue) return Promise.resolve(emptyReply('overloaded', 0))
      sweeper ??= setInterval(sweep, SWEEP_INTERVAL_MS)
      if (isFull) queue.add(entry)
      else start(entry)
      return signal ? rejectOnAbort(entry, promise, signal) : promise
    },
    close() {
      closed = true
      const all = [...inFlight, ...queue]
      queue.clear()
      for (const entry of all) {
        cancel(entry.query)
        remove(entry)
        entry.reject(new UpstreamError('unavailable', 'the DNS client was closed'))
      }
      shared.udp.close()
    },
    stats: () => ({ ...shared.udp.stats, inFlight: inFlight.length, waiting: queue.size }),
  }
}

/** The reply to a query that was never sent. */
const emptyReply = (outcome: 'timeout' | 'unreachable' | 'overloaded', elapsedMs: number): DnsReply => ({
  outcome,
  rcode: null,
  flags: null,
  answers: [],
  authority: [],
  additional: [],
  wire: null,
  server: null,
  tcp: false,
  elapsedMs,
  attempts: [],
})
