import { MAX_UNITS, type Units, writeUnits } from './edit-distance.ts'
import { codesOf, type Codes } from './phonetic.ts'
import { HOMOPHONE_SIMILARITY, PLURAL_SIMILARITY } from './score-weights.ts'
import { similarityOf } from './similarity.ts'
import { plainSpelling } from './spelling.ts'
import { allPluralsAndSingularsOf, homophonesOf, pluralOrSingularOf } from './tokenize.ts'

/** A word of a mark, compared with every word of the search. Created once per word and search. */
export type Word = {
  readonly token: string
  readonly codes: Codes
  /** Rarer words weigh more. */
  readonly weight: number
  /** Similarity to each word of the search, 0 to 1. */
  readonly likeness: readonly number[]
  /** For each word of the search, whether it sounds the same. */
  readonly sounds: readonly boolean[]
}

/** Two words on one side that are one word on the other. */
export const JOINED_SIMILARITY = 0.98

/** Whether one is the plural of the other. Symmetric. */
export const isPlural = (a: string, b: string): boolean =>
  a.charCodeAt(0) === b.charCodeAt(0) &&
  Math.abs(a.length - b.length) <= 3 &&
  a !== b &&
  (pluralOrSingularOf(a).includes(b) || pluralOrSingularOf(b).includes(a))

export const isHomophone = (a: string, b: string): boolean => homophonesOf(a).includes(b)

/** Whether the words share a phonetic code of more than one letter: single consonants are too common. */
export const soundsAlike = (a: string, b: string): boolean => isSameSound(codesOf(a), codesOf(b))

const isSameSound = ([one, two]: Codes, [three, four]: Codes): boolean =>
  (one.length > 1 && (one === three || one === four)) || (two.length > 1 && (two === three || two === four))

// Module-level scratch: a comparison never yields to another, and a search makes thousands of them.
const wordUnits: Units = new Uint16Array(MAX_UNITS)
const plainUnits: Units = new Uint16Array(MAX_UNITS)

/** A word of the search with what every comparison needs. */
export type SearchWord = {
  readonly token: string
  readonly codes: Codes
  readonly units: Units
  readonly homophones: readonly string[]
  readonly plurals: readonly string[]
  /** Units of `plainSpelling`. Computed when first needed. */
  plain?: Units
}

export const prepareSearchWord = (token: string): SearchWord => ({
  token,
  codes: codesOf(token),
  units: unitsOf(token),
  homophones: homophonesOf(token),
  plurals: allPluralsAndSingularsOf(token).filter((other) => isPlural(token, other)),
})

function unitsOf(text: string): Units {
  const units: Units = new Uint16Array(Math.min(text.length, MAX_UNITS))
  writeUnits(text, units)
  return units
}

export function matchWord(token: string, codes: Codes, search: readonly SearchWord[], weight: number): Word {
  const likeness: number[] = []
  const sounds: boolean[] = []
  let length = -1
  let plainLength = -1
  for (let at = 0; at < search.length; at++) {
    const other = search[at]!
    const known = knownLikeness(other, token)
    const sameSound = known > 0 || isSameSound(other.codes, codes)
    sounds.push(sameSound)
    if (known > 0) {
      likeness.push(known)
      continue
    }
    if (length < 0) length = writeUnits(token, wordUnits)
    const spelled = similarityOf(wordUnits, 0, length, other.units, 0, other.units.length)
    const heard = sameSound ? Math.min(codes[0].length, other.codes[0].length) : 0
    if (heard === 0) likeness.push(spellingScore(spelled))
    else {
      if (plainLength < 0) plainLength = writeUnits(plainSpelling(token), plainUnits)
      likeness.push(heardLikeness(spelled, plainLength, other, heard))
    }
  }
  return { token, codes, weight, sounds, likeness }
}

/** Similarity of words that are equal by rule: identical, plural or homophone. 0 for others. */
function knownLikeness({ token, homophones, plurals }: SearchWord, other: string): number {
  if (token === other) return 1
  if (homophones.includes(other)) return HOMOPHONE_SIMILARITY
  return plurals.includes(other) ? PLURAL_SIMILARITY : 0
}

/**
 * The score of words that do not sound alike, from the similarity of their spelling. Any two words share some letters by
 * chance, so values below 0.8 are lowered.
 */
export const spellingScore = (spelled: number) => Math.min(0.99, spelled < 0.8 ? (spelled * spelled) / 0.8 : spelled)

/** Inverse document frequency: the rarer a word, the higher its weight. */
export const weightOf = (frequency: number, documents: number) => 0.3 + Math.log((documents + 1) / (frequency + 1))

/**
 * The score of words that sound alike: `heard` is the length of their common phonetic code, `spelled` the similarity of their
 * spellings. The plain spelling of the other word is in `plainUnits`.
 */
function heardLikeness(spelled: number, plainLength: number, other: SearchWord, heard: number): number {
  // Many words that nobody confuses share a short code.
  const spokenWeight = heard > 3 ? 0.95 : heard > 2 ? 0.9 : 0.85
  const share = heard > 3 ? 0.5 : heard > 2 ? 0.4 : 0.3
  other.plain ??= unitsOf(plainSpelling(other.token))
  // KWANTA and QUANTA share few letters but are pronounced the same.
  const plain = similarityOf(plainUnits, 0, plainLength, other.plain, 0, other.plain.length)
  // The common sound closes part of the gap to 1.
  const likeness = Math.max(spelled, spokenWeight * plain)
  return Math.min(0.99, likeness + (1 - likeness) * share)
}
