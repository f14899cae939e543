import { scoreNames, type PreparedQuery } from '../../scoring.ts'
import type { MarkNumber, Store } from './store.ts'

/** What is only similar in part is not similar below this. */
const MIN_PARTIAL_SCORE = 0.5
/** With a candidate as good as this the deep search is not needed. */
const GOOD = 0.9

/** A result, and of how many records of its text it is the first. */
export type Ranked = { readonly number: MarkNumber; readonly groupCount: number }

type Options = {
  /** Only these are results. The others decide whether there is a good one, so that a filter never changes what is found. */
  readonly keeps: (mark: MarkNumber) => boolean
  /** How many of the best are needed; the others are counted, and scored only where that is needed to count them. */
  readonly wanted: number
}

/** Puts candidates in order. Each is scored at most once, and not at all if as many as wanted are better than it can be. */
export function createRanking(store: Store, query: PreparedQuery, { keeps, wanted }: Options) {
  const { bound, boundByLength, lowerBound, isOneSpelling, isNew, names } = store.reader(query)
  const best = createBest(wanted)
  const ranked: { readonly number: MarkNumber; readonly score: number }[] = []
  let hasGood = false
  let count = 0

  const put = (number: MarkNumber, score: number) => {
    if (score < best.least()) return
    best.put(score)
    ranked.push({ number, score })
  }
  /** The score, or any number below `least` where it is below. */
  const compare = (number: MarkNumber, least: number): number => {
    const score = scoreNames(query, names(number), least)
    if (score >= GOOD) hasGood = true
    return score
  }
  const scoreOf = (number: MarkNumber, least: number): number =>
    boundByLength(number) < least || bound(number) < least ? 0 : compare(number, least)
  const inspect = (number: MarkNumber) => {
    if (!hasGood) scoreOf(number, GOOD)
  }

  function addWhole(numbers: readonly MarkNumber[]): void {
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at]!
      if (!isNew(number)) continue
      if (keeps(number)) {
        count++
        put(number, scoreOf(number, best.least()))
      } else inspect(number)
    }
  }

  return {
    /** Marks with the very letters of the search in one of their spellings. */
    addSame(numbers: readonly MarkNumber[]): void {
      if (numbers.length > 0) hasGood = true
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at]!
        if (!isNew(number) || !keeps(number)) continue
        count++
        put(number, isOneSpelling(number) ? 1 : scoreOf(number, best.least()))
      }
    },
    /** Marks that are results whatever their score. */
    addWhole,
    /** The same of marks that only this filter brought up: what else is found does not depend on them. */
    addFiltered(numbers: readonly MarkNumber[]): void {
      const before = hasGood
      addWhole(numbers)
      hasGood = before
    },
    /** Marks that are results if they are similar enough. */
    addPartial(numbers: readonly MarkNumber[]): void {
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at]!
        if (!isNew(number)) continue
        if (!keeps(number)) {
          inspect(number)
          continue
        }
        const most = bound(number)
        if (most < MIN_PARTIAL_SCORE) continue
        // Too far down for its exact score to matter.
        if (most < best.least() && lowerBound(number) >= MIN_PARTIAL_SCORE) {
          count++
          continue
        }
        const score = compare(number, MIN_PARTIAL_SCORE)
        if (score < MIN_PARTIAL_SCORE) continue
        count++
        put(number, score)
      }
    },
    /** Whether a candidate is good, whether or not the filter lets it through. */
    hasGood: (): boolean => hasGood,
    count: (): number => count,
    /** Best first. */
    page: (offset: number, limit: number): Ranked[] =>
      inOrder()
        .slice(offset, offset + limit)
        .map((number) => ({ number, groupCount: 1 })),
    /** One for each text: the best record of it. All must have been wanted. */
    groups(): Ranked[] {
      const groups = new Map<string, { number: MarkNumber; groupCount: number }>()
      for (const number of inOrder()) {
        const text = textOf(number)
        const group = groups.get(text)
        if (group) group.groupCount++
        else groups.set(text, { number, groupCount: 1 })
      }
      return [...groups.values()]
    },
  }

  function inOrder(): MarkNumber[] {
    const least = best.least()
    return ranked
      .filter(({ score }) => score >= least)
      .map(({ number, score }) => ({ number, score, tieKey: store.tieKey(number) }))
      .sort((a, b) => b.score - a.score || a.tieKey - b.tieKey)
      .map(({ number }) => number)
  }

  /** The words of the mark, or the text as it is where that has none. */
  function textOf(number: MarkNumber): string {
    const words = names(number)[0]!
      .map(({ token }) => token)
      .join(' ')
    return words === '' ? `"${store.recordOfMark(number).mark}"` : words
  }
}

/** Tracks the score needed to be among the best `most`: a heap with the lowest of them on top. */
function createBest(most: number) {
  const heap: number[] = []
  return {
    least: (): number => (heap.length < most ? 0 : heap[0]!),
    put(score: number): void {
      if (most === Infinity) return
      if (heap.length < most) {
        let at = heap.push(score) - 1
        for (let up = (at - 1) >> 1; at > 0 && heap[up]! > score; at = up, up = (at - 1) >> 1) heap[at] = heap[up]!
        heap[at] = score
      } else if (score > heap[0]!) {
        let at = 0
        for (let down = 1; down < most; down = 2 * at + 1) {
          if (down + 1 < most && heap[down + 1]! < heap[down]!) down++
          if (heap[down]! >= score) break
          heap[at] = heap[down]!
          at = down
        }
        heap[at] = score
      }
    },
  }
}
