import { type Names, type PreparedQuery, scoreBoundOf } from '../../../scoring.ts'
import { weightOf, type Word } from '../../../word-match.ts'
import type { MarkNumber, Reader } from '../../search/store.ts'
import { MAX_MARK_LENGTH } from '../../search/word-forms.ts'
import { createUpperBound } from './upper-bound.ts'
import type { MultiSegment } from './multi-segment.ts'

/** What one search reads of the marks of all segments; words are compared with the query once. */
export function createQueryReader(segments: MultiSegment, documents: number, query: PreparedQuery): Reader {
  const byLength: number[] = []
  const readers = segments.all.map(({ marks, base }, at) => {
    const known = new Map<number, Word>()
    const weigh = (word: number) => weightOf(segments.frequencyOf(at, word), documents)
    const read = (number: number): Word => {
      let word = known.get(number)
      if (word === undefined) {
        const { token, codes } = marks.codesOfWord(number)
        known.set(number, (word = query.matchWord(token, codes, weigh(number))))
      }
      return word
    }
    let names: Word[][] = []
    const putName = (words: Uint32Array, begin: number, end: number) => {
      const name: Word[] = []
      for (let at = begin; at < end; at++) name.push(read(words[at]!))
      return names.push(name) > 0
    }
    const bound = createUpperBound(marks, query, weigh)
    return {
      bound: (mark: MarkNumber) => bound(mark - base),
      isOneSpelling: (mark: MarkNumber) => marks.isOneSpelling(mark - base),
      // The length is that of the mark, not of its other spellings.
      boundByLength(mark: MarkNumber): number {
        if (!marks.isOneSpelling(mark - base)) return 1
        const length = marks.lengthOf(mark - base)
        return length === MAX_MARK_LENGTH ? 1 : (byLength[length] ??= scoreBoundOf(query, length))
      },
      names(mark: MarkNumber): Names {
        names = []
        marks.eachName(mark - base, putName)
        return names
      },
    }
  })
  return {
    isNew: segments.isNew,
    bound: (mark) => readers[segments.at(mark)]!.bound(mark),
    boundByLength: (mark) => readers[segments.at(mark)]!.boundByLength(mark),
    isOneSpelling: (mark) => readers[segments.at(mark)]!.isOneSpelling(mark),
    names: (mark) => readers[segments.at(mark)]!.names(mark),
  }
}
