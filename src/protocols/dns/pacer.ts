import type { Clock } from '../../kernel/clock.ts'

/** Spreads a burst over time. */
export type Pacer<Item> = {
  /** Hands the item on now, or as soon as its turn has come; in the order of arrival. */
  push(item: Item): void
  /** Forgets what has not had its turn. */
  clear(): void
}

type Needs<Item> = { readonly clock: Clock; readonly perMs: number; readonly handOn: (item: Item) => void }

/**
 * At most `perMs` items in a millisecond. Datagrams sent faster than anybody reads them are lost: in the receiver's
 * buffer, or in ours when all answers come at once.
 */
export function createPacer<Item>({ clock, perMs, handOn }: Needs<Item>): Pacer<Item> {
  let waiting: Item[] = []
  let windowStart = -1
  let used = 0
  let timer: NodeJS.Timeout | undefined

  const openWindow = (items: readonly Item[]): void => {
    windowStart = clock.monotonic()
    used = items.length
    for (const item of items) handOn(item)
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
        handOn(item)
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
