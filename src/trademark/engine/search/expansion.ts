import { HOMOPHONE_SIMILARITY, PLURAL_SIMILARITY } from '../../score-weights.ts'
import { homophonesOf, pluralOrSingularOf } from '../../tokenize.ts'
import type { Term } from './store.ts'

/*
 * The rules of query expansion: which index words may replace a word of the query. These are the word itself, its plural or
 * singular, homophones, words within edit distance 1 and words with the same phonetic code. The deep search adds edit
 * distance 2, similar phonetic codes and longer words with the same prefix. `format/marks/expand.ts` applies the rules.
 */

/** Maximum number of index words that may replace one word of the query. */
export const maxTerms = (isDeep: boolean) => (isDeep ? 256 : 64)
/** Shorter words tolerate fewer edits. */
export const maxEditDistance = (length: number) => (length < 5 ? 1 : 2)
/** Words that sound alike must also be similar in length. */
export const MAX_LENGTH_DIFFERENCE = 4
/** Shorter words are a prefix of too many others. */
export const MIN_BEGINNING_LENGTH = 4
/** Shorter phonetic codes have too many codes within one edit. */
export const MIN_NEAR_CODE_LENGTH = 4
/** A less similar word does not replace the word of the query. */
export const MIN_TERM_SIMILARITY = 0.65

/** 1 less the share of letters to edit; `a` and `b` are the lengths of the words. */
export const editSimilarity = (distance: number, a: number, b: number) => 1 - distance / Math.max(a, b)
export type Sounding = { readonly base: number }
/** Base similarity of words that sound the same, and of words that sound nearly the same; similar spelling adds to it. */
export const SAME_SOUND: Sounding = { base: 0.45 }
export const NEAR_SOUND: Sounding = { base: 0.35 }
export const bySound = ({ base }: Sounding, distance: number, a: number, b: number) =>
  base + 0.5 * editSimilarity(distance, a, b)
/** With more edits than this `bySound` is below `MIN_TERM_SIMILARITY`. */
export const maxEdits = ({ base }: Sounding, a: number, b: number) =>
  Math.max(a, b) * (1 - (MIN_TERM_SIMILARITY - base) / 0.5) + 1e-9
/** Similarity of a word of length `a` and a longer one of length `b` that begins with it. */
export const byBeginning = (a: number, b: number) => 0.45 + (0.4 * a) / b

/** Words equal to this one by rule: itself, its plural or singular, and homophones. */
export function* wordsByRule(word: string): Iterable<{ text: string; value: number }> {
  yield { text: word, value: 1 }
  for (const text of pluralOrSingularOf(word)) yield { text, value: PLURAL_SIMILARITY }
  for (const text of homophonesOf(word)) yield { text, value: HOMOPHONE_SIMILARITY }
}

/** The most similar words first; of equally similar ones the more frequent first. */
export const mostSimilar = <T extends Term & { readonly value: number }>(terms: readonly T[], isDeep: boolean): T[] =>
  terms
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => b.value - a.value || b.frequency - a.frequency || (a.text < b.text ? -1 : 1))
    .slice(0, maxTerms(isDeep))
