import { codesOf } from '../../../phonetic.ts'
import {
  byBeginning,
  editSimilarity,
  bySound,
  MAX_LENGTH_DIFFERENCE,
  MIN_TERM_SIMILARITY,
  maxEdits,
  maxTerms,
  NEAR_SOUND,
  maxEditDistance,
  SAME_SOUND,
  MIN_BEGINNING_LENGTH,
  MIN_NEAR_CODE_LENGTH,
  type Sounding,
} from '../../search/expansion.ts'
import { MIN_CODE_LENGTH, MIN_FORM_LENGTH } from '../../search/word-forms.ts'
import { compilePattern } from './edit-distance.ts'
import { popCount, letterMask } from './letter-masks.ts'
import { eachNearCode, eachWordWithPrefix, eachWordByDeletion, eachWordByPiece, findCode } from './word-lookup.ts'
import type { MarksIndex } from './marks-index.ts'

/** Word number → how well it can replace the query word, 0 to 1. */
export type Values = Map<number, number>

/**
 * Query expansion over the tables of one segment, by the rules of `search/expansion.ts` that need a lookup. Returns the words
 * that can still be among the best of all segments, ties with the last one included.
 */
export function findSimilarWords(marks: MarksIndex, word: string, isDeep: boolean): Values {
  const { vocabulary, codes } = marks
  const { beginOf, endOf } = vocabulary
  const values: Values = new Map()
  const put = (other: number, value: number) => {
    if (value >= MIN_TERM_SIMILARITY && value > (values.get(other) ?? 0)) values.set(other, value)
  }
  const length = word.length
  const letters = Uint8Array.from(word, (letter) => letter.charCodeAt(0))
  const { distanceTo } = compilePattern(word)
  const maxDistance = maxEditDistance(length)
  const lengthOf = (other: number) => endOf(other) - beginOf(other)
  const putByEdits = (other: number) => {
    if (Math.abs(lengthOf(other) - length) > maxDistance) return
    const distance = distanceTo(vocabulary.bytes, beginOf(other), endOf(other))
    if (distance <= maxDistance) put(other, editSimilarity(distance, length, lengthOf(other)))
  }
  const bits = letterMask(letters, 0, length)
  const putCode = (code: number, sounding: Sounding) => {
    for (let at = codes.starts[code]!; at < codes.starts[code + 1]!; at++) {
      const other = codes.words[at]!
      const size = lengthOf(other)
      if (Math.abs(size - length) > MAX_LENGTH_DIFFERENCE) continue
      // One edit changes at most two bits of the letter mask.
      if (popCount(vocabulary.letterMask(other) ^ bits) > 2 * maxEdits(sounding, length, size)) continue
      put(other, bySound(sounding, distanceTo(vocabulary.bytes, beginOf(other), endOf(other)), length, size))
    }
  }

  if (length >= MIN_FORM_LENGTH) eachWordByDeletion(marks, letters, putByEdits)
  for (const code of new Set(codesOf(word))) {
    if (code.length < MIN_CODE_LENGTH) continue
    const number = findCode(marks, code)
    if (number >= 0) putCode(number, SAME_SOUND)
  }
  if (isDeep) {
    eachWordByPiece(marks, letters, putByEdits)
    const [code] = codesOf(word)
    if (code.length >= MIN_NEAR_CODE_LENGTH) eachNearCode(marks, code, (near) => putCode(near, NEAR_SOUND))
    if (length >= MIN_BEGINNING_LENGTH)
      eachWordWithPrefix(marks, letters, (other) => {
        if (lengthOf(other) <= length + MAX_LENGTH_DIFFERENCE) put(other, byBeginning(length, lengthOf(other)))
      })
  }
  return topValues(values, maxTerms(isDeep))
}

/** The best `max` values and all ties with the last of them. */
function topValues(values: Values, max: number): Values {
  if (values.size <= max) return values
  const minValue = Float64Array.from(values.values()).sort()[values.size - max]!
  return new Map([...values].filter(([, value]) => value >= minValue))
}
