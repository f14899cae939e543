import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { generateRegister } from '../../../../sandbox/trademark/generator.ts'
import { seededRandom } from '../../../kernel/random.ts'
import type { TrademarkRecord } from '../../record.ts'
import type { Hit, Life, Page, Paging } from '../../search-index.ts'
import { isLive, statusOf } from '../../statuses.ts'
import { tokenize } from '../../tokenize.ts'
import { recordOf, smallRegister } from '../../sources/records.fixture.ts'
import { createSegmentWriter } from '../format/segment-writer.ts'
import { readSections } from '../format/segment-file.ts'
import { openSegment } from '../format/segment-reader.ts'
import { openStore } from '../format/segment-store.ts'
import { searchMarks } from './marks.ts'
import type { Field, Store } from './store.ts'
import { searchExpiring, searchTexts } from './texts.ts'

type Search = (paging: Paging) => Page
type Whole = { readonly hits: readonly Hit[]; readonly total: number; readonly isLowerBound: boolean }

const MAX_RESULTS = 10_000
const random = seededRandom(11)
const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
const serialsOf = ({ hits }: Whole) => hits.map(({ record }) => record.serial)

/** All pages of a search, up to the last one that can be requested. */
function pagesOf(search: Search, about: string): Whole {
  // A few pages, however many results there are.
  const { total } = search({ offset: 0, limit: 1 })
  const limit = Math.max(pick([7, 40, 100]), Math.ceil(total / 6))
  const hits: Hit[] = []
  for (let offset = 0; ; offset += limit) {
    const page = search({ offset, limit: Math.min(limit, MAX_RESULTS - offset) })
    hits.push(...page.hits)
    if (page.hits.length < limit || offset + limit >= MAX_RESULTS) {
      const whole = { hits, total: page.total, isLowerBound: page.isLowerBound }
      assert.equal(new Set(serialsOf(whole)).size, hits.length, `${about}: a result came twice`)
      assert.equal(hits.length, Math.min(page.total, MAX_RESULTS), `${about}: total`)
      return whole
    }
  }
}

/** By score, then live before dead, then newest, then serial number. */
function checkOrder({ hits }: Whole, about: string): void {
  const key = ({ score, record }: Hit) => [
    -score,
    isLive(record.status) ? 0 : 1,
    -(record.filingDate ?? 0),
    Number(record.serial),
  ]
  for (let at = 1; at < hits.length; at++) {
    const [one, two] = [key(hits[at - 1]!), key(hits[at]!)]
    const differing = one.findIndex((value, which) => value !== two[which])
    assert.ok(one[differing]! < two[differing]!, `${about}: ${one.join(' ')} before ${two.join(' ')}`)
  }
}

/** A filtered search gives exactly the unfiltered results that pass the filter. */
function checkFilter(all: Whole, kept: Whole, passes: (record: TrademarkRecord) => boolean, about: string): void {
  const expected = all.hits.filter(({ record }) => passes(record)).map(({ record }) => record.serial)
  assert.deepEqual(serialsOf(kept), expected, about)
  assert.equal(kept.isLowerBound, all.isLowerBound, about)
}

const ofLife = (life: Life) => (record: TrademarkRecord) => life === 'all' || statusOf(record.status).life === life

/** `exact` is the expected share of exact totals. */
const registers: [string, () => TrademarkRecord[], exact: { min: number; max: number }][] = [
  ['like a real one', () => [...generateRegister({ size: 4000, seed: 9 })], { min: 0.9, max: 1 }],
  ['of few words', () => smallRegister(2000, 3).map(({ record }) => record), { min: 0.9, max: 1 }],
  ['where candidates are left out', crowdedRegister, { min: 0, max: 0.7 }],
]

/** Many records made of the same few similar words. */
function crowdedRegister(): TrademarkRecord[] {
  const words = ['NOVA', 'NOVAS', 'NOVUM', 'LUNA', 'LUNAR', 'SOLAR', 'STELLA', 'STELLAR']
  return smallRegister(6000, 4).map(({ record }) => ({
    ...record,
    mark: Array.from({ length: 1 + random.below(3) }, () => pick(words)).join(' '),
  }))
}

for (const [kind, recordsOf, { min, max }] of registers)
  suite(`in a register ${kind}, for any query`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-paging-'))
    const records = recordsOf()
    let store: Store
    before(() => {
      store = storeOf(records, join(folder, 'segment'))
    })
    after(() => {
      store.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a filtered mark search gives the unfiltered results that pass the filter, and totals add up', () => {
      let exact = 0
      const texts = Array.from({ length: 25 }, () => queryFor(pick(records).mark, pick(records).mark))
      for (const text of texts) {
        const ask = (life: Life, only?: string) =>
          pagesOf((paging) => searchMarks(store, { text, life, class: only, ...paging }), `${text} ${life} ${only}`)
        const all = ask('all')
        checkOrder(all, text)
        const [live, dead] = [ask('live'), ask('dead')]
        checkFilter(all, live, ofLife('live'), `${text}, live`)
        checkFilter(all, dead, ofLife('dead'), `${text}, dead`)
        const neither = all.hits.filter(({ record }) => ofLife('indifferent' as Life)(record)).length
        assert.equal(live.total + dead.total + neither, all.total, text)
        const only = pick(['009', '025', '035'])
        const hasClass = ({ classes }: TrademarkRecord) => classes.includes(only)
        checkFilter(all, ask('all', only), hasClass, `${text}, ${only}`)
        checkFilter(live, ask('live', only), hasClass, `${text}, live, ${only}`)
        if (!all.isLowerBound) exact++
      }
      const share = exact / texts.length
      assert.ok(share >= min && share <= max, `${exact} of ${texts.length} totals were exact`)
    })

    test('a grouped search gives one result for each text: the first of its records, with their number', () => {
      for (let round = 0; round < 8; round++) {
        const text = queryFor(pick(records).mark, '')
        const ask = (group?: 'mark') =>
          pagesOf((paging) => searchMarks(store, { text, life: 'all', group, ...paging }), `${text} ${group}`)
        const [all, grouped] = [ask(), ask('mark')]
        const textOf = ({ record }: Hit) => tokenize(record.mark).join(' ') || record.mark
        const texts = Map.groupBy(all.hits, textOf)
        assert.deepEqual(
          grouped.hits.map(({ record, groupCount }) => [record.serial, groupCount]),
          Array.from(texts.values(), (group) => [group[0]!.record.serial, group.length]),
          text,
        )
        assert.equal(grouped.total, texts.size)
      }
    })

    test('a filtered search for descriptions or owners gives the unfiltered results that pass, and totals add up', () => {
      for (let round = 0; round < 10; round++)
        for (const field of ['goods', 'owner'] satisfies Field[]) {
          const words = tokenize(pick(records)[field])
          const text = random.below(2) === 0 ? pick(words) : `${pick(words)} ${pick(words)}`
          const ask = (life: Life) =>
            pagesOf((paging) => searchTexts(store, field, { text, life, ...paging }), `${text} ${life}`)
          const all = ask('all')
          checkOrder(all, text)
          const [live, dead] = [ask('live'), ask('dead')]
          checkFilter(all, live, ofLife('live'), text)
          checkFilter(all, dead, ofLife('dead'), text)
          const neither = all.hits.filter(({ record }) => ofLife('indifferent' as Life)(record)).length
          assert.equal(live.total + dead.total + neither, all.total, text)
        }
    })

    test('a longer range of expiry days begins with the results of a shorter one', () => {
      for (let round = 0; round < 10; round++) {
        const from = 20260101 + random.below(5) * 10_000
        const ask = (to: number) => pagesOf((paging) => searchExpiring(store, { from, to, ...paging }), `${from} ${to}`)
        const [few, more] = [ask(from + random.below(300)), ask(from + 10_000)]
        assert.deepEqual(serialsOf(more).slice(0, few.total), serialsOf(few))
      }
    })
  })

test('if more marks have the word than can be paged through, the total is a lower bound, and a filter applies to all of them', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-paging-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const records = Array.from({ length: 10_400 }, (_, at) =>
    recordOf({
      serial: String(70_000_000 + at),
      mark: `NOVA ${at}`,
      // The marks of class 030 are the longest and come last.
      classes: at >= 10_200 ? ['030'] : ['025'],
      status: at % 2 === 0 ? '700' : '710',
    }),
  )
  const store = storeOf(records, join(folder, 'segment'))
  const ask = (only?: string) =>
    searchMarks(store, { text: 'nova', life: 'all', class: only, offset: 0, limit: MAX_RESULTS })
  const all = ask()
  assert.deepEqual([all.hits.length, all.isLowerBound], [MAX_RESULTS, true])
  assert.ok(all.total >= MAX_RESULTS)
  checkOrder(all, 'nova')
  const few = ask('030')
  assert.equal(few.total, 200)
  assert.equal(new Set(serialsOf(few)).size, 200)
})

/** A query for a mark: its text, with a letter missing, one word of it, or with a word of another mark. */
function queryFor(mark: string, other: string): string {
  const words = tokenize(mark)
  if (words.length === 0) return 'nova'
  const slip = random.below(mark.length)
  const ways = [
    mark,
    mark.slice(0, slip) + mark.slice(slip + 1),
    pick(words),
    `${pick(words)} ${tokenize(other)[0] ?? ''}`,
  ]
  return pick(ways)
}

function storeOf(records: readonly TrademarkRecord[], path: string): Store {
  const builder = createSegmentWriter()
  for (const [id, record] of records.entries()) builder.add(record, id)
  builder.write(path)
  const segment = openSegment(readSections(path))
  return { ...openStore([segment], (id) => records[id]!), close: () => segment.close() }
}
