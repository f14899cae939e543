import type { Clock } from '../../kernel/clock.ts'
import { type PendingQuery, sendFirst, tick } from './pending-query.ts'
import type { DnsReply } from './query-types.ts'

/** The queries in flight, and the queue of those that wait for a place among them. */
export type QueryQueue = {
  /** Sends the query now, or queues it. */
  add(entry: PendingQuery): void
  /** The query is finished or cancelled. */
  remove(entry: PendingQuery): void
  /** Empties the queue without sending. Returns all entries; each must still be removed. */
  drop(): PendingQuery[]
  /** Whether a further query would exceed the queue. */
  readonly isFull: boolean
  readonly inFlight: number
  readonly waiting: number
}

type Needs = { readonly clock: Clock; readonly maxInFlight: number; readonly maxQueue: number }

const SWEEP_INTERVAL_MS = 10

export function createQueryQueue({ clock, maxInFlight, maxQueue }: Needs): QueryQueue {
  // An array, not a Set: V8 rehashes a Set with high turnover into new tables, and the old tables keep their entries
  // alive until the next full garbage collection.
  const inFlight: PendingQuery[] = []
  const queue = new Set<PendingQuery>()
  let sweeper: NodeJS.Timeout | undefined
  let draining = false

  /** One shared timer instead of one per query: nearly all queries are answered long before they time out. */
  const sweep = (): void => {
    const now = clock.monotonic()
    // Backwards: a query that finishes meanwhile is replaced by the last one, which was already ticked.
    for (let at = inFlight.length - 1; at >= 0; at--) if (inFlight[at]) tick(inFlight[at]!, now)
    for (const entry of queue) {
      const { request, startedAt, shared } = entry
      if (now - startedAt >= request.timeoutMs) shared.done(entry, emptyReply('timeout', now - startedAt))
    }
    stopSweeper()
  }

  const stopSweeper = (): void => {
    if (inFlight.length > 0 || queue.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  const start = (entry: PendingQuery, now: number): void => {
    entry.index = inFlight.push(entry) - 1
    try {
      sendFirst(entry, now)
    } catch (error) {
      // Reject only this query: the caller may be another query that has just finished.
      entry.shared.abandon(entry, error)
    }
  }

  /** Not reentrant, so the stack stays flat however many queries finish at once. */
  const drainQueue = (): void => {
    if (draining || queue.size === 0) return
    draining = true
    for (const entry of queue) {
      if (inFlight.length >= maxInFlight) break
      queue.delete(entry)
      start(entry, clock.monotonic())
    }
    draining = false
  }

  const remove = (entry: PendingQuery): void => {
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
      else start(entry, entry.startedAt)
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
