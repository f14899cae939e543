import { jaroWinkler, likenessOf, LONGEST, mostAlike, osaDistance, type Units, writeUnits } from './likeness.ts'
import { type Codes, codesOf, codesOfWords } from './phonetic.ts'
import { insideOf, insideOfText } from './inside.ts'
import { MAX_PAIRED, MAX_WORDS, paired, pairWords } from './pairing.ts'
import { reasonsFor } from './reasons.ts'
import type { TrademarkRecord } from './record.ts'
import type { MatchDetails } from './search-index.ts'
import { tokensOf } from './text.ts'
import { readSearchWord, readWord, type SearchWord, type Word } from './words.ts'

export { osaDistance }

export type Candidate = Pick<TrademarkRecord, 'mark' | 'pseudoMarks'>

/** A search, read once for all the marks it is compared with. */
export type PreparedQuery = {
  readonly tokens: readonly string[]
  readonly words: readonly SearchWord[]
  readonly squash: string
  readonly codes: Codes
  readonly units: Units
  readonly weights: readonly number[]
  readonly weight: number
  /** The word of a mark, as this search sees it; how it sounds and what it weighs may be known already. */
  wordOf(token: string, known?: { readonly codes: Codes; readonly weight: number }): Word
}

/** Nothing but the same mark is perfect. */
const NEARLY = 0.999
/** A bound must not be too low by rounding. */
const ROUNDING = 1e-9
/** How much the Office's own reading of a mark counts beside the mark. */
export const PSEUDO = 0.99

/** `idf` says how much a word tells: its weight, above 0, larger for rarer words. */
export function prepareQuery(text: string, idf: (token: string) => number): PreparedQuery {
  const all = tokensOf(text)
  const tokens = all.slice(0, MAX_WORDS)
  const weights = tokens.map(idf)
  const squash = all.join('')
  const units: Units = new Uint16Array(Math.min(squash.length, LONGEST))
  writeUnits(squash, units)
  const searchWords = tokens.map(readSearchWord)
  const words = new Map<string, Word>()
  return {
    tokens,
    words: searchWords,
    squash,
    codes: codesOfWords(searchWords),
    units,
    weights,
    weight: weights.reduce((sum, weight) => sum + weight, 0),
    wordOf(token, known) {
      let word = words.get(token)
      if (word === undefined) {
        word = readWord(token, known?.codes ?? codesOf(token), searchWords, known?.weight ?? idf(token))
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
}

const markUnits: Units = new Uint16Array(LONGEST)

/** The words of a mark and of each other spelling of it; those of the mark come first and may be none. */
export type Names = readonly (readonly Word[])[]

export const namesOf = (query: PreparedQuery, { mark, pseudoMarks }: Candidate): Names =>
  [mark, ...pseudoMarks].map((name) => tokensOf(name).map((token) => query.wordOf(token)))

/** How well a mark answers a search, 0 to 1; 1 only for the same letters in the same order. */
export const scoreOf = (query: PreparedQuery, candidate: Candidate): number =>
  scoreNames(query, namesOf(query, candidate), 0)

/** The same, where its words are known. A score below `least` may be any below it: then it is not worked out. */
export function scoreNames(query: PreparedQuery, names: Names, least: number): number {
  let best = 0
  for (let at = 0; at < names.length && best < 1; at++) {
    const share = at === 0 ? 1 : PSEUDO
    const score = share * compare(query, names[at]!, Math.max(best, least) / share)
    if (score > best) best = score
  }
  return best
}

/** No mark of this length with a single spelling scores above this. */
export function scoreBoundOf({ squash, units }: PreparedQuery, length: number): number {
  if (length === squash.length || length >= LONGEST) return 1
  return Math.min(NEARLY, 0.74 * Math.max(MAX_PAIRED, mostAlike(units.length, length)) + 0.26 + ROUNDING)
}

/** The score, and why. `scoreOf` is the faster way to put many marks in order. */
export function scoreMark(query: PreparedQuery, candidate: Candidate): { score: number; details: MatchDetails } {
  const reading = (text: string, share: number) => {
    const tokens = tokensOf(text)
    const words = tokens.map((token) => query.wordOf(token))
    const score = share * compare(query, words, 0)
    return { ...found, score, tokens, squash: tokens.join(''), codes: codesOfWords(words) }
  }
  const own = reading(candidate.mark, 1)
  let best = own
  let alias: string | null = null
  for (const text of candidate.pseudoMarks) {
    const read = reading(text, PSEUDO)
    if (read.score > best.score) [best, alias] = [read, text]
  }
  const exactMatch = own.score === 1
  return {
    score: best.score,
    details: {
      exactMatch,
      phoneticMatch: own.sameSound || best.sameSound,
      // Beyond what is compared two long texts may be the same; they are still not the same mark.
      fuzzyDistance: exactMatch ? 0 : Math.max(1, osaDistance(query.squash, own.squash)),
      stringSimilarity: exactMatch ? 1 : Math.min(NEARLY, own.whole),
      prefixMatch: own.prefix,
      phoneticCodes: written(query.codes),
      matchedCodes: written(best.codes),
      indexScore: best.matched,
      reasons: alias === null ? reasonsFor(query, own) : aliasReasons(query, alias, best),
    },
  }
}

const aliasReasons = (query: PreparedQuery, alias: string, read: Parameters<typeof reasonsFor>[1]): string[] => [
  `read as: ${alias}`,
  ...(read.squash === query.squash ? [] : reasonsFor(query, read)),
]

const written = ([primary, alternate]: Codes) =>
  primary === alternate || alternate === '' ? primary : `${primary} ${alternate}`

/** Fills `found` and returns its score, or any number below `least` where the score is below it. */
function compare(query: PreparedQuery, words: readonly Word[], least: number): number {
  const length = words.reduce((sum, word) => sum + word.token.length, 0)
  if (length === 0 || query.squash === '') return nothing()
  const end = writeWords(words)
  if (length === query.squash.length && isSame(query, words)) return everything(query)
  const asked = query.units
  pairWords(query, words)
  found.matched = paired.matched
  found.prefix = beginsAlike(asked, markUnits, end)
  const rest = 0.2 + (found.prefix ? 0.06 : 0)
  const inside = insideOf(asked, asked.length, query.squash.length, markUnits, end, length)
  let alike = Math.max(paired.alike, inside)
  // The more the lengths differ the less alike the whole can be.
  if (0.74 * Math.max(alike, mostAlike(asked.length, end)) + rest < least) return 0
  found.whole = likenessOf(asked, 0, asked.length, markUnits, 0, end)
  alike = Math.max(alike, found.whole)
  if (0.74 * alike + rest < least) return 0
  const codes = codesOfWords(words)
  found.sameSound = isSameSound(query.codes, codes)
  // Short codes are shared by many words that nobody confuses.
  const sound = found.sameSound
    ? Math.min(1, 0.7 + 0.1 * Math.min(query.codes[0].length, codes[0].length))
    : Math.max(paired.heard, soundLikeness(query.codes[0], codes[0]))
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

/** Writes a mark's words down one after the other and returns where they end. */
function writeWords(words: readonly Word[]): number {
  let end = 0
  for (const { token } of words) end = writeUnits(token, markUnits, end)
  return end
}

/** Of texts of the same length. */
function isSame({ units, squash }: PreparedQuery, words: readonly Word[]): boolean {
  for (let at = 0; at < units.length; at++) if (units[at] !== markUnits[at]) return false
  return squash.length <= LONGEST || words.map(({ token }) => token).join('') === squash
}

function beginsAlike(a: Units, b: Units, bEnd: number): boolean {
  const length = Math.min(a.length, bEnd)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false
  return true
}

/** Jaro sees nothing in common where short codes are shifted by a letter: TR, ATR. */
const soundLikeness = (a: string, b: string): number =>
  Math.max(jaroWinkler(a, b), 1 - osaDistance(a, b) / Math.max(1, a.length, b.length), insideOfText(a, b))

const isSameSound = (a: Codes, b: Codes): boolean =>
  (a[0] !== '' && (a[0] === b[0] || a[0] === b[1])) || (a[1] !== '' && (a[1] === b[0] || a[1] === b[1]))
