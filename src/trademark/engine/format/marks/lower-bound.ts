import { MAX_PAIRED, MAX_WORDS } from '../../../pairing.ts'
import { type PreparedQuery, PSEUDO } from '../../../scoring.ts'
import type { Word } from '../../../words.ts'
import type { MarksIndex } from './marks-index.ts'

/** A mark that sounds the same as a whole scores at least this for sound; see `scoring.ts`. */
const MIN_SAME_SOUND = 0.7
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
  let least = 0
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
      let most = 0
      let isHeard = false
      for (let i = 0; i < size; i++) {
        const likeness = word.likeness[i]!
        if (likeness > best[i]!) best[i] = likeness
        if (likeness > most) most = likeness
        if (word.sounds[i] === true) {
          heard[i] = 1
          isHeard = true
        }
      }
      matched += word.weight * most
      if (isHeard) sounding += word.weight
    }
    for (let i = 0; i < size; i++) {
      matched += query.weights[i]! * best[i]!
      sounding += query.weights[i]! * heard[i]!
    }
    const sound = Math.min(MIN_SAME_SOUND, (MAX_PAIRED * sounding) / weight)
    if (end > begin) least = Math.max(least, share * (0.74 * ((MAX_PAIRED * matched) / weight) + 0.2 * sound))
    share = PSEUDO
    return true
  }

  return (ordinal: number): number => {
    least = 0
    share = 1
    marks.eachName(ordinal, visit)
    return least - ROUNDING_MARGIN
  }
}
