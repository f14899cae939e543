import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../../kernel/clock.ts'
import { seededRandom } from '../../../kernel/random.ts'
import { tokensOf } from '../../text.ts'
import { buildFts5 } from '../fts5/build.ts'
import { openFts5Store } from '../fts5/store.ts'
import { searchMarks } from '../matching/marks.ts'
import type { Filter, Found, Store } from '../matching/store.ts'
import { searchExpiring, searchTexts } from '../matching/texts.ts'
import { recordsOf, smallRegister } from '../records.fixture.ts'
import { buildSegments } from './build.ts'
import { readSections, writeSections } from './file.ts'
import { intersect, unite } from './numbers.ts'
import { openSegmentStore } from './store.ts'

const clock = manualClock()

suite('segments and SQLite tell the same about the same register', () => {
  let folder: string
  let ours: Store
  let oracle: Store
  const entries = smallRegister(1500, 7)
  const random = seededRandom(3)
  const pick = <T>(from: readonly T[]) => from[random.below(from.length)]!
  const filters: Filter[] = [
    { life: 'all' },
    { life: 'live' },
    { life: 'dead', class: '025' },
    { life: 'all', class: '009' },
  ]

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
    const records = entries.map(({ record }) => record)
    const [segments, fts5] = [join(folder, 'segments'), join(folder, 'fts5')]
    // In two portions, so that both have had something to change.
    for (const portion of [records.slice(0, 900), records.slice(600)]) {
      await buildSegments(segments, portion, { clock })
      await buildFts5(fts5, portion, { clock })
    }
    const partOf = (place: string) =>
      join(place, (JSON.parse(readFileSync(join(place, 'index.json'), 'utf8')) as { parts: string[] }).parts[0]!)
    ours = openSegmentStore(partOf(segments))
    oracle = openFts5Store(partOf(fts5))
  })
  after(() => {
    oracle.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Numbers differ between the two; serial numbers do not. */
  const told = (store: Store, { numbers, total }: Found) => ({
    total,
    serials: numbers.map((one) => store.card(one).serial),
  })

  test('about sets of words', () => {
    for (let round = 0; round < 200; round++) {
      const filter = pick(filters)
      const groups = Array.from({ length: 1 + random.below(3) }, () =>
        Array.from({ length: 1 + random.below(3) }, () => pick(tokensOf(`${pick(entries).record.mark} the`))),
      )
      const ask = (store: Store) => told(store, store.byWords(groups, filter, 20))
      assert.deepEqual(ask(ours), ask(oracle), JSON.stringify({ groups, filter }))
    }
  })

  test('about descriptions and owners', () => {
    for (let round = 0; round < 100; round++) {
      const filter = pick(filters)
      const offset = random.below(3)
      for (const field of ['goods', 'owner'] as const) {
        const words = [
          ...new Set([pick(tokensOf(pick(entries).record[field])), pick(tokensOf(pick(entries).record[field]))]),
        ]
        const ask = (store: Store) => told(store, store.byText(field, words, filter, offset, 30))
        assert.deepEqual(ask(ours), ask(oracle), JSON.stringify({ field, words, filter }))
      }
    }
    const ask = (store: Store) => searchTexts(store, 'goods', { text: 'the', life: 'live', offset: 7, limit: 5 })
    assert.equal(ask(ours).hits.length, 5)
    assert.deepEqual(ask(ours), ask(oracle))
  })

  test('about the whole answer to a search: hits, scores, reasons and totals', () => {
    for (const { typed } of entries.slice(0, 150)) {
      const filter = pick(filters)
      const question = { text: typed, offset: 0, limit: 10, life: filter.life, class: filter.class }
      assert.deepEqual(searchMarks(ours, question), searchMarks(oracle, question), typed)
    }
  })

  test('about terms that end', () => {
    const question = { from: 20260101, to: 20280101, offset: 2, limit: 50 }
    const found = searchExpiring(ours, question)
    assert.ok(found.total > 10)
    assert.deepEqual(found, searchExpiring(oracle, question))
    assert.equal(searchExpiring(ours, { ...question, from: 20280102 }).total, 0)
  })

  test('and pages put together are the whole', () => {
    const page = (offset: number, limit: number) => searchMarks(ours, { text: 'the', life: 'all', offset, limit })
    const whole = page(0, 40)
    const serials = ({ hits }: typeof whole) => hits.map(({ record }) => record.serial)
    assert.deepEqual([...serials(page(0, 15)), ...serials(page(15, 25))], serials(whole))
    assert.equal(page(15, 25).total, whole.total)
  })

  test('and what people mistype is found', () => {
    const asked = entries.slice(0, 300).filter(({ typed }) => typed.length > 4)
    const found = asked.filter(({ record, typed }) =>
      searchMarks(ours, { text: typed, life: 'all', offset: 0, limit: 10 }).hits.some(
        (hit) => hit.record.mark === record.mark,
      ),
    )
    assert.ok(found.length / asked.length > 0.95, `${found.length} of ${asked.length}`)
  })
})

const list = fc.uniqueArray(fc.nat(60), { maxLength: 40 }).map((values) => Uint32Array.from(values).sort())

test('what is in all lists and in any of them is what plain sets say', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), (lists) => {
      const sets = lists.map((one) => new Set(one))
      const all = [...new Set(lists.flatMap((one) => [...one]))].sort((a, b) => a - b)
      assert.deepEqual([...unite(lists)], all)
      assert.deepEqual(
        [...intersect(lists)],
        all.filter((value) => sets.every((set) => set.has(value))),
      )
    }),
  )
})

test('a segment that is damaged anywhere is refused by name; one that is not is read as it was written', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'one')
  const sections = { a: Uint32Array.of(1, 2 ** 32 - 1), b: Uint8Array.of(7, 8, 9), none: new Uint32Array(0) }
  writeSections(path, sections)
  const read = readSections(path)
  assert.deepEqual(
    Object.entries(read).map(([name, values]) => [name, [...values]]),
    [
      ['a', [1, 2 ** 32 - 1]],
      ['b', [7, 8, 9]],
      ['none', []],
    ],
  )
  const good = readFileSync(path)
  for (const at of [0, 9, 13, 20, good.length - 1 - 128, good.length - 1 - 64]) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1
    writeFileSync(path, bad)
    assert.throws(() => readSections(path), new RegExp(`${folder}/one is damaged`), `byte ${at}`)
  }
  writeFileSync(path, good)
  truncateSync(path, good.length - 100)
  assert.throws(() => readSections(path), /is damaged/)
})

test('the same records again change nothing', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const first = await buildSegments(folder, recordsOf('NOVA', 'LUNA'), { clock })
  assert.deepEqual(
    await buildSegments(
      folder,
      recordsOf('LUNA').map((one) => ({ ...one, transactionDate: 1 })),
      { clock },
    ),
    first,
  )
  writeFileSync(join(folder, 'draft.segment'), 'left behind by a build that was killed')
  assert.equal((await buildSegments(folder, recordsOf('NOVA', 'LUNA', 'SOL'), { clock })).documents, 3)
})
