import { scoreNames, type PreparedQuery } from '../../scoring.ts'
import type { MarkNumber, Store } from './store.ts'

/** What is only similar in part is not similar below this. */
const LEAST_SCORE = 0.55
/** Of marks that are all found so many are put in order by their score, the shortest; the others follow as they are. */
const MOST_SCORED = 1000

/**
 * Puts candidates in order, of which only the first `wanted` are needed. Each is scored at most once, and not at all
 * once as many are better than it can be.
 */
export function createRanking(store: Store, query: PreparedQuery, wanted: number) {
  const { bound, names } = store.reader(query)
  const seen = new Set<MarkNumber>()
  const best = createBest(wanted)
  const ranked: { readonly number: MarkNumber; readonly score: number }[] = []
  const after: MarkNumber[] = []
  let top = 0
  let count = 0
  /** Whether the mark has at least this score. */
  const isScored = (number: MarkNumber, least: number): boolean => {
    if (bound(number) < least) return false
    const score = scoreNames(query, names(number), least)
    if (score < least) return false
    best.put(score)
    ranked.push({ number, score })
    if (score > top) top = score
    return true
  }
  return {
    /** These are what was looked for, and count whatever their score. They are added before the others. */
    addWhole(numbers: readonly MarkNumber[]): void {
      for (const [at, number] of numbers.entries()) {
        if (seen.has(number)) continue
        seen.add(number)
        count++
        if (at < MOST_SCORED) isScored(number, best.least())
        else after.push(number)
      }
    },
    /** Those that are similar enough count. */
    addPartial(numbers: readonly MarkNumber[]): void {
      for (const number of numbers) {
        if (seen.has(number)) continue
        seen.add(number)
        if (isScored(number, LEAST_SCORE)) count++
      }
    },
    top: (): number => top,
    count: (): number => count,
    /** Best first. */
    page(offset: number, limit: number): MarkNumber[] {
      const least = best.least()
      const first = ranked
        .filter(({ score }) => score >= least)
        .sort((a, b) => b.score - a.score || store.compare(a.number, b.number))
        .map(({ number }) => number)
      return (first.length < wanted ? first.concat(after) : first).slice(offset, offset + limit)
    },
  }
}

/** Knows how good one must be to be among the best so many: a heap with the worst of them on top. */
function createBest(most: number) {
  const heap: number[] = []
  return {
    least: (): number => (heap.length < most ? 0 : heap[0]!),
    put(score: number): void {
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
