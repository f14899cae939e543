/** Keys are sorted by 16 bits at a time. */
const DIGITS = 1 << 16

/**
 * The indexes 0, 1, … sorted by the first key, then by the next ones, then by index. Least significant digit first, 16
 * bits at a time.
 */
export function sortedOrder(...keys: readonly [Uint32Array, ...Uint32Array[]]): Uint32Array<ArrayBuffer> {
  const { length } = keys[0]
  let order = new Uint32Array(length)
  for (let at = 0; at < length; at++) order[at] = at
  let next = new Uint32Array(length)
  const begins = new Uint32Array(DIGITS + 1)
  for (const key of keys.toReversed())
    for (const shift of [0, 16]) {
      countDigits(key, shift, begins)
      // All keys share this digit.
      if (length === 0 || begins[((key[0]! >>> shift) & (DIGITS - 1)) + 1] === length) continue
      addUp(begins)
      scatter(order, key, shift, begins, next)
      const before = order
      order = next
      next = before
    }
  return order
}

// Each loop is a function of its own: V8 compiles one with several hot loops again for each of them.

function countDigits(key: Uint32Array, shift: number, begins: Uint32Array): void {
  begins.fill(0)
  for (let at = 0; at < key.length; at++) begins[((key[at]! >>> shift) & (DIGITS - 1)) + 1]!++
}

function addUp(begins: Uint32Array): void {
  for (let at = 0; at < DIGITS; at++) begins[at + 1]! += begins[at]!
}

function scatter(order: Uint32Array, key: Uint32Array, shift: number, begins: Uint32Array, to: Uint32Array): void {
  for (let at = 0; at < order.length; at++) {
    const place = order[at]!
    to[begins[(key[place]! >>> shift) & (DIGITS - 1)]!++] = place
  }
}

/** Run-length encoding of the values in sorted order: the distinct values and the end position of each. */
export function encodeRuns(values: Uint32Array, order: Uint32Array): { values: Uint32Array; ends: Uint32Array } {
  const steps: number[] = []
  const ends: number[] = []
  let last = -1
  for (let at = 0; at < order.length; at++) {
    const value = values[order[at]!]!
    if (value === last) continue
    if (at > 0) ends.push(at)
    steps.push(value)
    last = value
  }
  if (order.length > 0) ends.push(order.length)
  return { values: Uint32Array.from(steps), ends: Uint32Array.from(ends) }
}

/** `order` stably sorted by key; `largest` bounds the keys and so the number of passes. */
export function sortByKey(order: Uint32Array, keyOf: (member: number) => number, largest: number): Uint32Array {
  // Each key is computed once: by index in `order`, which is what is sorted.
  const keys = new Uint32Array(order.length)
  let from = new Uint32Array(order.length)
  for (let at = 0; at < from.length; at++) {
    keys[at] = keyOf(order[at]!)
    from[at] = at
  }
  let to = new Uint32Array(order.length)
  const counts = new Uint32Array(DIGITS + 1)
  for (let shift = 0; shift < 32 && (shift === 0 || largest >>> shift > 0); shift += 16) {
    countDigits(keys, shift, counts)
    addUp(counts)
    scatter(from, keys, shift, counts, to)
    const spare = from
    from = to
    to = spare
  }
  for (let at = 0; at < from.length; at++) from[at] = order[from[at]!]!
  return from
}
