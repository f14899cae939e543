import type { Names, PreparedQuery } from '../../../scoring.ts'
import { weightOf, type Word } from '../../../words.ts'
import type { MarkNumber, Reader } from '../../matching/store.ts'
import { createBound } from './bound.ts'
import type { Parts } from './parts.ts'

/** The marks of all segments as one search sees them. */
export function createReader(parts: Parts, documents: number, query: PreparedQuery): Reader {
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
    return {
      bound: (mark: MarkNumber) => bound(mark - base),
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
    names: (mark) => readers[parts.at(mark)]!.names(mark),
  }
}
