import { scoreNames, type PreparedQuery } from '../../scoring.ts'
import type { MarkNumber, Store } from './store.ts'

/** Marks that match only in part are results from this score on. */
const MIN_PARTIAL_SCORE = 0.5
/** From this score on a candidate is good, and the deep search is not needed. */
const GOOD_SCORE = 0.9

/** A result; it is the first of `groupCount` records with the same text. */
export type Ranked = { readonly number: MarkNumber; readonly groupCount: number }

type Options = {
  /**
   * Whether a mark passes the filter; only these are results. The others still count for `hasGood`, so that a filter does not
   * change which marks are candidates.
   */
  readonly keeps: (mark: MarkNumber) => boolean
  /** Number of best marks needed. The others are counted, and scored only if that is needed to count them. */
  readonly wanted: number
}

/** Ranks candidates. Each is scored at most once, and not at all if its upper bound is too low for the `wanted` best. */
export function createRanking(store: Store, query: PreparedQuery, { keeps, wanted }: Options) {
  const { bound, boundByLength, isOneSpelling, isNew, names } = store.reader(query)
  const best = createBestScores(wanted)
  const ranked: { readonly number: MarkNumber; readonly score: number }[] = []
  let hasGood = false
  let count = 0

  const put = (number: MarkNumber, score: number) => {
    if (score < best.minScore()) return
    best.put(score)
    ranked.push({ number, score })
  }
  /** The score; a result below `min` or `enough` only says that the score is below it. */
  const compare = (number: MarkNumber, min: number, enough = 0): number => {
    const score = scoreNames(query, names(number), min, enough)
    if (score >= GOOD_SCORE) hasGood = true
    return score
  }
  const scoreOf = (number: MarkNumber, min: number): number =>
    boundByLength(number) < min || bound(number) < min ? 0 : compare(number, min)
  const checkIfGood = (number: MarkNumber) => {
    if (!hasGood) scoreOf(number, GOOD_SCORE)
  }

  function addWhole(numbers: readonly MarkNumber[]): void {
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at]!
      if (!isNew(number)) continue
      if (keeps(number)) {
        count++
        put(number, scoreOf(number, best.minScore()))
      } else checkIfGood(number)
    }
  }

  return {
    /** Marks with exactly the letters of the query in one of their spellings. */
    addSame(numbers: readonly MarkNumber[]): void {
      if (numbers.length > 0) hasGood = true
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at]!
        if (!isNew(number) || !keeps(number)) continue
        count++
        put(number, isOneSpelling(number) ? 1 : scoreOf(number, best.minScore()))
      }
    },
    /** Marks that are results whatever their score. */
    addWhole,
    /** `addWhole` for marks that were looked up with the filter: they do not count for `hasGood`. */
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
          checkIfGood(number)
          continue
        }
        // The exact score of a result that is not among the best does not matter.
        const enough = hasGood ? best.minScore() : Math.min(best.minScore(), GOOD_SCORE)
        const score = compare(number, MIN_PARTIAL_SCORE, enough)
        if (score < MIN_PARTIAL_SCORE) continue
        count++
        put(number, score)
      }
    },
    /** Whether any candidate is good, even one that does not pass the filter. */
    hasGood: (): boolean => hasGood,
    count: (): number => count,
    /** Best first. */
    page: (offset: number, limit: number): Ranked[] =>
      inOrder()
        .slice(offset, offset + limit)
        .map((number) => ({ number, groupCount: 1 })),
    /** The best record of each text. `wanted` must be Infinity. */
    groups: (): Ranked[] => groupByText(store, names, inOrder()),
  }

  function inOrder(): MarkNumber[] {
    const minScore = best.minScore()
    return ranked
      .filter(({ score }) => score >= minScore)
      .map(({ number, score }) => ({ number, score, tieKey: store.tieKey(number) }))
      .sort((a, b) => b.score - a.score || a.tieKey - b.tieKey)
      .map(({ number }) => number)
  }
}

type Names = ReturnType<Store['reader']>['names']

/** The first of the marks with the same text, and how many there are. */
function groupByText(store: Store, names: Names, numbers: readonly MarkNumber[]): Ranked[] {
  const groups = new Map<string, { number: MarkNumber; groupCount: number }>()
  for (const number of numbers) {
    const text = textOf(store, names, number)
    const group = groups.get(text)
    if (group) group.groupCount++
    else groups.set(text, { number, groupCount: 1 })
  }
  return [...groups.values()]
}

/** The words of the mark; its unchanged text if it has no words. */
function textOf(store: Store, names: Names, number: MarkNumber): string {
  const words = names(number)[0]!
    .map(({ token }) => token)
    .join(' ')
  return words === '' ? `"${store.recordOfMark(number).mark}"` : words
}

/** The `count` best scores: a binary heap with the lowest of them on top. */
function createBestScores(count: number) {
  const heap: number[] = []
  return {
    minScore: (): number => (heap.length < count ? 0 : heap[0]!),
    put(score: number): void {
      if (count === Infinity) return
      if (heap.length < count) {
        let at = heap.push(score) - 1
        for (let up = (at - 1) >> 1; at > 0 && heap[up]! > score; at = up, up = (at - 1) >> 1) heap[at] = heap[up]!
        heap[at] = score
      } else if (score > heap[0]!) {
        let at = 0
        for (let down = 1; down < count; down = 2 * at + 1) {
          if (down + 1 < count && heap[down + 1]! < heap[down]!) down++
          if (heap[down]! >= score) break
          heap[at] = heap[down]!
          at = down
        }
        heap[at] = score
      }
    },
  }
}
