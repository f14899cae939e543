import type { Evidence } from './evidence.ts'
import { isMadeOfWords, MAX_SHORT_NAME_LENGTH, type Sight } from './sight.ts'

/** Linear ramp from unclear (0) to clear (1). */
type Ramp = { readonly unclear: number; readonly clear: number }

/** Evidence of all words (see `Words.evidence`): 9 in 10 sold names made of words have 5 or more, 1 in 10 random ones. */
const WORDS_EVIDENCE: Ramp = { unclear: 1.5, clear: 6 }
/** Evidence of the strongest word among letters that are not all words. Twenty words of three letters have more than 3. */
const STRONGEST_WORD_EVIDENCE: Ramp = { unclear: 3, clear: 7 }
/** The oddest stretch (see pronounce.ts): 6 in 7 sold names without words stay below 15, 1 in 9 of seven random letters. */
const STRETCH_ODDNESS: Ramp = { unclear: 16, clear: 11 }
/** Each character below this length offsets some oddness: five odd letters are still a name. */
const MIN_FULL_LENGTH = 7
const ODDNESS_PER_MISSING_CHARACTER = 4
/** The share of the evidence that remains between hyphens and digits, and the amount lost: `ri-ver` loses all. */
const EVIDENCE_SHARE_KEPT: Ramp = { unclear: 0.25, clear: 0.8 }
const EVIDENCE_LOST: Ramp = { unclear: 14, clear: 8 }

/** Factors by number of digits; the last holds for more. Of 31,000 sold names 14 are numbers of seven digits, two of eight. */
const DIGITS_FACTOR = [1, 1, 1, 1, 1, 1, 0.85, 0.5, 0.25, 0.1, 0]
/** Factors by number of digits beside letters. Sales of up to four letters and digits fall from 96 with four digits to 4 with five. */
const DIGITS_WITHOUT_WORDS_FACTOR = [1, 1, 1, 0.8, 0.5, 0.25, 0.1, 0]
const DIGITS_WITH_WORDS_FACTOR = [1, 1, 1, 0.9, 0.7, 0.4, 0.2, 0.1, 0]
/** Factors by changes between letters and digits. Of 31,000 sold names nine have three, two have more. */
const CHANGES_WITHOUT_WORDS_FACTOR = [1, 1, 0.2, 0.1, 0]
const CHANGES_WITH_WORDS_FACTOR = [1, 1, 1, 0.6, 0]
/** Factor for a hyphen in letters that are not words. */
const HYPHEN_WITHOUT_WORDS_FACTOR = 0.5
/** One of 31,000 sold names has more. */
const MAX_HYPHENS = 3

/**
 * How clear a label is to a person who hears or reads it, 0 to 1. Random letters, letters mixed with digits, long numbers
 * and words split by a hyphen are unclear. It caps the share of the market price: the training prices come from names that
 * sold, and the trees see the letters without hyphens and digits.
 *
 * An additional hyphen or digit never makes a label clearer, nor do letters before or after it, unless they add a word.
 */
export const clarityOf = (sight: Sight): number =>
  clarity(sight, isMadeOfWords(sight), sight.parts.letterCount + sight.parts.digits <= MAX_SHORT_NAME_LENGTH)

/** The clarity of the clearest longer name that contains this one and adds no word. */
export const clarityByLetters = (sight: Sight): number => clarity(sight, false, false)

function clarity(sight: Sight, isWords: boolean, isShort: boolean): number {
  const { letterCount, digits, hyphens } = sight.parts
  if (hyphens > MAX_HYPHENS) return 0
  const spelled = isShort ? 1 : clarityOfSpelling(sight)
  // Already 0: skip the word search, which is slow.
  if (digits === 0 && hyphens === 0 && (spelled === 1 || !isWords)) return spelled
  const evidence = sight.evidence()
  const word = isWords
    ? along(WORDS_EVIDENCE, evidence.within)
    : along(STRONGEST_WORD_EVIDENCE, evidence.strongestWithin)
  let share = isWords ? Math.max(spelled, word) : spelled
  if (!isShort) share *= entry(DIGITS_FACTOR, digits)
  if (!isShort && letterCount > 0 && digits > 0) share *= clarityOfMix(sight, word)
  if (hyphens > 0 && letterCount > 0 && !isWords) share *= between(HYPHEN_WITHOUT_WORDS_FACTOR, 1, word)
  return hyphens > 0 || !isShort ? share * clarityOfCuts(evidence) : share
}

function clarityOfSpelling({ parts, spelling }: Sight): number {
  const shorter = Math.max(0, MIN_FULL_LENGTH - parts.letterCount - parts.digits)
  return along(STRETCH_ODDNESS, spelling.inside.stretch - ODDNESS_PER_MISSING_CHARACTER * shorter)
}

function clarityOfMix({ parts: { digits, changes } }: Sight, word: number): number {
  return (
    between(entry(DIGITS_WITHOUT_WORDS_FACTOR, digits), entry(DIGITS_WITH_WORDS_FACTOR, digits), word) *
    between(entry(CHANGES_WITHOUT_WORDS_FACTOR, changes), entry(CHANGES_WITH_WORDS_FACTOR, changes), word)
  )
}

/** A hyphen or digit between two words has no effect; inside a word only the words on its sides remain. */
const clarityOfCuts = ({ whole, within }: Evidence): number =>
  whole > within ? Math.min(along(EVIDENCE_SHARE_KEPT, within / whole), along(EVIDENCE_LOST, whole - within)) : 1

const along = ({ unclear, clear }: Ramp, value: number): number =>
  Math.min(1, Math.max(0, (value - unclear) / (clear - unclear)))

const between = (from: number, to: number, share: number): number => from + (to - from) * share

const entry = (table: readonly number[], index: number): number => table[Math.min(index, table.length - 1)]!
