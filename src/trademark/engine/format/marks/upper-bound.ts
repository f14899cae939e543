import { MAX_UNITS } from '../../../edit-distance.ts'
import { MAX_WORDS } from '../../../pairing.ts'
import { CONTAINMENT_WEIGHT, MAX_PAIRED_SCORE, SCORE_WEIGHTS } from '../../../score-weights.ts'
import { MAX_PREFIX_BONUS } from '../../../similarity.ts'
import type { PreparedQuery } from '../../../scoring.ts'
import { homophonesOf, allPluralsAndSingularsOf } from '../../../tokenize.ts'
import { spellingScore } from '../../../word-match.ts'
import { letterBit, popCount, letterMaskOfText } from './letter-masks.ts'
import { findCode } from './word-lookup.ts'
import type { MarksIndex } from './marks-index.ts'
import { NO_WORD } from './words-index.ts'
import { WORD_ENTRY } from './vocabulary.ts'

/** A word of the query, or all of it without spaces. */
type QueryToken = {
  readonly length: number
  /** Letter mask of its first letter. */
  readonly first: number
  readonly letters: number
  /** Its code numbers in this segment; -1 if the segment does not have the code. */
  readonly primary: number
  readonly alternate: number
  /** Words of this segment that count as the same: plurals, number words, joined neighbours. */
  readonly same: Int32Array
}

function isSame({ primary, alternate, same }: QueryToken, word: number, one: number, two: number): boolean {
  if (one === primary || one === alternate || two === primary || two === alternate) return true
  for (let at = 0; at < same.length; at++) if (same[at] === word) return true
  return false
}

/** Keeps rounding errors from making the bound too low. */
const ROUNDING_MARGIN = 1e-9

/**
 * An upper bound of a mark's score from the lengths and letter masks of its words, without reading them. Of thousands of
 * marks with a common word only a few have to be scored in full.
 */
export function createUpperBound(marks: MarksIndex, query: PreparedQuery, weightOf: (word: number) => number) {
  const { wordEntries, beginOf, endOf } = marks.vocabulary
  const tokens = query.tokens.map((token, at): QueryToken => prepareToken(marks, query, token, at))
  const whole = prepareToken(marks, query, query.squash, -1)
  const best = new Float64Array(tokens.length)
  const sizeOf = (word: number) => endOf(word) - beginOf(word)

  /** Upper bound of the likeness of a word and a query token. */
  const maxWordLikeness = (token: QueryToken, word: number, length: number) => {
    const entryAt = WORD_ENTRY.size * word
    if (isSame(token, word, wordEntries[entryAt + WORD_ENTRY.primary]!, wordEntries[entryAt + WORD_ENTRY.alternate]!))
      return 1
    return spellingScore(maxSpelling(token, wordEntries[entryAt + WORD_ENTRY.letters]!, length))
  }

  const ofName = (words: Uint32Array, begin: number, end: number): number => {
    let length = 0
    let united = 0
    let weight = 0
    let matched = 0
    let before = 0
    best.fill(0)
    for (let at = begin; at < end && at < begin + MAX_WORDS; at++) {
      const word = words[at]!
      const size = sizeOf(word)
      const next = at + 1 < end ? sizeOf(words[at + 1]!) : 0
      let max = 0
      for (let i = 0; i < tokens.length; i++) {
        const token = tokens[i]!
        // Two words of the mark may be one token of the query.
        const isJoined = (before > 0 && before + size === token.length) || (next > 0 && size + next === token.length)
        const likeness = isJoined ? 1 : maxWordLikeness(token, word, size)
        if (likeness > best[i]!) best[i] = likeness
        if (likeness > max) max = likeness
      }
      const ofWord = weightOf(word)
      weight += ofWord
      matched += ofWord * max
      length += size
      united |= wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.letters]!
      before = size
    }
    if (end - begin > MAX_WORDS || length >= MAX_UNITS) return 1
    for (let i = 0; i < tokens.length; i++) matched += query.weights[i]! * best[i]!
    if (length === whole.length && (united ^ whole.letters) === 0) return 1
    const byWords = (MAX_PAIRED_SCORE * matched) / (query.weight + weight)
    const spelled = maxSpelling(whole, united, length)
    const alike = Math.max(byWords, spelled, maxContained(whole, united, length))
    const prefix = (united & whole.first) !== 0 ? SCORE_WEIGHTS.prefix : 0
    return SCORE_WEIGHTS.spelling * alike + SCORE_WEIGHTS.sound + prefix + ROUNDING_MARGIN
  }

  let max = 0
  const visit = (words: Uint32Array, begin: number, end: number) => {
    if (end > begin) max = Math.max(max, ofName(words, begin, end))
    return true
  }
  return (ordinal: number): number => {
    max = 0
    marks.eachName(ordinal, visit)
    return max
  }
}

function prepareToken(marks: MarksIndex, query: PreparedQuery, token: string, at: number): QueryToken {
  // A word that joins two neighbours of the query counts as the same.
  const joined = at < 0 ? [] : [`${query.tokens[at - 1] ?? ''}${token}`, `${token}${query.tokens[at + 1] ?? ''}`]
  const codeOf = (which: 0 | 1) => {
    const code = query.words[at]?.codes[which] ?? ''
    return code.length > 1 ? findCode(marks, code) : -1
  }
  const same = [token, ...allPluralsAndSingularsOf(token), ...homophonesOf(token), ...joined]
  return {
    length: token.length,
    first: letterBit(token.charCodeAt(0)),
    letters: letterMaskOfText(token),
    primary: codeOf(0),
    alternate: codeOf(1),
    same: Int32Array.from(new Set(same.map((one) => marks.find(one)).filter((word) => word !== NO_WORD))),
  }
}

/** Upper bound of `similarityOf` for words with these letter masks and lengths. */
function maxSpelling(token: QueryToken, letters: number, length: number): number {
  const onlyHere = popCount(token.letters & ~letters)
  const onlyThere = popCount(letters & ~token.letters)
  const common = Math.min(token.length - onlyHere, length - onlyThere)
  if (common <= 0) return 0
  const longest = Math.max(token.length, length)
  const jaro = (common / token.length + common / length + 1) / 3
  const winkler = (token.first & letters) !== 0 ? jaro + MAX_PREFIX_BONUS * (1 - jaro) : jaro
  const edits = Math.max(onlyHere, onlyThere, Math.abs(length - token.length))
  return (winkler + 1 - edits / longest) / 2
}

/** A text contains no other text whose letters it lacks. */
function maxContained(token: QueryToken, letters: number, length: number): number {
  const missing = token.length < length ? token.letters & ~letters : letters & ~token.letters
  return missing !== 0
    ? 0
    : CONTAINMENT_WEIGHT * Math.sqrt(Math.min(token.length, length) / Math.max(token.length, length))
}
