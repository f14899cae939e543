import { MIN_CODE_LENGTH } from '../../../src/trademark/engine/search/word-forms.ts'
import { codesOf, codesOfWords } from '../../../src/trademark/phonetic.ts'
import type { TrademarkRecord } from '../../../src/trademark/record.ts'
import { tokenize } from '../../../src/trademark/tokenize.ts'

/** What a record is found by. */
export type RecordWords = {
  /** The different words of all spellings of the mark together. */
  readonly mark: readonly string[]
  /** Each spelling without spaces. */
  readonly squashes: readonly string[]
  /** The joint phonetic codes of each spelling. */
  readonly codes: readonly string[]
  readonly goods: readonly string[]
  readonly owner: readonly string[]
}

const different = (words: Iterable<string>): string[] => [...new Set(words)]

export function wordsOf(record: Pick<TrademarkRecord, 'mark' | 'pseudoMarks' | 'goods' | 'owner'>): RecordWords {
  const names = different([record.mark, ...record.pseudoMarks])
    .map(tokenize)
    .filter((tokens) => tokens.length > 0)
  const squashes = names.map((tokens) => tokens.join(''))
  const codes = names.flatMap((tokens) => codesOfWords(tokens.map((token) => ({ token, codes: codesOf(token) }))))
  return {
    mark: different(names.flat()),
    squashes: different(squashes),
    codes: different(codes).filter((code) => code.length >= MIN_CODE_LENGTH),
    goods: different(tokenize(record.goods)),
    owner: different(tokenize(record.owner)),
  }
}
