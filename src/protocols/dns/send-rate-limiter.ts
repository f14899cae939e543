import type { Clock } from '../../kernel/clock.ts'

/** Sends what is queued in batches, and spreads a burst over time. */
export type SendRateLimiter<Item> = {
  /** Queues the item: it is sent, in order of arrival, when the event loop has handled the events at hand. */
  push(item: Item): void
  /** Discards the queue. */
  clear(): void
}

type Needs<Item> = {
  readonly clock: Clock
  readonly perMs: number
  readonly send: (item: Item, now: number) => void
}

/**
 * At most `perMs` items per millisecond. Faster bursts of datagrams overflow the receiver's buffer, or ours when all
 * answers arrive at once. One batch per turn of the event loop: between two datagrams that arrive, a send costs twice as
 * much as between two sends.
 */
export function createSendRateLimiter<Item>({ clock, perMs, send }: Needs<Item>): SendRateLimiter<Item> {
  let waiting: Item[] = []
  let windowStart = -1
  let used = 0
  let batch: NodeJS.Immediate | undefined
  let nextWindow: NodeJS.Timeout | undefined

  const flush = (now: number): void => {
    const items = waiting.length <= perMs - used ? waiting : waiting.slice(0, perMs - used)
    waiting = items === waiting ? [] : waiting.slice(items.length)
    used += items.length
    if (waiting.length > 0) nextWindow = setTimeout(openWindow, 1)
    for (const item of items) send(item, now)
  }

  const openWindow = (): void => {
    nextWindow = undefined
    windowStart = clock.monotonic()
    used = 0
    flush(windowStart)
  }

  const flushBatch = (): void => {
    batch = undefined
    // The items wait for the next window already.
    if (nextWindow !== undefined) return
    const now = clock.monotonic()
    if (now - windowStart >= 1) openWindow()
    else flush(now)
  }

  return {
    push(item) {
      waiting.push(item)
      if (nextWindow === undefined) batch ??= setImmediate(flushBatch)
    },
    clear() {
      waiting = []
      clearImmediate(batch)
      clearTimeout(nextWindow)
      batch = undefined
      nextWindow = undefined
    },
  }
}
