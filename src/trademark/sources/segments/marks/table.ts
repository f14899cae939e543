/** Values filed under hashes. Under one hash there are those of others, too: who looks has to compare. */
export type Table = { readonly starts: Uint32Array; readonly values: Uint32Array }

/** So many values are in one place of a table on average. */
const CROWD = 8

/**
 * `emit` is called twice and must tell the same both times, each value with the hash it is filed under: there may be
 * tens of millions, which would not have to be anywhere but in the table. Values of one hash stay in their order.
 */
export function fileUnderHashes(count: number, emit: (put: (hash: number, value: number) => void) => void): Table {
  let bits = 1
  while (2 ** bits * CROWD < count && bits < 26) bits++
  const shift = 32 - bits
  const starts = new Uint32Array(2 ** bits + 1)
  emit((hash) => void starts[(hash >>> shift) + 1]!++)
  for (let place = 0; place < 2 ** bits; place++) starts[place + 1]! += starts[place]!
  const values = new Uint32Array(starts[2 ** bits]!)
  const next = starts.slice(0, -1)
  emit((hash, value) => void (values[next[hash >>> shift]!++] = value))
  return { starts, values }
}

/** Where the values under this hash begin in the table; they end where those of the next place begin. */
export const placeOf = ({ starts }: Table, hash: number): number => hash >>> (Math.clz32(starts.length - 1) + 1)
