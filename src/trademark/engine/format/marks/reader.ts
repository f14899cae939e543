import { type Names, type PreparedQuery, scoreBoundOf } from '../../../scoring.ts'
import { weightOf, type Word } from '../../../word-match.ts'
import type { MarkNumber, Reader } from '../../search/store.ts'
import { MAX_MARK_LENGTH } from '../../search/record-terms.ts'
import { createBound } from './bound.ts'
import { createLowerBound } from './lower-bound.ts'
import type { Parts } from './parts.ts'

/** The marks of all segments as one search sees them. */
export function createReader(parts: Parts, documents: number, query: PreparedQuery): Reader {
  const byLength: number[] = []
  const readers = parts.all.map(({ marks, base }, at) => {
    const known = new Map<number, Word>()
    const weigh = (word: number) => weightOf(parts.frequencyOf(at, word), documents)
    const read = (number: number): Word => {
      let word = known.get(number)
      if (word === undefined) {
        const { token, codes } = marks.soundOf(number)
        known.set(number, (word = query.wordOf(token, { codes, weight: weigh(number) })))
      }
      return word
    }
    const bound = createBound(marks, query, weigh)
    const lowerBound = createLowerBound(marks, query, known, weigh)
    return {
      bound: (mark: MarkNumber) => bound(mark - base),
      lowerBound: (mark: MarkNumber) => lowerBound(mark - base),
      isOneSpelling: (mark: MarkNumber) => marks.isOneSpelling(mark - base),
      // A mark's length says nothing of its other spellings.
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
    isNew: parts.isNew,
    bound: (mark) => readers[parts.at(mark)]!.bound(mark),
    lowerBound: (mark) => readers[parts.at(mark)]!.lowerBound(mark),
    boundByLength: (mark) => readers[parts.at(mark)]!.boundByLength(mark),
    isOneSpelling: (mark) => readers[parts.at(mark)]!.isOneSpelling(mark),
    names: (mark) => readers[parts.at(mark)]!.names(mark),
  }
}
