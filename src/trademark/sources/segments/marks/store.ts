import type { TrademarkRecord } from '../../../record.ts'
import { likest, wordsByRule } from '../../matching/expansion.ts'
import type { Filter, MarkNumber, Store, Term } from '../../matching/store.ts'
import { blockValueAt } from '../blocks.ts'
import { wordsLike } from './expand.ts'
import { NO_WORD, type Marks } from './open.ts'
import { createParts } from './parts.ts'
import { createReader } from './reader.ts'
import { byCode, bySquash, byWords, type Group, groupOf, type Places } from './sets.ts'
import type { PlaceSet } from './classes.ts'
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
  /** Of each segment what `find` finds there, in the order of all. */
  const gather = (filter: Filter, most: number, find: (marks: Marks, isKept: PlaceSet, at: number) => Places) => {
    let all: MarkNumber[] = []
    for (const [at, { marks, base }] of parts.all.entries()) {
      const isKept = marks.keeping(filter)
      if (isKept === null) continue
      const found = find(marks, isKept, at)
      for (let one = 0; one < found.length; one++) found[one]! += base
      all = all.length === 0 ? found : parts.merge(all, found, most)
    }
    return all
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
      return likest(terms, isDeep)
    },
    bySquash: (squash, filter, most) => gather(filter, most, (marks, isKept) => bySquash(marks, squash, isKept, most)),
    byCode: (code, filter, most) => gather(filter, most, (marks, isKept) => byCode(marks, code, isKept, most)),
    byWords(groups, filter, most) {
      const found = gather(filter, most + 1, (_, isKept, at) =>
        byWords(
          groups.map((terms) => groupAt(terms, at)),
          isKept,
          most + 1,
        ),
      )
      return { numbers: found.slice(0, most), isMore: found.length > most }
    },
    byEachWord(terms, filter, most) {
      const isKept = parts.all.map(({ marks }) => marks.keeping(filter))
      return terms.flatMap(({ numbers }) => {
        let all: MarkNumber[] = []
        for (const [at, { marks, base }] of parts.all.entries()) {
          const isKeptHere = isKept[at]!
          if (isKeptHere === null || numbers![at] === NO_WORD) continue
          const found: MarkNumber[] = []
          const list = marks.listOf(numbers![at]!)
          for (let i = 0; i < list.length && found.length < most; i++)
            if (isKeptHere(list[i]!)) found.push(list[i]! + base)
          all = all.length === 0 ? found : parts.merge(all, found, most)
        }
        return all
      })
    },
    reader(query) {
      parts.forget()
      return createReader(parts, documents, query)
    },
    compare: parts.compare,
    isDead(mark) {
      const { marks, base } = parts.of(mark)
      return marks.isDead(mark - base)
    },
    recordOfMark(mark) {
      const { ids, marks, base } = parts.of(mark)
      return recordOf(blockValueAt(ids, marks.numberOf(mark - base)))
    },
  }
}

function countBits(bits: Uint8Array | null): number {
  let count = 0
  for (let byte of bits ?? []) for (; byte > 0; byte &= byte - 1) count++
  return count
}
