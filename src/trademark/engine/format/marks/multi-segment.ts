import type { MarkNumber, Term } from '../../search/store.ts'
import { blockValueAt, openBlocks } from '../blocks.ts'
import { openBitPacked } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { openMarksIndex } from './marks-index.ts'
import { NO_WORD } from './words-index.ts'
import type { Group } from './mark-lookup.ts'

export type MultiSegment = ReturnType<typeof openMultiSegment>

/** All segments as one: mark numbers are ordinals plus the segment's base. */
export function openMultiSegment(segments: readonly SegmentReader[]) {
  let next = 0
  const all = segments.map((segment) => {
    const marks = openMarksIndex(segment)
    const base = next
    next += marks.count
    return {
      marks,
      base,
      ids: openBlocks(segment.numbers('ids')),
      serials: openBlocks(segment.numbers('serials')),
      tieRanks: openBitPacked(segment.numbers('tie-ranks')),
      /** Unions of posting lists that the current search has built, and the bitmaps lent to them. */
      groups: new Map<readonly Term[], Group>(),
      bitmaps: createBitmaps(marks.count),
    }
  })
  /** The index of a mark's segment. */
  const at = (mark: MarkNumber): number => {
    let position = all.length - 1
    while (all[position]!.base > mark) position--
    return position
  }
  const of = (mark: MarkNumber) => all[at(mark)]!
  const compare = (a: MarkNumber, b: MarkNumber): number => {
    const [one, two] = [of(a), of(b)]
    // Within one segment ordinals are the order.
    if (one === two) return a - b
    const [position, other] = [a - one.base, b - two.base]
    return (
      one.marks.lengthOf(position) - two.marks.lengthOf(other) ||
      blockValueAt(one.serials, one.marks.numberOf(position)) - blockValueAt(two.serials, two.marks.numberOf(other))
    )
  }
  const frequencyCaches = all.map(() => createFrequencyCache())
  /** Document frequency over all segments of a word of one segment; cached, since it needs a lookup in each of them. */
  const frequencyOf = (at: number, word: number): number => {
    const { marks } = all[at]!
    if (all.length === 1) return marks.frequencyOf(word)
    const { words, values } = frequencyCaches[at]!
    const position = word % FREQUENCY_CACHE_SLOTS
    if (words[position] !== word) {
      const token = marks.vocabulary.wordText(word)
      let sum = 0
      for (const one of all) {
        const number = one.marks.find(token)
        if (number !== NO_WORD) sum += one.marks.frequencyOf(number)
      }
      words[position] = word
      values[position] = sum
    }
    return values[position]!
  }
  const seen = new Uint32Array(Math.ceil(next / 32))
  const last: MarkNumber[] = []
  /** True the first time a mark is passed since the last `forget`. */
  const isNew = (mark: MarkNumber): boolean => {
    const bit = 1 << (mark & 31)
    const bits = seen[mark >>> 5]!
    if ((bits & bit) !== 0) return false
    seen[mark >>> 5] = bits | bit
    last.push(mark)
    return true
  }
  /** Resets the state of the previous search. */
  const forget = () => {
    for (let at = 0; at < last.length; at++) seen[last[at]! >>> 5] = 0
    last.length = 0
    for (const { groups, bitmaps } of all) {
      groups.clear()
      bitmaps.release()
    }
  }
  return {
    forget,
    isNew,
    all,
    at,
    of,
    frequencyOf,
    merge: (a: MarkNumber[], b: MarkNumber[], max: number) => merge(a, b, compare, max),
  }
}

/** Size of the frequency cache per segment; each thread has its own. */
const FREQUENCY_CACHE_SLOTS = 1 << 16

/** Direct-mapped: a word replaces whichever word was in its slot. */
const createFrequencyCache = () => ({
  words: new Int32Array(FREQUENCY_CACHE_SLOTS).fill(NO_WORD),
  values: new Uint32Array(FREQUENCY_CACHE_SLOTS),
})

type Compare = (a: MarkNumber, b: MarkNumber) => number

/** Merges two sorted lists. Usually one is much longer (the base segment's), so each of the shorter is found by galloping. */
function merge(a: MarkNumber[], b: MarkNumber[], compare: Compare, max: number): MarkNumber[] {
  const [long, short] = a.length < b.length ? [b, a] : [a, b]
  const merged: MarkNumber[] = []
  let from = 0
  for (let at = 0; at < short.length && merged.length < max; at++) {
    const to = gallop(long, from, short[at]!, compare)
    for (; from < to && merged.length < max; from++) merged.push(long[from]!)
    if (merged.length < max) merged.push(short[at]!)
  }
  for (; from < long.length && merged.length < max; from++) merged.push(long[from]!)
  return merged
}

/** The end of the elements before `than`: galloping search from `from`. */
function gallop(all: readonly MarkNumber[], from: number, than: MarkNumber, compare: Compare): number {
  let low = from
  let step = 1
  while (low + step <= all.length && compare(all[low + step - 1]!, than) < 0) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, all.length)
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(all[middle]!, than) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A pool of zeroed bitmaps with a bit for each mark; allocating one per use would cost more than the search itself. */
function createBitmaps(marks: number) {
  const all: Uint32Array[] = []
  let borrowed = 0
  return {
    borrow(): Uint32Array {
      if (borrowed === all.length) all.push(new Uint32Array(Math.ceil(marks / 32)))
      return all[borrowed++]!
    },
    release(): void {
      while (borrowed > 0) all[--borrowed]!.fill(0)
    },
  }
}
