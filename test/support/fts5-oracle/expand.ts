import { editDistance } from '../../../src/trademark/edit-distance.ts'
import { codesOf } from '../../../src/trademark/phonetic.ts'
import {
  byBeginning,
  bySound,
  editSimilarity,
  MAX_LENGTH_DIFFERENCE,
  maxEditDistance,
  MIN_BEGINNING_LENGTH,
  MIN_NEAR_CODE_LENGTH,
  MIN_TERM_SIMILARITY,
  mostSimilar,
  NEAR_SOUND,
  SAME_SOUND,
  type Sounding,
  wordsByRule,
} from '../../../src/trademark/engine/search/expansion.ts'
import type { Term } from '../../../src/trademark/engine/search/store.ts'
import { MIN_CODE_LENGTH, MIN_FORM_LENGTH } from '../../../src/trademark/engine/search/word-forms.ts'
import { deletionsOf, piecesNear } from './word-forms.ts'

type Vocabulary = {
  frequency(word: string): number
  /** Words of marks that have this form; see `formsOf`. */
  wordsByForm(form: string): readonly string[]
  wordsByCode(code: string): readonly string[]
  /** Codes that are this form, or become it when one letter is deleted. */
  codesByForm(form: string): readonly string[]
  wordsWithPrefix(prefix: string, maxLength: number): readonly string[]
}

/** Applies the rules of query expansion to plain lists of words. */
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
      for (const text of vocabulary.wordsWithPrefix(word, length + MAX_LENGTH_DIFFERENCE))
        put(text, byBeginning(length, text.length))
  }
  const terms = Array.from(values, ([text, value]) => ({ text, value, frequency: vocabulary.frequency(text) }))
  return mostSimilar(terms, isDeep)
}
