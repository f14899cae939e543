/**
 * A fair queue: one FIFO queue (lane) per caller, and the lanes take turns (round robin). A long lane does not delay the
 * others.
 */
export type Lanes<T extends { readonly lane: string }> = {
  add(item: T): void
  /** Adds a retry before the new items of its lane: it has already waited. */
  addRetry(item: T): void
  next(): T | undefined
  /** Returns whether the item was queued. */
  remove(item: T): boolean
  /** All queued items, in no particular order; they may be removed during the iteration. */
  all(): Iterable<T>
  readonly size: number
}

// Sets: they iterate in insertion order, and delete from the middle in constant time.
type LaneQueue<T> = { readonly retries: Set<T>; readonly fresh: Set<T> }

export function createLanes<T extends { readonly lane: string }>(): Lanes<T> {
  const lanes = new Map<string, LaneQueue<T>>()
  let size = 0

  const laneOf = (name: string): LaneQueue<T> => {
    const lane = lanes.get(name) ?? { retries: new Set(), fresh: new Set() }
    lanes.set(name, lane)
    return lane
  }
  const isEmpty = ({ retries, fresh }: LaneQueue<T>) => retries.size + fresh.size === 0

  return {
    add(item) {
      laneOf(item.lane).fresh.add(item)
      size++
    },
    addRetry(item) {
      laneOf(item.lane).retries.add(item)
      size++
    },
    next() {
      const [first] = lanes
      if (!first) return undefined
      const [name, lane] = first
      const from = lane.retries.size > 0 ? lane.retries : lane.fresh
      const [item] = from
      from.delete(item!)
      size--
      // Moves the lane to the end of the round.
      lanes.delete(name)
      if (!isEmpty(lane)) lanes.set(name, lane)
      return item
    },
    remove(item) {
      const lane = lanes.get(item.lane)
      if (!lane?.retries.delete(item) && !lane?.fresh.delete(item)) return false
      size--
      if (isEmpty(lane)) lanes.delete(item.lane)
      return true
    },
    *all() {
      for (const { retries, fresh } of lanes.values()) {
        yield* retries
        yield* fresh
      }
    },
    get size() {
      return size
    },
  }
}
