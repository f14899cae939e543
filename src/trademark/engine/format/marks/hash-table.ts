import { createBitPacked, openBitPacked, type BitPacked, putValue, valueAt, bitWidth } from '../bit-packed.ts'

/**
 * A read-only hash table. Each value carries a tag of four hash bits, which rules out most values of other keys in the same
 * bucket; the reader has to compare the rest. See "Hash table" in docs/trademark-index-format.md.
 */
export type HashTable = { readonly starts: Uint32Array; readonly values: BitPacked }

const MAX_MEAN_BUCKET_SIZE = 16
const TAG_BITS = 4
const TAG_MASK = 2 ** TAG_BITS - 1

/**
 * `emit` is called twice, to count and to fill, and must give the same pairs both times: tens of millions of them are then
 * stored nowhere but in the table. Values of one bucket keep their order.
 */
export function buildHashTable(
  count: number,
  largest: number,
  emit: (put: (hash: number, value: number) => void) => void,
): HashTable {
  let bits = 1
  while (2 ** bits * MAX_MEAN_BUCKET_SIZE < count && bits < 26) bits++
  const shift = 32 - bits
  const starts = new Uint32Array(2 ** bits + 1)
  emit((hash) => void starts[(hash >>> shift) + 1]!++)
  for (let place = 0; place < 2 ** bits; place++) starts[place + 1]! += starts[place]!
  const values = createBitPacked(starts[2 ** bits]!, bitWidth(largest) + TAG_BITS)
  const next = starts.slice(0, -1)
  emit((hash, value) => putValue(values, next[hash >>> shift]!++, (value << TAG_BITS) | (hash & TAG_MASK)))
  return { starts, values }
}

export const openHashTable = (starts: Uint32Array, values: Uint32Array): HashTable => ({
  starts,
  values: openBitPacked(values),
})

/** The bucket of a hash: its values are at starts[bucket] up to starts[bucket + 1]. */
export const bucketOf = ({ starts }: HashTable, hash: number): number => hash >>> (Math.clz32(starts.length - 1) + 1)

/** The value at this position, or -1 if its tag belongs to another hash. */
export function matchingValueAt({ values }: HashTable, at: number, hash: number): number {
  const entry = valueAt(values, at)
  return ((entry ^ hash) & TAG_MASK) === 0 ? entry >>> TAG_BITS : -1
}

/** The value at this position, whatever its tag. */
export const anyValueAt = ({ values }: HashTable, at: number): number => valueAt(values, at) >>> TAG_BITS
