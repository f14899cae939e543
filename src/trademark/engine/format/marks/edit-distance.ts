import { osaDistance } from '../../../likeness.ts'

/** A word prepared for comparison with many others. */
export type Pattern = {
  /** Edit distance (optimal string alignment) to bytes[from, to); equals `osaDistance`. */
  distanceTo(bytes: Uint8Array, from: number, to: number): number
}

const MAX_PATTERN_LENGTH = 31
/**
 * For each letter, the positions of the prepared word where it stands, as bits. Module-level: one word at a time is compared
 * with thousands of others, and a table for each pattern would be garbage after every search.
 */
const letterPositions = new Int32Array(128)
let prepared = ''

/** Words are ASCII. The table is filled when another word than the last one is compared. */
export const compilePattern = (word: string): Pattern => ({
  distanceTo(bytes, from, to) {
    if (word.length > MAX_PATTERN_LENGTH)
      return osaDistance(word, Buffer.from(bytes.subarray(from, to)).toString('latin1'))
    if (prepared !== word) prepare(word)
    return distance(word.length, bytes, from, to)
  },
})

function prepare(word: string): void {
  letterPositions.fill(0)
  for (let at = 0; at < word.length; at++) letterPositions[word.charCodeAt(at)]! |= 1 << at
  prepared = word
}

/** Hyyrö's bit-parallel recurrence, as in `likeness.ts`, with the pattern in one machine word. */
function distance(length: number, bytes: Uint8Array, from: number, to: number): number {
  if (length === 0) return to - from
  const last = 1 << (length - 1)
  let up = -1
  let down = 0
  let same = 0
  let before = 0
  let edits = length
  for (let at = from; at < to; at++) {
    const here = letterPositions[bytes[at]!]!
    const swapped = ((~same & here) << 1) & before
    same = (((here & up) + up) ^ up) | here | down | swapped
    const more = down | ~(same | up)
    const less = same & up
    if ((more & last) !== 0) edits++
    else if ((less & last) !== 0) edits--
    const shifted = (more << 1) | 1
    up = (less << 1) | ~(same | shifted)
    down = shifted & same
    before = here
  }
  return edits
}
