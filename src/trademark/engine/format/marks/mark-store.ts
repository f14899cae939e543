import { LRUCache } from 'lru-cache'
import type { TrademarkRecord } from '../../../record.ts'
import { mostSimilar, wordsByRule } from '../../search/expansion.ts'
import type { Filter, FirstMarks, MarkNumber, Store, Term } from '../../search/store.ts'
import { tieKeyOf } from '../../../tie-rank.ts'
import { blockValueAt } from '../blocks.ts'
import { findSimilarWords } from './expand.ts'
import type { MarksIndex } from './marks-index.ts'
import { NO_WORD } from './words-index.ts'
import { type MultiSegment, openMultiSegment } from './multi-segment.ts'
import { createQueryReader } from './query-reader.ts'
import { byCode, bySquash, byWords, type Group, createGroup, type Ordinals } from './mark-lookup.ts'
import type { OrdinalFilter } from './classes.ts'
import { valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'

/** Expansions that each thread keeps; a store never changes. The same words come up in search after search. */
const MAX_CACHED_EXPANSIONS = { shallow: 1000, deep: 200 }

type MarkStore = Omit<Store, 'byText' | 'byExpiry' | 'record' | 'close'>

/** The mark half of `Store`, over all segments. */
export function openMarkStore(
  segments: readonly SegmentReader[],
  recordOf: (id: number) => TrademarkRecord,
): MarkStore {
  const segmentsOfMarks = openMultiSegment(segments)
  const shallow = new LRUCache<string, readonly Term[]>({ max: MAX_CACHED_EXPANSIONS.shallow })
  const deep = new LRUCache<string, readonly Term[]>({ max: MAX_CACHED_EXPANSIONS.deep })
  const documents = segments.reduce((sum, one) => sum + one.documents - countSetBits(one.tombstones), 0)

  const termOf = (text: string, numbers: readonly number[]): Term => ({
    text,
    numbers,
    frequency: segmentsOfMarks.all.reduce(
      (sum, { marks }, at) => sum + (numbers[at] === NO_WORD ? 0 : marks.frequencyOf(numbers[at]!)),
      0,
    ),
  })
  const term = (text: string) =>
    termOf(
      text,
      segmentsOfMarks.all.map(({ marks }) => marks.find(text)),
    )
  const groupAt = (terms: readonly Term[], at: number): Group => {
    const part = segmentsOfMarks.all[at]!
    let group = part.groups.get(terms)
    if (group === undefined) {
      group = createGroup(
        part.marks,
        terms.map(({ numbers }) => numbers![at]!),
        part.bitmaps.borrow,
      )
      part.groups.set(terms, group)
    }
    return group
  }
  /** Runs `find` in each segment and merges the results in order, at most `max` of them. */
  const gather = (
    filter: Filter,
    max: number,
    find: (marks: MarksIndex, isKept: OrdinalFilter, max: number, at: number) => Ordinals,
  ): FirstMarks => {
    let all: MarkNumber[] = []
    for (const [at, { marks, base }] of segmentsOfMarks.all.entries()) {
      const isKept = marks.keeping(filter)
      if (isKept === null) continue
      const found = find(marks, isKept, max + 1, at)
      for (let one = 0; one < found.length; one++) found[one]! += base
      all = all.length === 0 ? found : segmentsOfMarks.merge(all, found, max + 1)
    }
    return { numbers: all.length > max ? all.slice(0, max) : all, isMore: all.length > max }
  }

  return {
    documents,
    term,
    expand(word, isDeep) {
      const cache = isDeep ? deep : shallow
      let terms = cache.get(word)
      if (terms === undefined) cache.set(word, (terms = expandWord(segmentsOfMarks, word, isDeep, termOf)))
      return terms
    },
    bySquash: (squash, filter, max) =>
      gather(filter, max, (marks, isKept, max) => bySquash(marks, squash, isKept, max)),
    byCode: (code, max) => gather(EVERYTHING, max, (marks, isKept, max) => byCode(marks, code, isKept, max)),
    byWords: (groups, filter, max) =>
      gather(filter, max, (_, isKept, max, at) =>
        byWords(
          groups.map((terms) => groupAt(terms, at)),
          isKept,
          max,
        ),
      ),
    byWord: ({ numbers }, max) =>
      gather(EVERYTHING, max, (marks, isKept, max, at) => {
        const found: Ordinals = []
        if (numbers![at] === NO_WORD) return found
        const list = marks.listOf(numbers![at]!)
        for (let i = 0; i < list.length && found.length < max; i++) if (isKept(list[i]!)) found.push(list[i]!)
        return found
      }),
    keeps(filter) {
      const isKept = segmentsOfMarks.all.map(({ marks }) => marks.keeping(filter))
      return (mark) => {
        const at = segmentsOfMarks.at(mark)
        return isKept[at]?.(mark - segmentsOfMarks.all[at]!.base) ?? false
      }
    },
    reader(query) {
      segmentsOfMarks.forget()
      return createQueryReader(segmentsOfMarks, documents, query)
    },
    tieKey(mark) {
      const { marks, base, serials, tieRanks } = segmentsOfMarks.of(mark)
      const number = marks.numberOf(mark - base)
      return tieKeyOf(valueAt(tieRanks, number), blockValueAt(serials, number))
    },
    recordOfMark(mark) {
      const { ids, marks, base } = segmentsOfMarks.of(mark)
      return recordOf(blockValueAt(ids, marks.numberOf(mark - base)))
    },
  }
}

/** Query expansion over all segments: the likest words by rule and by lookup, with their frequencies. */
function expandWord(
  segmentsOfMarks: MultiSegment,
  word: string,
  isDeep: boolean,
  termOf: (text: string, numbers: readonly number[]) => Term,
): readonly Term[] {
  const likely = new Map<string, { value: number; numbers: number[] }>()
  const put = (text: string, value: number, number: number, at: number) => {
    let known = likely.get(text)
    if (known === undefined) likely.set(text, (known = { value, numbers: [] }))
    if (value > known.value) known.value = value
    known.numbers[at] = number
  }
  for (const [at, { marks }] of segmentsOfMarks.all.entries()) {
    for (const { text, value } of wordsByRule(word)) put(text, value, marks.find(text), at)
    for (const [other, value] of findSimilarWords(marks, word, isDeep))
      put(marks.vocabulary.wordText(other), value, other, at)
  }
  const terms = Array.from(likely, ([text, { value, numbers }]) => ({
    ...termOf(
      text,
      segmentsOfMarks.all.map(({ marks }, at) => numbers[at] ?? marks.find(text)),
    ),
    value,
  }))
  return mostSimilar(terms, isDeep)
}

const EVERYTHING: Filter = { life: 'all' }

function countSetBits(bits: Uint8Array | null): number {
  let count = 0
  for (let byte of bits ?? []) for (; byte > 0; byte &= byte - 1) count++
  return count
}
