import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { seededRandom } from '../../../../kernel/random.ts'
import { generateRegister } from '../../../../../sandbox/trademark/generator.ts'
import type { TrademarkRecord } from '../../../record.ts'
import { tokenize } from '../../../tokenize.ts'
import { buildFts5 } from '../../../../../test/support/fts5-oracle/build.ts'
import { openFts5Store } from '../../../../../test/support/fts5-oracle/store.ts'
import type { RecordPage } from '../../search/store.ts'
import { smallRegister } from '../../../sources/records.fixture.ts'
import { openTextStore, type TextStore } from './text-store.ts'
import { segmentOf } from './segment.fixture.ts'

const FIELDS = ['goods', 'owner'] as const
const LIVES = ['all', 'live', 'dead'] as const

/** The records as they came, in portions; each newer version has something of another record. */
function historyOf(records: readonly TrademarkRecord[], seed: number): TrademarkRecord[][] {
  const random = seededRandom(seed)
  const anyOf = () => records[random.below(records.length)]!
  const changed = () => {
    const { owner, goods, status, renewalDate } = anyOf()
    return { ...anyOf(), owner, goods, status, renewalDate, transactionDate: 20300101 }
  }
  const shuffled = records.map((record) => ({ record, at: random.fraction() })).sort((a, b) => a.at - b.at)
  const all = shuffled.map(({ record }) => record)
  const [base, rest] = [all.slice(0, Math.floor(all.length * 0.8)), all.slice(Math.floor(all.length * 0.8))]
  const daily = (added: TrademarkRecord[]) => [
    ...new Map([...added, ...Array.from({ length: 40 }, changed)].map((record) => [record.serial, record])).values(),
  ]
  const half = rest.length >> 1
  return [base, daily(rest.slice(0, half)), daily(rest.slice(half)), []]
}

const registers: [string, () => TrademarkRecord[]][] = [
  ['of few words', () => smallRegister(1200, 11).map(({ record }) => record)],
  ['like a real one', () => [...generateRegister({ size: 1500, seed: 5 })]],
]

for (const [kind, recordsOf] of registers)
  suite(`a register ${kind}: several segments, one segment and the SQLite oracle agree`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-texts-'))
    const portions = historyOf(recordsOf(), 3)
    const latest = new Map(portions.flat().map((record) => [record.serial, record]))
    const merged = [...latest.values()]
    const place = join(folder, 'oracle.sqlite')
    buildFts5(place, merged)
    const oracle = openFts5Store(place)
    // A tiny cache, so that posting lists are evicted.
    const several = openTextStore(
      portions.map((records) => segmentOf(records, (record) => latest.get(record.serial) !== record)),
      1,
    )
    const one = openTextStore([segmentOf(merged)])
    const inOrder = portions.flat()
    after(() => {
      oracle.close()
      rmSync(folder, { recursive: true, force: true })
    })

    type Ask = (texts: TextStore) => RecordPage
    const check = (ask: Ask, about: unknown) => {
      const answer = ask(oracle)
      const expected = { total: answer.total, serials: answer.numbers.map((number) => oracle.record(number).serial) }
      const serialsBy = (records: readonly TrademarkRecord[], { total, numbers }: RecordPage) => ({
        total,
        serials: numbers.map((number) => records[number]!.serial),
      })
      assert.deepEqual(serialsBy(inOrder, ask(several)), expected, JSON.stringify(about))
      assert.deepEqual(serialsBy(merged, ask(one)), expected, JSON.stringify(about))
      return answer
    }

    test('on words of goods and owners, for any life and page', () => {
      const random = seededRandom(9)
      const pick = <T>(from: readonly T[]) => from[random.below(from.length)]!
      let found = 0
      for (let round = 0; round < 1000; round++) {
        const field = pick(FIELDS)
        const life = pick(LIVES)
        const text = tokenize(pick(merged)[field])
        const words = [...new Set(Array.from({ length: 1 + random.below(4) }, () => pick(text)))]
        if (random.below(20) === 0) words.push(pick(['unheard', 'of', '', 'the']))
        const [offset, limit] = [pick([0, 0, 1, 30, 500]), pick([1, 10, 100])]
        const ask: Ask = (texts) => texts.byText(field, words, { life }, offset, limit)
        found += Math.min(1, check(ask, { field, life, words, offset, limit }).numbers.length)
      }
      assert.ok(found > 300, String(found))
    })

    test('pages together are the whole result', () => {
      for (const texts of [several, one]) {
        const word = tokenize(merged.find(({ goods }) => goods !== '')!.goods)[0]!
        const whole = texts.byText('goods', [word], { life: 'all' }, 0, 10_000)
        assert.equal(whole.numbers.length, whole.total)
        const pages: number[] = []
        for (let offset = 0; offset < whole.total; offset += 7)
          pages.push(...texts.byText('goods', [word], { life: 'all' }, offset, 7).numbers)
        assert.deepEqual(pages, whole.numbers)
      }
    })

    test('on terms that end', () => {
      const random = seededRandom(2)
      let found = 0
      for (let round = 0; round < 300; round++) {
        const from = 20250101 + random.below(120_000)
        const to = from + random.below(30_000) - 100
        const [offset, limit] = [random.below(3) === 0 ? random.below(400) : 0, 1 + random.below(50)]
        found += check((texts) => texts.byExpiry(from, to, offset, limit), { from, to, offset, limit }).numbers.length
      }
      assert.ok(found > 1000, String(found))
    })
  })

test('a query without words and an index without records give no results', () => {
  const none = { numbers: [], total: 0 }
  for (const texts of [openTextStore([]), openTextStore([segmentOf([])])]) {
    assert.deepEqual(texts.byText('goods', ['shirts'], { life: 'all' }, 0, 10), none)
    assert.deepEqual(texts.byText('owner', [], { life: 'live' }, 0, 10), none)
    assert.deepEqual(texts.byExpiry(20200101, 20300101, 0, 10), none)
  }
})
