import { type Names, type PreparedQuery, scoreBoundOf } from '../../../scoring.ts'
import { weightOf, type Word } from '../../../word-match.ts'
import type { MarkNumber, Reader } from '../../search/store.ts'
import { MAX_MARK_LENGTH } from '../../search/word-forms.ts'
import { createUpperBound } from './upper-bound.ts'
import { createLowerBound } from './lower-bound.ts'
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
        known.set(number, (word = query.wordOf(token, { codes, weight: weigh(number) })))
      }
      return word
    }
    const bound = createUpperBound(marks, query, weigh)
    const lowerBound = createLowerBound(marks, query, known, weigh)
    return {
      bound: (mark: MarkNumber) => bound(mark - base),
      lowerBound: (mark: MarkNumber) => lowerBound(mark - base),
      isOneSpelling: (mark: MarkNumber) => marks.isOneSpelling(mark - base),
      // The length is that of the mark, not of its other spellings.
      boundByLength(mark: MarkNumber): number {
        if (!marks.isOneSpelling(mark - base)) return 1
        const length = marks.lengthOf(mark - base)
        return length === MAX_MARK_LENGTH ? 1 : (byLength[length] ??= scoreBoundOf(query, length))
      },
      names(mark: MarkNumber): Names {
        const names: Word[][] = []
        marks.eachName(mark - base, (words, begin, end) => {
          const name: Word[] = []
          for (let at = begin; at < end; at++) name.push(read(words[at]!))
          return names.push(name) > 0
        })
        return names
      },
    }
  })
  return {
    isNew: segments.isNew,
    bound: (mark) => readers[segments.at(mark)]!.bound(mark),
    lowerBound: (mark) => readers[segments.at(mark)]!.lowerBound(mark),
    boundByLength: (mark) => readers[segments.at(mark)]!.boundByLength(mark),
    isOneSpelling: (mark) => readers[segments.at(mark)]!.isOneSpelling(mark),
    names: (mark) => readers[segments.at(mark)]!.names(mark),
  }
}
