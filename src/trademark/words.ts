import { likenessOf, LONGEST, type Units, writeUnits } from './likeness.ts'
import { codesOf, type Codes } from './phonetic.ts'
import { plainSpelling } from './spelling.ts'
import { numberWordsOf, stemsOf } from './text.ts'

/** How a word of a mark stands to the words of the search. Made once per word and search. */
export type Word = {
  readonly token: string
  readonly codes: Codes
  /** How much it tells: rare words tell more. */
  readonly weight: number
  /** For each word of the search, 0 to 1. */
  readonly likeness: readonly number[]
  /** For each word of the search, whether it sounds the same. */
  readonly sounds: readonly boolean[]
}

const PLURAL = 0.97
const SAID_ALIKE = 0.96
/** Words joined on one side and apart on the other. */
export const JOINED = 0.98

/** The same word in the other number; the same both ways. */
export const isPlural = (a: string, b: string): boolean =>
  a.charCodeAt(0) === b.charCodeAt(0) &&
  Math.abs(a.length - b.length) <= 3 &&
  a !== b &&
  (stemsOf(a).includes(b) || stemsOf(b).includes(a))

export const isSaidAlike = (a: string, b: string): boolean => numberWordsOf(a).includes(b)

/** Whether one of the sounds of either is one of the other's. A single consonant is no sound to know a word by. */
export const soundsAlike = (a: string, b: string): boolean => isSameSound(codesOf(a), codesOf(b))

const isSameSound = ([one, two]: Codes, [three, four]: Codes): boolean =>
  (one.length > 1 && (one === three || one === four)) || (two.length > 1 && (two === three || two === four))

const left: Units = new Uint16Array(LONGEST)
const right: Units = new Uint16Array(LONGEST)

/** A word of the search, read once. */
export type SearchWord = {
  readonly token: string
  readonly codes: Codes
  readonly saidAlike: readonly string[]
  /** See `plainSpelling`; when it is first needed. */
  plain?: string
}

export const readSearchWord = (token: string): SearchWord => ({
  token,
  codes: codesOf(token),
  saidAlike: numberWordsOf(token),
})

export function readWord(token: string, codes: Codes, search: readonly SearchWord[], weight: number): Word {
  const likeness: number[] = []
  const sounds: boolean[] = []
  for (const other of search) {
    const known = knownLikeness(other, token)
    const sameSound = known > 0 || isSameSound(other.codes, codes)
    const heard = sameSound ? Math.min(codes[0].length, other.codes[0].length) : 0
    sounds.push(sameSound)
    likeness.push(
      known > 0 ? known : heard > 0 ? heardLikeness(token, other, heard) : spelledLikeness(token, other.token),
    )
  }
  return { token, codes, weight, sounds, likeness }
}

/** Of words that are one word by rule; 0 for others. */
function knownLikeness({ token, saidAlike }: SearchWord, other: string): number {
  if (token === other) return 1
  if (saidAlike.includes(other)) return SAID_ALIKE
  return isPlural(token, other) ? PLURAL : 0
}

/**
 * What words that do not sound alike are worth by their spelling. Two words of a language have letters in common by
 * chance: what is only half alike is hardly alike.
 */
export const mostByWords = (spelled: number) => Math.min(0.99, spelled < 0.8 ? (spelled * spelled) / 0.8 : spelled)

/** How much a word tells that is in so many marks of all: the rarer the more. */
export const weightOf = (frequency: number, documents: number) => 0.3 + Math.log((documents + 1) / (frequency + 1))

const spelledAlike = (a: string, b: string): number =>
  likenessOf(left, 0, writeUnits(a, left), right, 0, writeUnits(b, right))

const spelledLikeness = (a: string, b: string): number => mostByWords(spelledAlike(a, b))

/** Of words that sound alike; `heard` is the length of the sound they have in common. */
function heardLikeness(token: string, other: SearchWord, heard: number): number {
  // Short codes are shared by many words that nobody confuses.
  const [asSaid, share] = heard > 3 ? [0.95, 0.5] : heard > 2 ? [0.9, 0.4] : [0.85, 0.3]
  // KWANTA and QUANTA have few letters in common, and are one word to whoever hears them.
  const plain = spelledAlike(plainSpelling(token), (other.plain ??= plainSpelling(other.token)))
  // Sound makes up for part of what spelling lacks.
  const spelled = Math.max(spelledAlike(token, other.token), asSaid * plain)
  return Math.min(0.99, spelled + (1 - spelled) * share)
}
