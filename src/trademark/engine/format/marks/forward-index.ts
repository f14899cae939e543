import type { Sections } from '../segment-file.ts'
import { openBitPacked, bitPack, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'

/** Separates the spellings of a mark while a segment is built. */
export const SPELLING_SEPARATOR = 0xffff_ffff

/** Every `STRIDE`-th mark stores a start offset; a reader skips forward from there. */
const STRIDE = 8

/**
 * The word numbers of each mark, bit-packed. `ends` holds the end of each mark in `words`, `size` is the size of the
 * vocabulary. Bit 0 of an entry is set for the last word of a mark; word number `size` separates spellings.
 */
export function encodeForwardIndex(words: Uint32Array, ends: Uint32Array, size: number): Sections {
  const begins = new Uint32Array(Math.ceil(ends.length / STRIDE))
  for (let at = 1; at < begins.length; at++) begins[at] = ends[at * STRIDE - 1]!
  let mark = 0
  const entryOf = (at: number) => {
    const isLast = ends[mark] === at + 1
    if (isLast) mark++
    return 2 * (words[at] === SPELLING_SEPARATOR ? size : words[at]!) + (isLast ? 1 : 0)
  }
  return { 'marks.begins': begins, 'marks.words': bitPack(words.length, 2 * size + 1, entryOf) }
}

/** The words of one spelling are words[begin, end). Returns whether to go on with the next spelling. */
type VisitName = (words: Uint32Array, begin: number, end: number) => boolean

/** Calls `visit` for the mark, even if it has no words, and for each other spelling. */
type EachName = (ordinal: number, visit: VisitName) => void

export function openForwardIndex(segment: SegmentReader, size: number): EachName {
  const begins = segment.numbers('marks.begins')
  const packed = openBitPacked(segment.numbers('marks.words'))
  let words = new Uint32Array(64)
  return (ordinal, visit) => {
    let at = begins[Math.floor(ordinal / STRIDE)]!
    for (let left = ordinal % STRIDE; left > 0; at++) left -= valueAt(packed, at) & 1
    let count = 0
    let entry
    do {
      entry = valueAt(packed, at++)
      if (count === words.length) {
        const larger = new Uint32Array(count * 2)
        larger.set(words)
        words = larger
      }
      words[count++] = entry >>> 1
    } while ((entry & 1) === 0)
    for (let from = 0, to = 0; to <= count; to++) {
      if (to < count && words[to] !== size) continue
      if (!visit(words, from, to)) return
      from = to + 1
    }
  }
}
