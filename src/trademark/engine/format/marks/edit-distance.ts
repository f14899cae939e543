import { osaDistance } from '../../../likeness.ts'

/** A word that many are compared with. */
export type Pattern = {
  /** Insertions, deletions, replacements and swaps of neighbours to bytes[from, to); as `osaDistance`. */
  distanceTo(bytes: Uint8Array, from: number, to: number): number
}

const WORD = 31
const places = new Int32Array(128)
let prepared = ''

/** Words are ASCII. What is prepared for one word serves until another is compared: each is mostly compared many times. */
export const compilePattern = (word: string): Pattern => ({
  distanceTo(bytes, from, to) {
    if (word.length > WORD) return osaDistance(word, Buffer.from(bytes.subarray(from, to)).toString('latin1'))
    if (prepared !== word) prepare(word)
    return distance(word.length, bytes, from, to)
  },
})

function prepare(word: string): void {
  places.fill(0)
  for (let at = 0; at < word.length; at++) places[word.charCodeAt(at)]! |= 1 << at
  prepared = word
}

/** Hyyrö's recurrence, as in `likeness.ts`, with the whole of the shorter side in one machine word. */
function distance(length: number, bytes: Uint8Array, from: number, to: number): number {
  if (length === 0) return to - from
  const last = 1 << (length - 1)
  let up = -1
  let down = 0
  let same = 0
  let before = 0
  let edits = length
  for (let at = from; at < to; at++) {
    const here = places[bytes[at]!]!
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
