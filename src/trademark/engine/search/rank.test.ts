import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { namesOf, prepareQuery } from '../../scoring.ts'
import { tieKeyOf, tieRankOf } from '../../tie-rank.ts'
import { createRanking } from './rank.ts'
import type { MarkNumber, Store } from './store.ts'

type Mark = { readonly mark: string; readonly status?: string; readonly filingDate?: number | null }

/** The ranking of a register of these marks; their indexes are their serial numbers. */
function rankingOf(query: string, marks: readonly Mark[], wanted: number, keeps: (mark: MarkNumber) => boolean) {
  const prepared = prepareQuery(query, () => 10)
  const reader = {
    bound: () => 1,
    boundByLength: () => 1,
    isOneSpelling: () => false,
    // Each mark is added once here.
    isNew: () => true,
    names: (number: MarkNumber) => namesOf(prepared, { mark: marks[number]!.mark, pseudoMarks: [] }),
  }
  const tieKey = (number: MarkNumber) => {
    const { status = '700', filingDate = null } = marks[number]!
    return tieKeyOf(tieRankOf({ status, filingDate }), number)
  }
  // The ranking uses no other method of a store.
  const store = { reader: () => reader, tieKey } as unknown as Store
  const ranking = createRanking(store, prepared, { keeps, wanted })
  ranking.addWhole([...marks.keys()])
  return ranking
}

const ranked = (query: string, marks: readonly Mark[], offset = 0, limit = 100): MarkNumber[] =>
  rankingOf(query, marks, offset + limit, () => true)
    .page(offset, limit)
    .map(({ number }) => number)

const LIVE = '700'
const DEAD = '710'
const NEITHER = '715'

test('a better score comes first, whatever the status and date', () => {
  const marks = [
    { mark: 'OTTERS', status: LIVE, filingDate: 20260101 },
    ...Array.from({ length: 30 }, () => ({ mark: 'OTTER', status: DEAD, filingDate: 19900101 })),
    { mark: 'BANANA', status: LIVE, filingDate: 20260101 },
  ]
  assert.deepEqual(ranked('otter', marks), [...Array.from({ length: 30 }, (_, at) => at + 1), 0, 31])
})

test('with equal scores: live before dead, then the newest, then the lower serial number', () => {
  const marks = [
    { mark: 'OTTER', status: DEAD, filingDate: 20260101 },
    { mark: 'OTTER', status: LIVE, filingDate: null },
    { mark: 'OTTER', status: NEITHER, filingDate: 20260102 },
    { mark: 'OTTER', status: LIVE, filingDate: 20200131 },
    { mark: 'OTTER', status: LIVE, filingDate: 20200201 },
    { mark: 'OTTER', status: LIVE, filingDate: 20200201 },
    { mark: 'OTTER', status: LIVE, filingDate: 19991231 },
  ]
  assert.deepEqual(ranked('otter', marks), [4, 5, 3, 6, 1, 2, 0])
})

const TEXTS = ['OTTER', 'Otter!', 'OTTERS', 'OTER', 'OTTER LAMP', 'LAMP OTTER', 'LAMP', 'BANANA']
const anyMark = fc.record({
  mark: fc.constantFrom(...TEXTS),
  status: fc.constantFrom(LIVE, DEAD),
  filingDate: fc.constantFrom(20200101, 20210101, null),
})

test('pages together are the whole result, even if many marks have the same score', () => {
  fc.assert(
    fc.property(fc.array(anyMark, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (marks, limit) => {
      const whole = ranked('otter', marks)
      assert.equal(new Set(whole).size, marks.length)
      const pages = Array.from(marks.keys(), (at) => ranked('otter', marks, at * limit, limit)).flat()
      assert.deepEqual(pages, whole)
    }),
    { numRuns: 200 },
  )
})

test('a group is one text, ranked as the best of its records, with their number', () => {
  fc.assert(
    fc.property(fc.array(anyMark, { maxLength: 60 }), (marks) => {
      const textOf = (number: MarkNumber) => marks[number]!.mark.toLowerCase().replace('!', '')
      const whole = ranked('otter', marks)
      const texts = [...new Set(whole.map(textOf))]
      const expected = texts.map((text) => ({
        number: whole.find((number) => textOf(number) === text)!,
        groupCount: whole.filter((number) => textOf(number) === text).length,
      }))
      assert.deepEqual(rankingOf('otter', marks, Infinity, () => true).groups(), expected)
    }),
    { numRuns: 200 },
  )
})

test('whether there is a good candidate does not depend on the filter', () => {
  const marks = [{ mark: 'OTTER' }, { mark: 'LAMP OTTER' }]
  const ranking = rankingOf('otter', marks, 10, (number) => number === 1)
  assert.equal(ranking.hasGood(), true)
  assert.equal(ranking.count(), 1)
  assert.equal(rankingOf('otter', marks.slice(1), 10, () => true).hasGood(), false)
})
