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
import { MIN_CODE_LENGTH, MIN_FORM_LENGTH } from '../../search/record-terms.ts'
import { patternOf } from './distance.ts'
import { countBits, lettersOf } from './letters.ts'
import { eachNearCode, eachThatBegins, eachWordByForm, eachWordByPiece, findCode } from './lookup.ts'
import type { Marks } from './open.ts'

/** Words of one segment by what they are worth. */
export type Values = Map<number, number>

/**
 * The rules of `matching/expansion.ts`, but for those that need no list, over the tables of one segment. Of all that
 * were found those that can be among the mostSimilar in the end: equals of the last one included.
 */
export function wordsLike(marks: Marks, word: string, isDeep: boolean): Values {
  const { vocabulary, codes } = marks
  const { beginOf, endOf } = vocabulary
  const values: Values = new Map()
  const put = (other: number, value: number) => {
    if (value >= MIN_TERM_SIMILARITY && value > (values.get(other) ?? 0)) values.set(other, value)
  }
  const length = word.length
  const letters = Uint8Array.from(word, (letter) => letter.charCodeAt(0))
  const { distanceTo } = patternOf(word)
  const reach = maxEditDistance(length)
  const lengthOf = (other: number) => endOf(other) - beginOf(other)
  const putSlip = (other: number) => {
    if (Math.abs(lengthOf(other) - length) > reach) return
    const distance = distanceTo(vocabulary.bytes, beginOf(other), endOf(other))
    if (distance <= reach) put(other, editSimilarity(distance, length, lengthOf(other)))
  }
  const bits = lettersOf(letters, 0, length)
  const putCode = (code: number, sounding: Sounding) => {
    for (let at = codes.starts[code]!; at < codes.starts[code + 1]!; at++) {
      const other = codes.words[at]!
      const size = lengthOf(other)
      if (Math.abs(size - length) > MAX_LENGTH_DIFFERENCE) continue
      // One edit changes two of the letters at most.
      if (countBits(vocabulary.lettersOf(other) ^ bits) > 2 * maxEdits(sounding, length, size)) continue
      put(other, bySound(sounding, distanceTo(vocabulary.bytes, beginOf(other), endOf(other)), length, size))
    }
  }

  if (length >= MIN_FORM_LENGTH) eachWordByForm(marks, letters, putSlip)
  for (const code of new Set(codesOf(word))) {
    if (code.length < MIN_CODE_LENGTH) continue
    const number = findCode(marks, code)
    if (number >= 0) putCode(number, SAME_SOUND)
  }
  if (isDeep) {
    eachWordByPiece(marks, letters, putSlip)
    const [code] = codesOf(word)
    if (code.length >= MIN_NEAR_CODE_LENGTH) eachNearCode(marks, code, (near) => putCode(near, NEAR_SOUND))
    if (length >= MIN_BEGINNING_LENGTH)
      eachThatBegins(marks, letters, (other) => {
        if (lengthOf(other) <= length + MAX_LENGTH_DIFFERENCE) put(other, byBeginning(length, lengthOf(other)))
      })
  }
  return mostSimilar(values, maxTerms(isDeep))
}

/** The best so many and those as good as the last of them. */
function mostSimilar(values: Values, most: number): Values {
  if (values.size <= most) return values
  const least = Float64Array.from(values.values()).sort()[values.size - most]!
  return new Map([...values].filter(([, value]) => value >= least))
}
