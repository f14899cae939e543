import { createBitParallelDistance, editDistance, MAX_BIT_PARALLEL_LENGTH } from '../../../edit-distance.ts'

/** A word that many are compared with. */
export type Pattern = {
  /** Insertions, deletions, replacements and swaps of neighbours to bytes[from, to); as `editDistance`. */
  distanceTo(bytes: Uint8Array, from: number, to: number): number
}

const places = new Int32Array(128)
const distance = createBitParallelDistance(places)
let prepared = ''

/** Words are ASCII. What is prepared for one word serves until another is compared: each is mostly compared many times. */
export const patternOf = (word: string): Pattern => ({
  distanceTo(bytes, from, to) {
    if (word.length > MAX_BIT_PARALLEL_LENGTH)
      return editDistance(word, Buffer.from(bytes.subarray(from, to)).toString('latin1'))
    if (prepared !== word) prepare(word)
    return distance(word.length, bytes, from, to)
  },
})

function prepare(word: string): void {
  places.fill(0)
  for (let at = 0; at < word.length; at++) places[word.charCodeAt(at)]! |= 1 << at
  prepared = word
}
