import type { MarkNumber, Term } from '../../search/store.ts'
import { blockValueAt, openBlocks } from '../blocks.ts'
import { openBitPacked } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { NO_WORD, openMarksIndex } from './marks-index.ts'
import type { Group } from './mark-lookup.ts'

export type MultiSegment = ReturnType<typeof openMultiSegment>

/** Marks are numbered through all segments: those of the first, then those of the second. */
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
      /** The words that the search at hand has asked about together, and what their marks are written down in. */
      groups: new Map<readonly Term[], Group>(),
      bitmaps: createBitmaps(marks.count),
    }
  })
  /** Which segment a mark is of. */
  const at = (mark: MarkNumber): number => {
    let place = all.length - 1
    while (all[place]!.base > mark) place--
    return place
  }
  const of = (mark: MarkNumber) => all[at(mark)]!
  const compare = (a: MarkNumber, b: MarkNumber): number => {
    const [one, two] = [of(a), of(b)]
    // Within one segment they are in order.
    if (one === two) return a - b
    const [place, other] = [a - one.base, b - two.base]
    return (
      one.marks.lengthOf(place) - two.marks.lengthOf(other) ||
      blockValueAt(one.serials, one.marks.numberOf(place)) - blockValueAt(two.serials, two.marks.numberOf(other))
    )
  }
  const memories = all.map(() => createMemory())
  /** In how many marks of all segments a word of one of them is; remembered, since the others have to be asked for it. */
  const frequencyOf = (at: number, word: number): number => {
    const { marks } = all[at]!
    if (all.length === 1) return marks.frequencyOf(word)
    const { words, values } = memories[at]!
    const place = word % REMEMBERED
    if (words[place] !== word) {
      const token = marks.vocabulary.tokenOf(word)
      let sum = 0
      for (const one of all) {
        const number = one.marks.find(token)
        if (number !== NO_WORD) sum += one.marks.frequencyOf(number)
      }
      words[place] = word
      values[place] = sum
    }
    return values[place]!
  }
  const seen = new Uint32Array(Math.ceil(next / 32))
  const last: MarkNumber[] = []
  /** Whether nobody has asked this about the mark since the last `forget`. */
  const isNew = (mark: MarkNumber): boolean => {
    const bit = 1 << (mark & 31)
    const bits = seen[mark >>> 5]!
    if ((bits & bit) !== 0) return false
    seen[mark >>> 5] = bits | bit
    last.push(mark)
    return true
  }
  /** Before another search: what was put together for the one before is gone. */
  const forget = () => {
    for (let at = 0; at < last.length; at++) seen[last[at]! >>> 5] = 0
    last.length = 0
    for (const { groups, bitmaps } of all) {
      groups.clear()
      bitmaps.giveBack()
    }
  }
  return {
    forget,
    isNew,
    all,
    at,
    of,
    frequencyOf,
    merge: (a: MarkNumber[], b: MarkNumber[], most: number) => merge(a, b, compare, most),
  }
}

/** Words of a segment that are remembered: of millions only these, since each thread has a memory of its own. */
const REMEMBERED = 1 << 16

/** Each word has one place, which it shares with others: whoever came last is in it. */
const createMemory = () => ({
  words: new Int32Array(REMEMBERED).fill(NO_WORD),
  values: new Uint32Array(REMEMBERED),
})

type Compare = (a: MarkNumber, b: MarkNumber) => number

/** Both in order, into one. Mostly one is long and the other short, a day's: that one is looked up in the long one. */
function merge(a: MarkNumber[], b: MarkNumber[], compare: Compare, most: number): MarkNumber[] {
  const [long, short] = a.length < b.length ? [b, a] : [a, b]
  const merged: MarkNumber[] = []
  let from = 0
  for (let at = 0; at < short.length && merged.length < most; at++) {
    const to = endOfSmaller(long, from, short[at]!, compare)
    for (; from < to && merged.length < most; from++) merged.push(long[from]!)
    if (merged.length < most) merged.push(short[at]!)
  }
  for (; from < long.length && merged.length < most; from++) merged.push(long[from]!)
  return merged
}

/** Where those end that come before this one, looked for in longer and longer steps and then between the last two. */
function endOfSmaller(all: readonly MarkNumber[], from: number, than: MarkNumber, compare: Compare): number {
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

/** Room for a bit for each mark, used again and again: to make it anew each time would cost more than all that is done with it. */
function createBitmaps(marks: number) {
  const all: Uint32Array[] = []
  let borrowed = 0
  return {
    borrow(): Uint32Array {
      if (borrowed === all.length) all.push(new Uint32Array(Math.ceil(marks / 32)))
      return all[borrowed++]!
    },
    giveBack(): void {
      while (borrowed > 0) all[--borrowed]!.fill(0)
    },
  }
}
