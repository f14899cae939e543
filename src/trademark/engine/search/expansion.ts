import { codesOf } from '../../phonetic.ts'
import { editDistance } from '../../edit-distance.ts'
import { HOMOPHONE_SIMILARITY, PLURAL_SIMILARITY } from '../../score-weights.ts'
import { homophonesOf, pluralOrSingularOf } from '../../tokenize.ts'
import type { Term } from './store.ts'
import { deletionsOf, piecesNear, MIN_CODE_LENGTH, MIN_FORM_LENGTH } from './record-terms.ts'

/*
 * Query expansion: which index words may replace a word of the query. These are the word itself, its plural or singular,
 * homophones, words within edit distance 1 and words with the same phonetic code. The deep search adds edit distance 2,
 * similar phonetic codes and longer words with the same prefix. `expandBy` applies the rules to plain lists of words;
 * segments apply them to their own tables.
 */

/** Maximum number of index words that may replace one word of the query. */
export const maxTerms = (isDeep: boolean) => (isDeep ? 256 : 64)
/** Shorter words tolerate fewer edits. */
export const maxEditDistance = (length: number) => (length < 5 ? 1 : 2)
/** Words that sound alike must still be somewhat alike in length. */
export const MAX_LENGTH_DIFFERENCE = 4
/** Shorter words are the beginning of too many. */
export const MIN_BEGINNING_LENGTH = 4
/** A code with one letter more, less or another must have this many. */
export const MIN_NEAR_CODE_LENGTH = 4
/** A less similar word does not replace the word of the query. */
export const MIN_TERM_SIMILARITY = 0.65

export const editSimilarity = (distance: number, a: number, b: number) => 1 - distance / Math.max(a, b)
export type Sounding = { readonly base: number }
/** Of words that sound the same, and nearly so: what their spelling adds to this. */
export const SAME_SOUND: Sounding = { base: 0.45 }
export const NEAR_SOUND: Sounding = { base: 0.35 }
export const bySound = ({ base }: Sounding, distance: number, a: number, b: number) =>
  base + 0.5 * editSimilarity(distance, a, b)
/** With more edits than these a word is not like enough, however it sounds. */
export const maxEdits = ({ base }: Sounding, a: number, b: number) =>
  Math.max(a, b) * (1 - (MIN_TERM_SIMILARITY - base) / 0.5) + 1e-9
export const byBeginning = (a: number, b: number) => 0.45 + (0.4 * a) / b

/** Words equal to this one by rule: itself, its plural or singular, and homophones. */
export function* wordsByRule(word: string): Iterable<{ text: string; value: number }> {
  yield { text: word, value: 1 }
  for (const text of pluralOrSingularOf(word)) yield { text, value: PLURAL_SIMILARITY }
  for (const text of homophonesOf(word)) yield { text, value: HOMOPHONE_SIMILARITY }
}

/** The mostSimilar first, the more frequent of equals before. */
export const mostSimilar = <T extends Term & { readonly value: number }>(terms: readonly T[], isDeep: boolean): T[] =>
  terms
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => b.value - a.value || b.frequency - a.frequency || (a.text < b.text ? -1 : 1))
    .slice(0, maxTerms(isDeep))

type Vocabulary = {
  frequency(word: string): number
  /** Words of marks that are filed under this form; see `formsOf`. */
  wordsByForm(form: string): readonly string[]
  wordsByCode(code: string): readonly string[]
  /** Codes filed under this form: itself, or it without one letter. */
  codesByForm(form: string): readonly string[]
  wordsThatBegin(beginning: string, longest: number): readonly string[]
}

export function expandBy(vocabulary: Vocabulary, word: string, isDeep: boolean): Term[] {
  const values = new Map<string, number>()
  const put = (text: string, value: number) => {
    if (value >= MIN_TERM_SIMILARITY && value > (values.get(text) ?? 0)) values.set(text, value)
  }
  const { length } = word
  for (const { text, value } of wordsByRule(word)) put(text, value)
  if (length >= MIN_FORM_LENGTH)
    for (const form of [word, ...deletionsOf(word), ...(isDeep ? piecesNear(word) : [])])
      for (const text of vocabulary.wordsByForm(form)) {
        const distance = editDistance(word, text)
        if (distance <= maxEditDistance(length)) put(text, editSimilarity(distance, length, text.length))
      }
  const putCode = (code: string, sounding: Sounding) => {
    for (const text of vocabulary.wordsByCode(code))
      if (Math.abs(text.length - length) <= MAX_LENGTH_DIFFERENCE)
        put(text, bySound(sounding, editDistance(word, text), length, text.length))
  }
  for (const code of codesOf(word)) if (code.length >= MIN_CODE_LENGTH) putCode(code, SAME_SOUND)
  if (isDeep) {
    const [code] = codesOf(word)
    if (code.length >= MIN_NEAR_CODE_LENGTH)
      for (const form of [code, ...deletionsOf(code)])
        for (const near of vocabulary.codesByForm(form)) if (editDistance(code, near) <= 1) putCode(near, NEAR_SOUND)
    if (length >= MIN_BEGINNING_LENGTH)
      for (const text of vocabulary.wordsThatBegin(word, length + MAX_LENGTH_DIFFERENCE))
        put(text, byBeginning(length, text.length))
  }
  const terms = Array.from(values, ([text, value]) => ({ text, value, frequency: vocabulary.frequency(text) }))
  return mostSimilar(terms, isDeep)
}
