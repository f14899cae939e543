/**
 * Edit distance: insertions, deletions, replacements and swaps of neighbours (optimal string alignment). It works on ranges
 * of code units, so the many comparisons of one search allocate nothing.
 */
export type Units = Uint16Array

/** Longer strings are compared by their first code units. */
export const MAX_UNITS = 256
/** A string of up to this length fits into one machine word as a row of the dynamic programming table. */
export const MAX_BIT_PARALLEL_LENGTH = 31

/** Writes a string at `at` and returns the offset after it. */
export function writeUnits(text: string, into: Units, at = 0): number {
  const length = Math.min(text.length, into.length - at)
  for (let i = 0; i < length; i++) into[at + i] = text.charCodeAt(i)
  return at + length
}

/**
 * Hyyrö's bit-parallel recurrence. `positions` has a bit for each position of a character in the pattern, and the returned
 * function gives the distance of a pattern of `length` to text[from, to). Create one function per array type: V8 then
 * specializes each.
 */
export const createBitParallelDistance =
  (positions: Int32Array) =>
  (length: number, text: Uint8Array | Uint16Array, from: number, to: number): number => {
    if (length === 0) return to - from
    const last = 1 << (length - 1)
    let up = -1
    let down = 0
    let same = 0
    let before = 0
    let distance = length
    for (let at = from; at < to; at++) {
      const here = positions[text[at]!]!
      const swapped = ((~same & here) << 1) & before
      same = (((here & up) + up) ^ up) | here | down | swapped
      const more = down | ~(same | up)
      const less = same & up
      if ((more & last) !== 0) distance++
      else if ((less & last) !== 0) distance--
      const shifted = (more << 1) | 1
      up = (less << 1) | ~(same | shifted)
      down = shifted & same
      before = here
    }
    return distance
  }

/**
 * Module-level scratch: a comparison never yields to another, and a search makes thousands of them. Zero between calls, so
 * that only the entries that were used have to be cleared.
 */
const positions = new Int32Array(65_536)
const bitParallelDistance = createBitParallelDistance(positions)
const rows = [new Uint16Array(MAX_UNITS + 1), new Uint16Array(MAX_UNITS + 1), new Uint16Array(MAX_UNITS + 1)] as const

/** The edit distance of a[aFrom, aTo) and b[bFrom, bTo). */
export function editDistanceOf(a: Units, aFrom: number, aTo: number, b: Units, bFrom: number, bTo: number): number {
  // A common prefix and suffix costs nothing.
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
    aFrom++
    bFrom++
  }
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
    aTo--
    bTo--
  }
  const m = aTo - aFrom
  const n = bTo - bFrom
  if (m > n) return editDistanceOf(b, bFrom, bTo, a, aFrom, aTo)
  if (m === 0) return n
  if (m > MAX_BIT_PARALLEL_LENGTH) return distanceByTable(a, aFrom, m, b, bFrom, n)
  for (let i = 0; i < m; i++) positions[a[aFrom + i]!]! |= 1 << i
  const distance = bitParallelDistance(m, b, bFrom, bTo)
  for (let i = 0; i < m; i++) positions[a[aFrom + i]!] = 0
  return distance
}

function distanceByTable(a: Units, aFrom: number, m: number, b: Units, bFrom: number, n: number): number {
  let [older, old, row] = rows as readonly [Uint16Array, Uint16Array, Uint16Array]
  for (let j = 0; j <= n; j++) old[j] = j
  for (let i = 1; i <= m; i++) {
    const unit = a[aFrom + i - 1]
    row[0] = i
    for (let j = 1; j <= n; j++) {
      const other = b[bFrom + j - 1]
      let cost = old[j - 1]! + (unit === other ? 0 : 1)
      if (old[j]! + 1 < cost) cost = old[j]! + 1
      if (row[j - 1]! + 1 < cost) cost = row[j - 1]! + 1
      if (i > 1 && j > 1 && unit === b[bFrom + j - 2] && a[aFrom + i - 2] === other && older[j - 2]! + 1 < cost)
        cost = older[j - 2]! + 1
      row[j] = cost
    }
    const spare = older
    older = old
    old = row
    row = spare
  }
  return old[n]!
}

const left: Units = new Uint16Array(MAX_UNITS)
const right: Units = new Uint16Array(MAX_UNITS)

/** The edit distance of two strings by their UTF-16 code units. Only the first 256 of each count. */
export const editDistance = (a: string, b: string): number =>
  editDistanceOf(left, 0, writeUnits(a, left), right, 0, writeUnits(b, right))
