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
      begins.fill(0)
      for (let at = 0; at < length; at++) begins[((key[at]! >>> shift) & (DIGITS - 1)) + 1]!++
      // All keys share this digit.
      if (length === 0 || begins[((key[0]! >>> shift) & (DIGITS - 1)) + 1] === length) continue
      for (let at = 0; at < DIGITS; at++) begins[at + 1]! += begins[at]!
      for (let at = 0; at < length; at++) {
        const place = order[at]!
        next[begins[(key[place]! >>> shift) & (DIGITS - 1)]!++] = place
      }
      const before = order
      order = next
      next = before
    }
  return order
}

/** Run-length encoding of the values in sorted order: the distinct values and the end position of each. */
export function encodeRuns(values: Uint32Array, order: Uint32Array): { values: Uint32Array; ends: Uint32Array } {
  const steps: number[] = []
  const ends: number[] = []
  for (let at = 0; at < order.length; at++) {
    const value = values[order[at]!]!
    if (steps.at(-1) !== value) {
      steps.push(value)
      ends.push(at)
    }
    ends[ends.length - 1] = at + 1
  }
  return { values: Uint32Array.from(steps), ends: Uint32Array.from(ends) }
}

/** `order` stably sorted by key; `largest` bounds the keys and so the number of passes. */
export function sortByKey(order: Uint32Array, keyOf: (member: number) => number, largest: number): Uint32Array {
  let from = order
  let to: Uint32Array = new Uint32Array(order.length)
  const counts = new Uint32Array(DIGITS + 1)
  for (let shift = 0; shift < 32 && (shift === 0 || largest >>> shift > 0); shift += 16) {
    counts.fill(0)
    for (const member of from) counts[((keyOf(member) >>> shift) & (DIGITS - 1)) + 1]!++
    for (let digit = 0; digit < DIGITS; digit++) counts[digit + 1]! += counts[digit]!
    for (const member of from) to[counts[(keyOf(member) >>> shift) & (DIGITS - 1)]!++] = member
    const spare = from === order ? new Uint32Array(order.length) : from
    from = to
    to = spare
  }
  return from
}
