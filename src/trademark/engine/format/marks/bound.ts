import { MAX_UNITS } from '../../../edit-distance.ts'
import { CONTAINMENT_WEIGHT, MAX_PAIRED_SCORE, SCORE_WEIGHTS } from '../../../score-weights.ts'
import { MAX_PREFIX_BONUS } from '../../../similarity.ts'
import type { PreparedQuery } from '../../../scoring.ts'
import { homophonesOf, allPluralsAndSingularsOf } from '../../../tokenize.ts'
import { spellingScore } from '../../../word-match.ts'
import { bitOf, countBits, lettersOfText } from './letters.ts'
import { findCode } from './lookup.ts'
import { NO_WORD, type Marks } from './open.ts'
import { CARD } from './vocabulary.ts'

type Token = {
  readonly length: number
  /** The bit of its first letter. */
  readonly first: number
  readonly letters: number
  /** The numbers of its codes in this segment. */
  readonly primary: number
  readonly alternate: number
  /** Words of this segment that are this one by rule. */
  readonly same: Int32Array
}

function isSame({ primary, alternate, same }: Token, word: number, one: number, two: number): boolean {
  if (one === primary || one === alternate || two === primary || two === alternate) return true
  for (let at = 0; at < same.length; at++) if (same[at] === word) return true
  return false
}

/** Rounding must not make the least that can be said too little. */
const ROUNDING = 1e-9
const MAX_WORDS = 24

/**
 * The most that the score of a mark can be, from the lengths and letters of its words, without reading them: of
 * thousands of marks with a common word only a few have to be compared in full.
 */
export function createBound(marks: Marks, query: PreparedQuery, weightOf: (word: number) => number) {
  const { cards, beginOf, endOf } = marks.vocabulary
  const tokens = query.tokens.map((token, at): Token => tokenOf(marks, query, token, at))
  const whole = tokenOf(marks, query, query.squash, -1)
  const best = new Float64Array(tokens.length)
  const sizeOf = (word: number) => endOf(word) - beginOf(word)

  /** Of a word and a word of the search. */
  const mostOfWord = (token: Token, word: number, length: number) => {
    const card = CARD.size * word
    if (isSame(token, word, cards[card + CARD.primary]!, cards[card + CARD.alternate]!)) return 1
    return spellingScore(mostSpelled(token, cards[card + CARD.letters]!, length))
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
      let most = 0
      for (let i = 0; i < tokens.length; i++) {
        const token = tokens[i]!
        // Two words of the mark may be one of the search.
        const isJoined = (before > 0 && before + size === token.length) || (next > 0 && size + next === token.length)
        const likeness = isJoined ? 1 : mostOfWord(token, word, size)
        if (likeness > best[i]!) best[i] = likeness
        if (likeness > most) most = likeness
      }
      const ofWord = weightOf(word)
      weight += ofWord
      matched += ofWord * most
      length += size
      united |= cards[CARD.size * word + CARD.letters]!
      before = size
    }
    if (end - begin > MAX_WORDS || length >= MAX_UNITS) return 1
    for (let i = 0; i < tokens.length; i++) matched += query.weights[i]! * best[i]!
    if (length === whole.length && (united ^ whole.letters) === 0) return 1
    const byWords = (MAX_PAIRED_SCORE * matched) / (query.weight + weight)
    const spelled = mostSpelled(whole, united, length)
    const alike = Math.max(byWords, spelled, mostInside(whole, united, length))
    const prefix = (united & whole.first) !== 0 ? SCORE_WEIGHTS.prefix : 0
    return SCORE_WEIGHTS.spelling * alike + SCORE_WEIGHTS.sound + prefix + ROUNDING
  }

  let most = 0
  const visit = (words: Uint32Array, begin: number, end: number) => {
    if (end > begin) most = Math.max(most, ofName(words, begin, end))
    return true
  }
  return (place: number): number => {
    most = 0
    marks.eachName(place, visit)
    return most
  }
}

function tokenOf(marks: Marks, query: PreparedQuery, token: string, at: number): Token {
  // What is two neighbours of the search in one is as good as the same.
  const joined = at < 0 ? [] : [`${query.tokens[at - 1] ?? ''}${token}`, `${token}${query.tokens[at + 1] ?? ''}`]
  const codeOf = (which: 0 | 1) => {
    const code = query.words[at]?.codes[which] ?? ''
    return code.length > 1 ? findCode(marks, code) : -1
  }
  const same = [token, ...allPluralsAndSingularsOf(token), ...homophonesOf(token), ...joined]
  return {
    length: token.length,
    first: bitOf(token.charCodeAt(0)),
    letters: lettersOfText(token),
    primary: codeOf(0),
    alternate: codeOf(1),
    same: Int32Array.from(new Set(same.map((one) => marks.find(one)).filter((word) => word !== NO_WORD))),
  }
}

/** `similarityOf` is not above this for words with these letters and lengths. */
function mostSpelled(token: Token, letters: number, length: number): number {
  const onlyHere = countBits(token.letters & ~letters)
  const onlyThere = countBits(letters & ~token.letters)
  const common = Math.min(token.length - onlyHere, length - onlyThere)
  if (common <= 0) return 0
  const longest = Math.max(token.length, length)
  const jaro = (common / token.length + common / length + 1) / 3
  const winkler = (token.first & letters) !== 0 ? jaro + MAX_PREFIX_BONUS * (1 - jaro) : jaro
  const edits = Math.max(onlyHere, onlyThere, Math.abs(length - token.length))
  return (winkler + 1 - edits / longest) / 2
}

/** Nothing is inside a text without its letters. */
function mostInside(token: Token, letters: number, length: number): number {
  const missing = token.length < length ? token.letters & ~letters : letters & ~token.letters
  return missing !== 0
    ? 0
    : CONTAINMENT_WEIGHT * Math.sqrt(Math.min(token.length, length) / Math.max(token.length, length))
}
