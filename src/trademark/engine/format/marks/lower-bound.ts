import { MAX_WORDS } from '../../../pairing.ts'
import { MAX_PAIRED_SCORE, MIN_SAME_SOUND_SCORE, PSEUDO_MARK_WEIGHT, SCORE_WEIGHTS } from '../../../score-weights.ts'
import type { PreparedQuery } from '../../../scoring.ts'
import type { Word } from '../../../word-match.ts'
import type { MarksIndex } from './marks-index.ts'

/** Keeps rounding errors from making the bound too high. */
const ROUNDING_MARGIN = 1e-9

/**
 * A lower bound of a mark's score from the words that were compared before; other words count as unlike. Enough to count
 * most marks as results without scoring them.
 */
export function createLowerBound(
  marks: MarksIndex,
  query: PreparedQuery,
  known: ReadonlyMap<number, Word>,
  weightOf: (word: number) => number,
) {
  const size = query.words.length
  const best = new Float64Array(size)
  const heard = new Uint8Array(size)
  let lowerBound = 0
  let share = 1

  const visit = (words: Uint32Array, begin: number, end: number) => {
    let weight = query.weight
    let matched = 0
    let sounding = 0
    best.fill(0)
    heard.fill(0)
    for (let at = begin; at < end && at < begin + MAX_WORDS; at++) {
      const word = known.get(words[at]!)
      if (word === undefined) {
        weight += weightOf(words[at]!)
        continue
      }
      weight += word.weight
      let bestLikeness = 0
      let isHeard = false
      for (let i = 0; i < size; i++) {
        const likeness = word.likeness[i]!
        if (likeness > best[i]!) best[i] = likeness
        if (likeness > bestLikeness) bestLikeness = likeness
        if (word.sounds[i] === true) {
          heard[i] = 1
          isHeard = true
        }
      }
      matched += word.weight * bestLikeness
      if (isHeard) sounding += word.weight
    }
    for (let i = 0; i < size; i++) {
      matched += query.weights[i]! * best[i]!
      sounding += query.weights[i]! * heard[i]!
    }
    const sound = Math.min(MIN_SAME_SOUND_SCORE, (MAX_PAIRED_SCORE * sounding) / weight)
    const spelling = (MAX_PAIRED_SCORE * matched) / weight
    if (end > begin)
      lowerBound = Math.max(lowerBound, share * (SCORE_WEIGHTS.spelling * spelling + SCORE_WEIGHTS.sound * sound))
    share = PSEUDO_MARK_WEIGHT
    return true
  }

  return (ordinal: number): number => {
    lowerBound = 0
    share = 1
    marks.eachName(ordinal, visit)
    return lowerBound - ROUNDING_MARGIN
  }
}
