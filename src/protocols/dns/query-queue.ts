import type { Clock } from '../../kernel/clock.ts'
import { type PendingQuery, sendFirst, tick } from './pending-query.ts'
import type { DnsReply } from './query-types.ts'

/** The queries in flight, and the queue of those that wait for a place among them. */
export type QueryQueue = {
  /** Sends the query now, or queues it. */
  add(entry: QueueEntry): void
  /** The query is finished or cancelled. */
  remove(entry: QueueEntry): void
  /** Empties the queue without sending. Returns all entries; each must still be removed. */
  drop(): QueueEntry[]
  /** Whether a further query would exceed the queue. */
  readonly isFull: boolean
  readonly inFlight: number
  readonly waiting: number
}

export type QueueEntry = {
  readonly query: PendingQuery
  /** Index among the queries in flight; -1 while queued or finished. */
  index: number
  readonly reject: (reason: unknown) => void
}

type Needs = { readonly clock: Clock; readonly maxInFlight: number; readonly maxQueue: number }

const SWEEP_INTERVAL_MS = 10

export function createQueryQueue({ clock, maxInFlight, maxQueue }: Needs): QueryQueue {
  // An array, not a Set: V8 rehashes a Set with high turnover into new tables, and the old tables keep their entries
  // alive until the next full garbage collection.
  const inFlight: QueueEntry[] = []
  const queue = new Set<QueueEntry>()
  let sweeper: NodeJS.Timeout | undefined
  let draining = false

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

  return {
    add(entry) {
      sweeper ??= setInterval(sweep, SWEEP_INTERVAL_MS)
      if (inFlight.length >= maxInFlight) queue.add(entry)
      else start(entry)
    },
    remove,
    drop() {
      const all = [...inFlight, ...queue]
      queue.clear()
      return all
    },
    get isFull() {
      return inFlight.length >= maxInFlight && queue.size >= maxQueue
    },
    get inFlight() {
      return inFlight.length
    },
    get waiting() {
      return queue.size
    },
  }
}

/** The reply to a query that was never sent. */
export const emptyReply = (outcome: 'timeout' | 'unreachable' | 'overloaded', elapsedMs: number): DnsReply => ({
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
