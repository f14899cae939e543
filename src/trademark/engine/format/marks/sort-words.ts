import { sortByKey } from '../radix-sort.ts'

/** The word numbers in alphabetical order. Radix sort by the first ten letters, then comparison of what is still equal. */
export function sortAlphabetically(bytes: Uint8Array, ends: Uint32Array): Uint32Array {
  const begin = (text: number) => (text === 0 ? 0 : ends[text - 1]!)
  /** Five letters from `at` on as a number, six bits each, so that numbers sort as the letters do. */
  const key = (text: number, at: number) => {
    const end = ends[text]!
    let packed = 0
    for (let from = begin(text) + at, i = 0; i < 5; i++, from++)
      packed = packed * 64 + (from < end ? letterRank(bytes[from]!) : 0)
    return packed
  }
  let order: Uint32Array = Uint32Array.from(ends.keys())
  // Letters 5 to 9 first: the second pass is stable.
  for (const at of [5, 0]) order = sortByKey(order, (text) => key(text, at), 2 ** 30 - 1)
  const isSameBegin = (a: number, b: number) => key(a, 0) === key(b, 0) && key(a, 5) === key(b, 5)
  for (let from = 0; from < order.length;) {
    let to = from + 1
    while (to < order.length && isSameBegin(order[from]!, order[to]!)) to++
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compare(bytes, begin(a), ends[a]!, begin(b), ends[b]!))
    from = to
  }
  return order
}

/** Digits and letters, in six bits. */
const letterRank = (byte: number) => (byte < 58 ? byte - 47 : byte < 91 ? byte - 54 : byte - 86)

function compare(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  for (; a < aEnd && b < bEnd; a++, b++) if (bytes[a] !== bytes[b]) return bytes[a]! - bytes[b]!
  return aEnd - a - (bEnd - b)
}
