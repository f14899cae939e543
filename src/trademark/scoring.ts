import { jaroWinkler, likenessOf, LONGEST, osaDistance, type Units, writeUnits } from './likeness.ts'
import { type Codes, codesOfSquash } from './phonetic.ts'
import { reasonsFor } from './reasons.ts'
import type { TrademarkRecord } from './record.ts'
import type { MatchDetails } from './search-index.ts'
import { tokensOf } from './text.ts'
import { JOINED, readSearchWord, readWord, type Word } from './words.ts'

export { jaroWinkler, osaDistance }

export type Candidate = Pick<TrademarkRecord, 'mark' | 'pseudoMarks'>

/** A search, read once for all the marks it is compared with. */
export type PreparedQuery = {
  readonly tokens: readonly string[]
  readonly squash: string
  readonly codes: Codes
  readonly units: Units
  readonly weights: readonly number[]
  readonly weight: number
  /** The word of a mark, as this search sees it. */
  wordOf(token: string): Word
}

/** Slogans are compared by their first words. */
const MOST_WORDS = 24
/** Nothing but the same mark is perfect. */
const NEARLY = 0.999
/** How much the Office's own reading of a mark counts beside the mark. */
const PSEUDO = 0.99

/** `idf` says how much a word tells: its weight, above 0, larger for rarer words. */
export function prepareQuery(text: string, idf: (token: string) => number): PreparedQuery {
  const all = tokensOf(text)
  const tokens = all.slice(0, MOST_WORDS)
  const weights = tokens.map(idf)
  const squash = all.join('')
  const units: Units = new Uint16Array(Math.min(squash.length, LONGEST))
  writeUnits(squash, units)
  const searchWords = tokens.map(readSearchWord)
  const words = new Map<string, Word>()
  return {
    tokens,
    squash,
    codes: codesOfSquash(squash),
    units,
    weights,
    weight: weights.reduce((sum, weight) => sum + weight, 0),
    wordOf(token) {
      let word = words.get(token)
      if (word === undefined) {
        word = readWord(token, searchWords, idf(token))
        words.set(token, word)
      }
      return word
    },
  }
}

/** What was found out about the text compared last. One object, written anew each time: hundreds are compared per search. */
const found = {
  score: 0,
  /** Likeness of the whole spellings. */
  whole: 0,
  sameSound: false,
  prefix: false,
  /** Weight of the words of the search that were found again. */
  matched: 0,
  tokens: [] as string[],
  squash: '',
}

const markUnits: Units = new Uint16Array(LONGEST)
const bestOfSearch = new Float64Array(MOST_WORDS)
const bestOfMark = new Float64Array(MOST_WORDS)
const heardOfSearch = new Uint8Array(MOST_WORDS)
const heardOfMark = new Uint8Array(MOST_WORDS)
const words: Word[] = []

/** How well a mark answers a search, 0 to 1; 1 only for the same letters in the same order. */
export function scoreOf(query: PreparedQuery, candidate: Candidate): number {
  let best = compare(query, candidate.mark)
  for (const alias of candidate.pseudoMarks) {
    if (best === 1) return 1
    const score = PSEUDO * compare(query, alias)
    if (score > best) best = score
  }
  return best
}

/** The same, and why. `scoreOf` is the faster way to put many marks in order. */
export function scoreMark(query: PreparedQuery, candidate: Candidate): { score: number; details: MatchDetails } {
  let score = 0
  let best: string | null = null
  for (const alias of candidate.pseudoMarks) {
    const aliasScore = PSEUDO * compare(query, alias)
    if (aliasScore > score) [score, best] = [aliasScore, alias]
  }
  const aliasSounds = best !== null && compare(query, best) > 0 && found.sameSound
  const aliasReasons = best === null ? [] : [`read as: ${best}`, ...(found.score < 1 ? reasonsFor(query, found) : [])]
  const matched = best === null ? 0 : found.matched
  const aliasSquash = found.squash
  const own = compare(query, candidate.mark)
  const byAlias = score > own
  const exactMatch = own === 1
  return {
    score: byAlias ? score : own,
    details: {
      exactMatch,
      phoneticMatch: found.sameSound || (byAlias && aliasSounds),
      // Beyond what is compared two long texts may be the same; they are still not the same mark.
      fuzzyDistance: exactMatch ? 0 : Math.max(1, osaDistance(query.squash, found.squash)),
      stringSimilarity: exactMatch ? 1 : Math.min(NEARLY, found.whole),
      prefixMatch: found.prefix,
      phoneticCodes: written(query.codes),
      matchedCodes: written(codesOfSquash(byAlias ? aliasSquash : found.squash)),
      indexScore: byAlias ? matched : found.matched,
      reasons: byAlias ? aliasReasons : reasonsFor(query, found),
    },
  }
}

const written = ([primary, alternate]: Codes) =>
  primary === alternate || alternate === '' ? primary : `${primary} ${alternate}`

/** Fills `found` and returns its score. */
function compare(query: PreparedQuery, text: string): number {
  const tokens = tokensOf(text)
  const squash = tokens.length === 1 ? tokens[0]! : tokens.join('')
  found.tokens = tokens
  found.squash = squash
  if (squash === '' || query.squash === '') return nothing()
  if (squash === query.squash) return everything(query)
  const end = writeUnits(squash, markUnits)
  found.whole = likenessOf(query.units, 0, query.units.length, markUnits, 0, end)
  // The sound of a single word is remembered.
  const codes = tokens.length === 1 ? query.wordOf(squash).codes : codesOfSquash(squash)
  found.sameSound = isSameSound(query.codes, codes)
  found.prefix = squash.startsWith(query.squash) || query.squash.startsWith(squash)
  const heard = compareWords(query, tokens)
  const alike = Math.max(found.whole, byWords, insideOf(query.squash, squash))
  const sound = found.sameSound
    ? 1
    : Math.max(heard, jaroWinkler(query.codes[0], codes[0]), insideOf(query.codes[0], codes[0]))
  found.score = Math.min(NEARLY, 0.74 * alike + 0.2 * sound + (found.prefix ? 0.06 : 0))
  return found.score
}

function nothing(): number {
  found.score = found.whole = found.matched = 0
  found.sameSound = found.prefix = false
  return 0
}

function everything(query: PreparedQuery): number {
  found.score = found.whole = 1
  found.matched = query.weight
  found.sameSound = found.prefix = true
  return 1
}

const isSameSound = (a: Codes, b: Codes): boolean =>
  (a[0] !== '' && (a[0] === b[0] || a[0] === b[1])) || (a[1] !== '' && (a[1] === b[0] || a[1] === b[1]))

/** The letters of one inside the other: less, the more there is around them. */
function insideOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 4 && long.includes(short) ? 0.9 * Math.sqrt(short.length / long.length) : 0
}

let byWords = 0

/**
 * Pairs each word with its best partner on the other side, whatever the order, weighs by what the words tell and sets
 * `byWords` and `found.matched`; returns how much of it sounds the same.
 */
function compareWords(query: PreparedQuery, tokens: readonly string[]): number {
  const ofSearch = query.tokens.length
  const ofMark = Math.min(tokens.length, MOST_WORDS)
  bestOfSearch.fill(0, 0, ofSearch)
  heardOfSearch.fill(0, 0, ofSearch)
  for (let k = 0; k < ofMark; k++) {
    const word = query.wordOf(tokens[k]!)
    words[k] = word
    bestOfMark[k] = 0
    heardOfMark[k] = 0
    for (let i = 0; i < ofSearch; i++) {
      const likeness = word.likeness[i]!
      if (likeness > bestOfSearch[i]!) bestOfSearch[i] = likeness
      if (likeness > bestOfMark[k]!) bestOfMark[k] = likeness
      if (word.sounds[i] === true) heardOfSearch[i] = heardOfMark[k] = 1
    }
  }
  pairJoined(query.tokens, ofSearch, tokens, ofMark, bestOfSearch, heardOfSearch, bestOfMark, heardOfMark)
  pairJoined(tokens, ofMark, query.tokens, ofSearch, bestOfMark, heardOfMark, bestOfSearch, heardOfSearch)
  let matched = 0
  let heard = 0
  for (let i = 0; i < ofSearch; i++) {
    matched += query.weights[i]! * bestOfSearch[i]!
    heard += query.weights[i]! * heardOfSearch[i]!
  }
  found.matched = matched
  let weight = 0
  for (let k = 0; k < ofMark; k++) {
    weight += words[k]!.weight
    matched += words[k]!.weight * bestOfMark[k]!
    heard += words[k]!.weight * heardOfMark[k]!
  }
  const both = query.weight + weight
  byWords = (0.97 * matched) / both
  return (0.97 * heard) / both
}

/** Two neighbours of one side that are one word of the other: FACE BOOK, FACEBOOK. */
function pairJoined(
  apart: readonly string[],
  count: number,
  joined: readonly string[],
  ofJoined: number,
  bestApart: Float64Array,
  heardApart: Uint8Array,
  bestJoined: Float64Array,
  heardJoined: Uint8Array,
): void {
  for (let i = 0; i + 1 < count; i++) {
    const first = apart[i]!
    const second = apart[i + 1]!
    for (let k = 0; k < ofJoined; k++) {
      const word = joined[k]!
      if (word.length !== first.length + second.length || !word.startsWith(first) || !word.endsWith(second)) continue
      bestApart[i] = Math.max(bestApart[i]!, JOINED)
      bestApart[i + 1] = Math.max(bestApart[i + 1]!, JOINED)
      bestJoined[k] = Math.max(bestJoined[k]!, JOINED)
      heardApart[i] = heardApart[i + 1] = heardJoined[k] = 1
    }
  }
}
