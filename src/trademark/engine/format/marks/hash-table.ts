import { createBitPacked, openBitPacked, type BitPacked, putValue, valueAt, bitWidth } from '../bit-packed.ts'

/**
 * Values filed under hashes, each with a few bits of its own hash: under one hash there are those of others, too, and
 * most of these are told by that. Who looks has to compare the others.
 */
export type Table = { readonly starts: Uint32Array; readonly values: BitPacked }

/** So many values are in one place of a table at most, on average. */
const MAX_MEAN_BUCKET_SIZE = 16
const TAG_BITS = 4
const TAG_MASK = 2 ** TAG_BITS - 1

/**
 * `emit` is called twice and must tell the same both times, each value with the hash it is filed under: there may be
 * tens of millions, which would not have to be anywhere but in the table. Values of one hash stay in their order.
 */
export function buildHashTable(
  count: number,
  largest: number,
  emit: (put: (hash: number, value: number) => void) => void,
): Table {
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

export const openHashTable = (starts: Uint32Array, values: Uint32Array): Table => ({
  starts,
  values: openBitPacked(values),
})

/** Where the values under this hash begin in the table; they end where those of the next place begin. */
export const placeOf = ({ starts }: Table, hash: number): number => hash >>> (Math.clz32(starts.length - 1) + 1)

/** The value there, or -1 where it is of another hash. */
export function matchingValueAt({ values }: Table, at: number, hash: number): number {
  const entry = valueAt(values, at)
  return ((entry ^ hash) & TAG_MASK) === 0 ? entry >>> TAG_BITS : -1
}

/** The same of whatever hash. */
export const anyValueAt = ({ values }: Table, at: number): number => valueAt(values, at) >>> TAG_BITS
