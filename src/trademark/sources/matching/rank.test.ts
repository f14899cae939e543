import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { namesOf, prepareQuery } from '../../scoring.ts'
import { createRanking } from './rank.ts'
import type { MarkNumber, Store } from './store.ts'

/** The marks of a register of these, in the order of their numbers; those in small letters are dead. */
const ranked = (query: string, marks: readonly string[], offset: number, limit: number): string[] => {
  const prepared = prepareQuery(query, () => 10)
  const reader = {
    bound: () => 1,
    // Each is added once here.
    isNew: () => true,
    names: (mark: MarkNumber) => namesOf(prepared, { mark: marks[mark]!, pseudoMarks: [] }),
  }
  // The ranking asks no more of a store.
  const store = {
    reader: () => reader,
    compare: (a: number, b: number) => a - b,
    isDead: (mark: MarkNumber) => marks[mark] === marks[mark]!.toLowerCase(),
  } as unknown as Store
  const ranking = createRanking(store, prepared, offset + limit)
  ranking.addWhole([...marks.keys()])
  return ranking.page(offset, limit).map((number) => `${marks[number]!} ${number}`)
}

test('many records of one mark do not hide those that are like it', () => {
  const marks = [...Array.from({ length: 30 }, () => 'OTTER'), 'OTTERS', 'OTER', 'BANANA']
  const first = 'OTTER 0, OTTER 1, OTTERS 30, OTTER 2, OTTER 3, OTER 31, OTTER 4, OTTER 5, OTTER 6, OTTER 7'
  assert.equal(ranked('otter', marks, 0, 10).join(', '), first)
  // Who is hardly like it does not pass before its records.
  const few = ranked('otter', ['OTTER', 'OTTERS', 'OTTER', 'BANANA', 'OTTER'], 0, 9)
  assert.equal(few.join(', '), 'OTTER 0, OTTER 2, OTTERS 1, OTTER 4, BANANA 3')
})

test('of marks that score the same the dead ones come last, also among the records of one mark', () => {
  const order = ranked('otter', ['otter', 'otter', 'OTTERS', 'OTTER', 'otted', 'OTTEF', 'OTTER'], 0, 9)
  assert.equal(order.join(', '), 'OTTER 3, OTTER 6, OTTERS 2, otter 0, otter 1, OTTEF 5, otted 4')
})

test('marks that only score the same are no copies of each other', () => {
  const order = ranked('otter', ['OTTELO', 'OTTED', 'OTTEF', 'OTTEG', 'OTTEK'], 0, 9)
  assert.deepEqual(order, ['OTTED 1', 'OTTEF 2', 'OTTEG 3', 'OTTEK 4', 'OTTELO 0'])
})

test('pages put together are the whole, however many copies there are and in whichever order they come', () => {
  const mark = fc.constantFrom('OTTER', 'otter', 'OTTERS', 'OTER', 'OTTER LAMP', 'LAMP OTTER', 'LAMP', 'BANANA')
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (marks, limit) => {
      const whole = ranked('otter', marks, 0, 100)
      assert.equal(new Set(whole).size, marks.length)
      const pages = Array.from(marks.keys(), (at) => ranked('otter', marks, at * limit, limit)).flat()
      assert.deepEqual(pages, whole)
    }),
    { numRuns: 200 },
  )
})
