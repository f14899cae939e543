/** A queue of several lanes: in order of arrival within a lane, each lane in its turn. A long lane delays nobody else. */
export type Lanes<T extends { readonly lane: string }> = {
  add(item: T): void
  /** Puts an item before all that were added to its lane: it has waited already. */
  addRetry(item: T): void
  next(): T | undefined
  /** Whether it was there. */
  remove(item: T): boolean
  /** All that wait, in no particular order; they may be removed meanwhile. */
  all(): Iterable<T>
  readonly size: number
}

// A Set keeps the order of arrival and lets anybody leave from the middle at no cost.
type LaneQueue<T> = { readonly again: Set<T>; readonly fresh: Set<T> }

export function createLanes<T extends { readonly lane: string }>(): Lanes<T> {
  const lanes = new Map<string, LaneQueue<T>>()
  let size = 0

  const laneOf = (name: string): LaneQueue<T> => {
    const lane = lanes.get(name) ?? { again: new Set(), fresh: new Set() }
    lanes.set(name, lane)
    return lane
  }
  const isEmpty = ({ again, fresh }: LaneQueue<T>) => again.size + fresh.size === 0

  return {
    add(item) {
      laneOf(item.lane).fresh.add(item)
      size++
    },
    addRetry(item) {
      laneOf(item.lane).again.add(item)
      size++
    },
    next() {
      const [first] = lanes
      if (!first) return undefined
      const [name, lane] = first
      const from = lane.again.size > 0 ? lane.again : lane.fresh
      const [item] = from
      from.delete(item!)
      size--
      // To the end of the round.
      lanes.delete(name)
      if (!isEmpty(lane)) lanes.set(name, lane)
      return item
    },
    remove(item) {
      const lane = lanes.get(item.lane)
      if (!lane?.again.delete(item) && !lane?.fresh.delete(item)) return false
      size--
      if (isEmpty(lane)) lanes.delete(item.lane)
      return true
    },
    *all() {
      for (const { again, fresh } of lanes.values()) {
        yield* again
        yield* fresh
      }
    },
    get size() {
      return size
    },
  }
}
