import type { Sections } from '../segment-file.ts'
import { openBitPacked, bitPack, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'

/** Between a mark and the other spellings of it, while a segment is built. */
export const SPELLING_SEPARATOR = 0xffff_ffff

/** Of every so manyth mark it is written down where its words begin; those of the others are counted from there. */
const STEP = 8

/**
 * The words of marks one after the other; `ends` is where those of each mark end, and `size` how many different words
 * there are. Each has a bit that is set for the last one of a mark; the word after all words parts its spellings.
 */
export function encodeForwardIndex(words: Uint32Array, ends: Uint32Array, size: number): Sections {
  const begins = new Uint32Array(Math.ceil(ends.length / STEP))
  for (let at = 1; at < begins.length; at++) begins[at] = ends[at * STEP - 1]!
  let mark = 0
  const entryOf = (at: number) => {
    const isLast = ends[mark] === at + 1
    if (isLast) mark++
    return 2 * (words[at] === SPELLING_SEPARATOR ? size : words[at]!) + (isLast ? 1 : 0)
  }
  return { 'marks.begins': begins, 'marks.words': bitPack(words.length, 2 * size + 1, entryOf) }
}

/** The words of one spelling are words[begin, end). Says whether to go on with the next. */
type VisitName = (words: Uint32Array, begin: number, end: number) => boolean

/** Calls `visit` for the mark in this place, though it may have no words, and for each other spelling of it. */
type EachName = (place: number, visit: VisitName) => void

export function openForwardIndex(segment: SegmentReader, size: number): EachName {
  const begins = segment.numbers('marks.begins')
  const packed = openBitPacked(segment.numbers('marks.words'))
  let words = new Uint32Array(64)
  return (place, visit) => {
    let at = begins[Math.floor(place / STEP)]!
    for (let left = place % STEP; left > 0; at++) left -= valueAt(packed, at) & 1
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
