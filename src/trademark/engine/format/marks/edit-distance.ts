import { createBitParallelDistance, editDistance, MAX_BIT_PARALLEL_LENGTH } from '../../../edit-distance.ts'

/** A word prepared for comparison with many others. */
export type Pattern = {
  /** Edit distance (optimal string alignment) to bytes[from, to); equals `editDistance`. */
  distanceTo(bytes: Uint8Array, from: number, to: number): number
}

/**
 * For each letter, the positions of the prepared word where it stands, as bits. Module-level: one word at a time is compared
 * with thousands of others, and a table for each pattern would be garbage after every search.
 */
const letterPositions = new Int32Array(128)
const distance = createBitParallelDistance(letterPositions)
let prepared = ''

/** Words are ASCII. The table is filled when another word than the last one is compared. */
export const compilePattern = (word: string): Pattern => ({
  distanceTo(bytes, from, to) {
    if (word.length > MAX_BIT_PARALLEL_LENGTH)
      return editDistance(word, Buffer.from(bytes.subarray(from, to)).toString('latin1'))
    if (prepared !== word) prepare(word)
    return distance(word.length, bytes, from, to)
  },
})

function prepare(word: string): void {
  letterPositions.fill(0)
  for (let at = 0; at < word.length; at++) letterPositions[word.charCodeAt(at)]! |= 1 << at
  prepared = word
}
