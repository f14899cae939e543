import type { TrademarkRecord } from '../../../record.ts'
import { mostSimilar, wordsByRule } from '../../search/expansion.ts'
import type { Filter, First, MarkNumber, Store, Term } from '../../search/store.ts'
import { tieKeyOf } from '../../../tie-rank.ts'
import { blockValueAt } from '../blocks.ts'
import { wordsLike } from './expand.ts'
import { NO_WORD, type Marks } from './open.ts'
import { createParts } from './parts.ts'
import { createReader } from './reader.ts'
import { byCode, bySquash, byWords, type Group, groupOf, type Places } from './sets.ts'
import type { PlaceSet } from './classes.ts'
import { valueAt } from '../packed.ts'
import type { OpenSegment } from '../part.ts'

type MarkStore = Omit<Store, 'byText' | 'byExpiry' | 'record' | 'close'>

/** What a store knows of marks, from the lists of all segments together. */
export function openMarkStore(segments: readonly OpenSegment[], recordOf: (id: number) => TrademarkRecord): MarkStore {
  const parts = createParts(segments)
  const documents = segments.reduce((sum, one) => sum + one.documents - countBits(one.superseded), 0)

  const termOf = (text: string, numbers: readonly number[]): Term => ({
    text,
    numbers,
    frequency: parts.all.reduce(
      (sum, { marks }, at) => sum + (numbers[at] === NO_WORD ? 0 : marks.frequencyOf(numbers[at]!)),
      0,
    ),
  })
  const term = (text: string) =>
    termOf(
      text,
      parts.all.map(({ marks }) => marks.find(text)),
    )
  const groupAt = (terms: readonly Term[], at: number): Group => {
    const part = parts.all[at]!
    let group = part.groups.get(terms)
    if (group === undefined) {
      group = groupOf(
        part.marks,
        terms.map(({ numbers }) => numbers![at]!),
        part.bitmaps.borrow,
      )
      part.groups.set(terms, group)
    }
    return group
  }
  /** What `find` finds in each segment, at most `max` in all, in one order. */
  const gather = (
    filter: Filter,
    max: number,
    find: (marks: Marks, isKept: PlaceSet, max: number, at: number) => Places,
  ): First => {
    let all: MarkNumber[] = []
    for (const [at, { marks, base }] of parts.all.entries()) {
      const isKept = marks.keeping(filter)
      if (isKept === null) continue
      const found = find(marks, isKept, max + 1, at)
      for (let one = 0; one < found.length; one++) found[one]! += base
      all = all.length === 0 ? found : parts.merge(all, found, max + 1)
    }
    return { numbers: all.length > max ? all.slice(0, max) : all, isMore: all.length > max }
  }

  return {
    documents,
    term,
    expand(word, isDeep) {
      const likely = new Map<string, { value: number; numbers: number[] }>()
      const put = (text: string, value: number, number: number, at: number) => {
        let known = likely.get(text)
        if (known === undefined) likely.set(text, (known = { value, numbers: [] }))
        if (value > known.value) known.value = value
        known.numbers[at] = number
      }
      for (const [at, { marks }] of parts.all.entries()) {
        for (const { text, value } of wordsByRule(word)) put(text, value, marks.find(text), at)
        for (const [other, value] of wordsLike(marks, word, isDeep))
          put(marks.vocabulary.tokenOf(other), value, other, at)
      }
      const terms = Array.from(likely, ([text, { value, numbers }]) => ({
        ...termOf(
          text,
          parts.all.map(({ marks }, at) => numbers[at] ?? marks.find(text)),
        ),
        value,
      }))
      return mostSimilar(terms, isDeep)
    },
    bySquash: (squash, filter, max) =>
      gather(filter, max, (marks, isKept, most) => bySquash(marks, squash, isKept, most)),
    byCode: (code, max) => gather(EVERYTHING, max, (marks, isKept, most) => byCode(marks, code, isKept, most)),
    byWords: (groups, filter, max) =>
      gather(filter, max, (_, isKept, most, at) =>
        byWords(
          groups.map((terms) => groupAt(terms, at)),
          isKept,
          most,
        ),
      ),
    byWord: ({ numbers }, max) =>
      gather(EVERYTHING, max, (marks, isKept, most, at) => {
        const found: Places = []
        if (numbers![at] === NO_WORD) return found
        const list = marks.listOf(numbers![at]!)
        for (let i = 0; i < list.length && found.length < most; i++) if (isKept(list[i]!)) found.push(list[i]!)
        return found
      }),
    keeps(filter) {
      const isKept = parts.all.map(({ marks }) => marks.keeping(filter))
      return (mark) => {
        const at = parts.at(mark)
        return isKept[at]?.(mark - parts.all[at]!.base) ?? false
      }
    },
    reader(query) {
      parts.forget()
      return createReader(parts, documents, query)
    },
    tieKey(mark) {
      const { marks, base, serials, tieRanks } = parts.of(mark)
      const number = marks.numberOf(mark - base)
      return tieKeyOf(valueAt(tieRanks, number), blockValueAt(serials, number))
    },
    recordOfMark(mark) {
      const { ids, marks, base } = parts.of(mark)
      return recordOf(blockValueAt(ids, marks.numberOf(mark - base)))
    },
  }
}

const EVERYTHING: Filter = { life: 'all' }

function countBits(bits: Uint8Array | null): number {
  let count = 0
  for (let byte of bits ?? []) for (; byte > 0; byte &= byte - 1) count++
  return count
}
