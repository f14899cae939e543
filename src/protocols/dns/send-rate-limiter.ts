import type { Clock } from '../../kernel/clock.ts'

/** Spreads a burst over time. */
export type SendRateLimiter<Item> = {
  /** Sends the item now, or queues it in order of arrival. */
  push(item: Item): void
  /** Discards the queue. */
  clear(): void
}

type Needs<Item> = { readonly clock: Clock; readonly perMs: number; readonly send: (item: Item) => void }

/**
 * At most `perMs` items per millisecond. Faster bursts of datagrams overflow the receiver's buffer, or ours when all
 * answers arrive at once.
 */
export function createSendRateLimiter<Item>({ clock, perMs, send }: Needs<Item>): SendRateLimiter<Item> {
  let waiting: Item[] = []
  let windowStart = -1
  let used = 0
  let timer: NodeJS.Timeout | undefined

  const openWindow = (items: readonly Item[]): void => {
    windowStart = clock.monotonic()
    used = items.length
    for (const item of items) send(item)
  }

  const nextWindow = (): void => {
    const turn = waiting.splice(0, perMs)
    timer = waiting.length > 0 ? setTimeout(nextWindow, 1) : undefined
    openWindow(turn)
  }

  return {
    push(item) {
      if (timer === undefined && clock.monotonic() - windowStart >= 1) openWindow([])
      if (timer === undefined && used < perMs) {
        used++
        send(item)
        return
      }
      waiting.push(item)
      timer ??= setTimeout(nextWindow, 1)
    },
    clear() {
      waiting = []
      clearTimeout(timer)
      timer = undefined
    },
  }
}
