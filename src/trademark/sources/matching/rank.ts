import { scoreNames, type PreparedQuery } from '../../scoring.ts'
import type { Word } from '../../words.ts'
import type { MarkNumber, Store } from './store.ts'

/** What is only similar in part is not similar below this. */
const LEAST_SCORE = 0.5
/** Of marks that are all found so many are put in order by their score, the shortest; the others follow as they are. */
const MOST_SCORED = 1000
/**
 * Many records of one mark must not hide the marks that are like it: after so many of them the others have their place
 * as if they scored less, and each so many more as if still less.
 */
const COPIES = { together: 2, step: 0.1 }

/** Records of one mark with one score, and how many were seen. */
type Copies = { readonly words: readonly Word[]; count: number }

/** What decides on the place of the one with so many of its copies before it. */
const standing = (score: number, before: number) => score - COPIES.step * Math.floor(before / COPIES.together)

const areSame = (a: readonly Word[], b: readonly Word[]) =>
  a.length === b.length && a.every(({ token }, at) => token === b[at]!.token)

/**
 * Puts candidates in order, of which only the first `wanted` are needed. Each is scored at most once, and not at all
 * once as many are better than it can be.
 */
export function createRanking(store: Store, query: PreparedQuery, wanted: number) {
  const { bound, isNew, names } = store.reader(query)
  const best = createBest(wanted)
  const ranked: { readonly number: MarkNumber; readonly score: number; readonly copies: Copies }[] = []
  const byScore = new Map<number, Copies[]>()
  const after: MarkNumber[] = []
  let top = 0
  let count = 0
  const copiesOf = (words: readonly Word[], score: number): Copies => {
    let known = byScore.get(score)
    if (known === undefined) byScore.set(score, (known = []))
    let copies = known.find((one) => areSame(one.words, words))
    if (copies === undefined) known.push((copies = { words, count: 0 }))
    return copies
  }
  const deadLast = (a: MarkNumber, b: MarkNumber) => Number(store.isDead(a)) - Number(store.isDead(b))
  /** Whether the mark has at least this score. */
  const isScored = (number: MarkNumber, least: number): boolean => {
    if (bound(number) < least) return false
    const read = names(number)
    const score = scoreNames(query, read, least)
    if (score < least) return false
    const copies = copiesOf(read[0]!, score)
    // Which of them comes before which is not known yet, but how many there are.
    best.put(standing(score, copies.count++))
    ranked.push({ number, score, copies })
    if (score > top) top = score
    return true
  }
  return {
    /** These are what was looked for, and count whatever their score. They are added before the others. */
    addWhole(numbers: readonly MarkNumber[]): void {
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at]!
        if (!isNew(number)) continue
        count++
        if (at < MOST_SCORED) isScored(number, best.least())
        else after.push(number)
      }
    },
    /** Those that are similar enough count. */
    addPartial(numbers: readonly MarkNumber[]): void {
      for (const number of numbers) {
        if (isNew(number) && isScored(number, LEAST_SCORE)) count++
      }
    },
    top: (): number => top,
    count: (): number => count,
    /** Best first. */
    page(offset: number, limit: number): MarkNumber[] {
      const least = best.least()
      const before = new Map<Copies, number>()
      const first = ranked
        .filter(({ score }) => score >= least)
        .sort((a, b) => b.score - a.score || deadLast(a.number, b.number) || store.compare(a.number, b.number))
        .map(({ number, score, copies }) => {
          const ofCopies = before.get(copies) ?? 0
          before.set(copies, ofCopies + 1)
          return { number, standing: standing(score, ofCopies) }
        })
        .sort((a, b) => b.standing - a.standing)
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
