import { editDistance, MAX_UNITS, type Units, writeUnits } from './edit-distance.ts'
import { type Codes, codesOf, codesOfWords } from './phonetic.ts'
import { containmentOf, textContainmentOf } from './containment.ts'
import { MAX_WORDS, paired, pairWords } from './pairing.ts'
import { reasonsFor } from './reasons.ts'
import type { TrademarkRecord } from './record.ts'
import { MAX_PAIRED_SCORE, MIN_SAME_SOUND_SCORE, PSEUDO_MARK_WEIGHT, SCORE_WEIGHTS } from './score-weights.ts'
import type { MatchDetails } from './search-index.ts'
import { jaroWinkler, maxSimilarity, similarityOf } from './similarity.ts'
import { tokenize } from './tokenize.ts'
import { prepareSearchWord, matchWord, type SearchWord, type Word } from './word-match.ts'

export type Candidate = Pick<TrademarkRecord, 'mark' | 'pseudoMarks'>

/** A search, prepared once for all the marks it is compared with. */
export type PreparedQuery = {
  readonly tokens: readonly string[]
  readonly words: readonly SearchWord[]
  readonly squash: string
  readonly codes: Codes
  readonly units: Units
  readonly weights: readonly number[]
  readonly weight: number
  /** A word of a mark, compared with this search. Words are compared once. */
  wordOf(token: string): Word
  /** `wordOf` for a caller that knows the codes and the weight of the word, and keeps the result itself. */
  matchWord(token: string, codes: Codes, weight: number): Word
}

/** Only the same mark scores 1. */
const MAX_INEXACT_SCORE = 0.999
/** Keeps rounding errors from making a bound too low. */
const ROUNDING_MARGIN = 1e-9

/** `idf` returns the weight of a word: above 0, larger for rarer words. */
export function prepareQuery(text: string, idf: (token: string) => number): PreparedQuery {
  const all = tokenize(text)
  const tokens = all.slice(0, MAX_WORDS)
  const weights = tokens.map(idf)
  const squash = all.join('')
  const units: Units = new Uint16Array(Math.min(squash.length, MAX_UNITS))
  writeUnits(squash, units)
  const searchWords = tokens.map(prepareSearchWord)
  const words = new Map<string, Word>()
  return {
    tokens,
    words: searchWords,
    squash,
    codes: codesOfWords(searchWords),
    units,
    weights,
    weight: weights.reduce((sum, weight) => sum + weight, 0),
    wordOf(token) {
      let word = words.get(token)
      if (word === undefined) words.set(token, (word = matchWord(token, codesOf(token), searchWords, idf(token))))
      return word
    },
    matchWord: (token, codes, weight) => matchWord(token, codes, searchWords, weight),
  }
}

/** Result of the last `compare`. Reused to avoid an allocation for each of the many marks of a search. */
const found = {
  score: 0,
  /** Similarity of the complete spellings. */
  whole: 0,
  sameSound: false,
  prefix: false,
  /** Weight of the words of the search that the mark has. */
  matched: 0,
}

const markUnits: Units = new Uint16Array(MAX_UNITS)

/** The words of the mark, which may be empty, then those of each pseudo mark. */
export type Names = readonly (readonly Word[])[]

export const namesOf = (query: PreparedQuery, { mark, pseudoMarks }: Candidate): Names =>
  [mark, ...pseudoMarks].map((name) => tokenize(name).map((token) => query.wordOf(token)))

/** How similar a mark is to the search, 0 to 1; 1 only for the same letters in the same order. */
export const scoreOf = (query: PreparedQuery, candidate: Candidate): number =>
  scoreNames(query, namesOf(query, candidate), 0)

/**
 * `scoreOf` with known words. A result below `minScore` only says that the score is below `minScore`. A result from `minScore`
 * up to, not including, `enough` only says that the score is in that range.
 */
export function scoreNames(query: PreparedQuery, names: Names, minScore: number, enough = 0): number {
  let best = 0
  for (let at = 0; at < names.length && best < 1; at++) {
    const share = at === 0 ? 1 : PSEUDO_MARK_WEIGHT
    const score = share * compare(query, names[at]!, Math.max(best, minScore) / share, enough / share)
    if (score > best) best = score
  }
  return best
}

/** Upper bound of the score of a mark of this length without pseudo marks. */
export function scoreBoundOf({ squash, units }: PreparedQuery, length: number): number {
  if (length === squash.length || length >= MAX_UNITS) return 1
  const { spelling, sound, prefix } = SCORE_WEIGHTS
  return Math.min(
    MAX_INEXACT_SCORE,
    spelling * Math.max(MAX_PAIRED_SCORE, maxSimilarity(units.length, length)) + sound + prefix + ROUNDING_MARGIN,
  )
}

/** The score and its explanation. Use the faster `scoreOf` to rank many marks. */
export function scoreMark(query: PreparedQuery, candidate: Candidate): { score: number; details: MatchDetails } {
  const reading = (text: string, share: number) => {
    const tokens = tokenize(text)
    const words = tokens.map((token) => query.wordOf(token))
    const score = share * compare(query, words, 0)
    return { ...found, score, tokens, squash: tokens.join(''), codes: codesOfWords(words) }
  }
  const own = reading(candidate.mark, 1)
  let best = own
  let alias: string | null = null
  for (const text of candidate.pseudoMarks) {
    const read = reading(text, PSEUDO_MARK_WEIGHT)
    if (read.score > best.score) [best, alias] = [read, text]
  }
  const exactMatch = own.score === 1
  return {
    score: best.score,
    details: {
      exactMatch,
      phoneticMatch: own.sameSound || best.sameSound,
      // Long texts are compared by their beginnings, so two different ones may have distance 0 here.
      fuzzyDistance: exactMatch ? 0 : Math.max(1, editDistance(query.squash, own.squash)),
      stringSimilarity: exactMatch ? 1 : Math.min(MAX_INEXACT_SCORE, own.whole),
      prefixMatch: own.prefix,
      phoneticCodes: formatCodes(query.codes),
      matchedCodes: formatCodes(best.codes),
      indexScore: best.matched,
      reasons: alias === null ? reasonsFor(query, own) : aliasReasons(query, alias, best),
    },
  }
}

const aliasReasons = (query: PreparedQuery, alias: string, read: Parameters<typeof reasonsFor>[1]): string[] => [
  `read as: ${alias}`,
  ...(read.squash === query.squash ? [] : reasonsFor(query, read)),
]

const formatCodes = ([primary, alternate]: Codes) =>
  primary === alternate || alternate === '' ? primary : `${primary} ${alternate}`

/**
 * Fills `found` and returns its score. A result below `minScore` only says that the score is below `minScore`, and one below
 * `enough` that it is between the two.
 */
function compare(query: PreparedQuery, words: readonly Word[], minScore: number, enough = 0): number {
  let length = 0
  for (let at = 0; at < words.length; at++) length += words[at]!.token.length
  if (length === 0 || query.squash === '') return setNoMatch()
  const end = writeWords(words)
  if (length === query.squash.length && isSame(query, words)) return setSameMark(query)
  const queryUnits = query.units
  pairWords(query, words)
  found.matched = paired.matched
  found.prefix = beginsAlike(queryUnits, markUnits, end)
  const prefix = found.prefix ? SCORE_WEIGHTS.prefix : 0
  const rest = SCORE_WEIGHTS.sound + prefix
  const inside = containmentOf(queryUnits, queryUnits.length, query.squash.length, markUnits, end, length)
  let alike = Math.max(paired.alike, inside)
  // The difference in length alone bounds the similarity.
  const maxScore = SCORE_WEIGHTS.spelling * Math.max(alike, maxSimilarity(queryUnits.length, end)) + rest
  if (maxScore < minScore) return 0
  // At least this much of the sound counts, whether the marks sound the same or only some of their words do.
  const heard = SCORE_WEIGHTS.sound * Math.min(MIN_SAME_SOUND_SCORE, paired.heard) + prefix - ROUNDING_MARGIN
  let atLeast = SCORE_WEIGHTS.spelling * alike + heard
  if (maxScore + ROUNDING_MARGIN < enough && atLeast >= minScore) return atLeast
  found.whole = similarityOf(queryUnits, 0, queryUnits.length, markUnits, 0, end)
  alike = Math.max(alike, found.whole)
  if (SCORE_WEIGHTS.spelling * alike + rest < minScore) return 0
  atLeast = SCORE_WEIGHTS.spelling * alike + heard
  if (SCORE_WEIGHTS.spelling * alike + rest + ROUNDING_MARGIN < enough && atLeast >= minScore) return atLeast
  const codes = codesOfWords(words)
  found.sameSound = isSameSound(query.codes, codes)
  // Many words that nobody confuses share a short code.
  const sound = found.sameSound
    ? Math.min(1, MIN_SAME_SOUND_SCORE + 0.1 * Math.min(query.codes[0].length, codes[0].length))
    : Math.max(paired.heard, soundLikeness(query.codes[0], codes[0]))
  found.score = Math.min(MAX_INEXACT_SCORE, SCORE_WEIGHTS.spelling * alike + SCORE_WEIGHTS.sound * sound + prefix)
  return found.score
}

function setNoMatch(): number {
  found.score = found.whole = found.matched = 0
  found.sameSound = found.prefix = false
  return 0
}

function setSameMark(query: PreparedQuery): number {
  found.score = found.whole = 1
  found.matched = query.weight
  found.sameSound = found.prefix = true
  return 1
}

/** Writes a mark's words into `markUnits` without spaces and returns the offset after them. */
function writeWords(words: readonly Word[]): number {
  let end = 0
  for (const { token } of words) end = writeUnits(token, markUnits, end)
  return end
}

/** Compares texts of the same length. */
function isSame({ units, squash }: PreparedQuery, words: readonly Word[]): boolean {
  for (let at = 0; at < units.length; at++) if (units[at] !== markUnits[at]) return false
  return squash.length <= MAX_UNITS || words.map(({ token }) => token).join('') === squash
}

function beginsAlike(a: Units, b: Units, bEnd: number): boolean {
  const length = Math.min(a.length, bEnd)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false
  return true
}

/** Jaro alone finds nothing in common in short codes that are shifted by a letter: TR, ATR. */
const soundLikeness = (a: string, b: string): number =>
  Math.max(jaroWinkler(a, b), 1 - editDistance(a, b) / Math.max(1, a.length, b.length), textContainmentOf(a, b))

const isSameSound = (a: Codes, b: Codes): boolean =>
  (a[0] !== '' && (a[0] === b[0] || a[0] === b[1])) || (a[1] !== '' && (a[1] === b[0] || a[1] === b[1]))
