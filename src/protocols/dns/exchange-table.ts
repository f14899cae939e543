/** An entry of a table; `next` belongs to the table. */
type Entry<Self> = { readonly id: number; next: Self | null }

/**
 * Entries by their 16-bit id. Not a Map or an object: with this turnover both rehash all the time, and the old tables of
 * a Map keep their entries alive until the next full garbage collection.
 */
export type ExchangeTable<T> = {
  readonly size: number
  get(id: number): T | null
  /** The id must not be in the table. */
  add(entry: T): void
  /** False if the entry is not in the table. */
  delete(entry: T): boolean
  values(): T[]
}

/** A few per bucket with the usual thousands in flight. */
const BUCKETS = 512

export function createExchangeTable<T extends Entry<T>>(): ExchangeTable<T> {
  const buckets: (T | null)[] = Array.from({ length: BUCKETS }, () => null)
  let size = 0
  return {
    get size() {
      return size
    },
    get(id) {
      let entry: T | null = buckets[id % BUCKETS]!
      while (entry !== null && entry.id !== id) entry = entry.next
      return entry
    },
    add(entry) {
      const bucket = entry.id % BUCKETS
      entry.next = buckets[bucket]!
      buckets[bucket] = entry
      size++
    },
    delete(entry) {
      const bucket = entry.id % BUCKETS
      let before: T | null = null
      let at: T | null = buckets[bucket]!
      while (at !== null && at !== entry) {
        before = at
        at = at.next
      }
      if (at === null) return false
      if (before === null) buckets[bucket] = entry.next
      else before.next = entry.next
      entry.next = null
      size--
      return true
    },
    values() {
      const all: T[] = []
      for (let entry of buckets) for (; entry !== null; entry = entry.next) all.push(entry)
      return all
    },
  }
}
