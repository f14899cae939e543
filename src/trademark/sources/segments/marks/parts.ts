import type { MarkNumber, Term } from '../../matching/store.ts'
import type { OpenSegment } from '../part.ts'
import { openMarks } from './open.ts'
import type { Group } from './sets.ts'

export type Parts = ReturnType<typeof createParts>

/** Marks are numbered through all segments: those of the first, then those of the second. */
export function createParts(segments: readonly OpenSegment[]) {
  let next = 0
  const all = segments.map((segment) => {
    const marks = openMarks(segment)
    const base = next
    next += marks.numbers.length
    return {
      segment,
      marks,
      base,
      serials: segment.numbers('serials'),
      /** The words that the search at hand has asked about together, and what their marks are written down in. */
      groups: new Map<readonly Term[], Group>(),
      bitmaps: createBitmaps(marks.numbers.length),
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
      one.marks.lengths[place]! - two.marks.lengths[other]! ||
      one.serials[one.marks.numbers[place]!]! - two.serials[two.marks.numbers[other]!]!
    )
  }
  /** In how many marks of all segments a word of one of them is; remembered, since the others have to be asked for it. */
  const known = all.map(({ marks }) => new Uint32Array(all.length > 1 ? marks.vocabulary.size : 0))
  const frequencyOf = (at: number, word: number): number => {
    const { marks } = all[at]!
    if (all.length === 1) return marks.frequencyOf(word)
    if (known[at]![word] === 0) {
      const token = marks.vocabulary.tokenOf(word)
      const numbers = all.map((one) => one.marks.find(token))
      known[at]![word] =
        1 + numbers.reduce((sum, number, i) => sum + (number < 0 ? 0 : all[i]!.marks.frequencyOf(number)), 0)
    }
    return known[at]![word]! - 1
  }
  /** Before another search: what was put together for the one before is gone. */
  const forget = () => {
    for (const { groups, bitmaps } of all) {
      groups.clear()
      bitmaps.giveBack()
    }
  }
  return {
    forget,
    all,
    at,
    of,
    frequencyOf,
    compare,
    merge: (a: MarkNumber[], b: MarkNumber[], most: number) => merge(a, b, compare, most),
  }
}

function merge(a: MarkNumber[], b: MarkNumber[], compare: (a: MarkNumber, b: MarkNumber) => number, most: number) {
  const merged: MarkNumber[] = []
  for (let i = 0, j = 0; merged.length < most && (i < a.length || j < b.length);)
    merged.push(j === b.length || (i < a.length && compare(a[i]!, b[j]!) < 0) ? a[i++]! : b[j++]!)
  return merged
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
