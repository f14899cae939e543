import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { seededRandom } from '../../../kernel/random.ts'
import type { TrademarkRecord } from '../../record.ts'
import { tokenize } from '../../tokenize.ts'
import { buildFts5 } from '../../../../test/support/fts5-oracle/build.ts'
import { wordsOf } from '../../../../test/support/fts5-oracle/record-words.ts'
import { openFts5Store } from '../../../../test/support/fts5-oracle/store.ts'
import { searchMarks } from '../search/marks.ts'
import { mergeRecords } from '../build/merge-records.ts'
import type { Filter, FirstMarks, Store } from '../search/store.ts'
import { searchExpiring, searchTexts } from '../search/texts.ts'
import { smallRegister } from '../../sources/records.fixture.ts'
import { createSegmentWriter } from './segment-writer.ts'
import { readSections, writeSections } from './segment-file.ts'
import { openSegment } from './segment-reader.ts'
import { openStore } from './segment-store.ts'

/** A store with one segment per portion; later versions put tombstones on earlier ones. */
function storeOf(folder: string, name: string, portions: readonly (readonly TrademarkRecord[])[]): Store {
  const versions = portions.flat()
  const last = new Map(versions.map(({ serial }, id) => [serial, id]))
  let id = 0
  const segments = portions.map((portion, at) => {
    const path = join(folder, `${name}-${at}`)
    const builder = createSegmentWriter()
    const tombstones = new Uint8Array(Math.ceil(portion.length / 8))
    const deletedFrequency = new Map<string, number>()
    for (const [number, record] of portion.entries()) {
      if (last.get(record.serial) !== id) {
        tombstones[number >> 3]! |= 1 << (number & 7)
        for (const word of wordsOf(record).mark) deletedFrequency.set(word, (deletedFrequency.get(word) ?? 0) + 1)
      }
      builder.add(record, id++)
    }
    assert.equal(builder.write(path).documents, portion.length)
    return openSegment(readSections(path), { tombstones, deletedFrequency: (word) => deletedFrequency.get(word) ?? 0 })
  })
  const store = openStore(segments, (one) => versions[one]!)
  return { ...store, close: () => segments.forEach((segment) => segment.close()) }
}

suite('one segment, several segments and the SQLite oracle agree', () => {
  let folder: string
  let oracle: Store
  let stores: { readonly name: string; readonly store: Store }[]
  const entries = smallRegister(1500, 7)
  const random = seededRandom(3)
  const pick = <T>(from: readonly T[]) => from[random.below(from.length)]!
  const filters: Filter[] = [
    { life: 'all' },
    { life: 'live' },
    { life: 'dead', class: '025' },
    { life: 'all', class: '009' },
    { life: 'all', class: '044' },
  ]

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
    const records = entries.map(({ record }) => record)
    // Some records come again later with another mark, goods and owner.
    const again = records
      .filter((_, at) => at % 7 === 0)
      .map((record, at) => ({
        ...records[(at * 31) % records.length]!,
        serial: record.serial,
        transactionDate: 20250101,
      }))
    const portions = [records.slice(0, 900), records.slice(900).concat(again.slice(0, 100)), again.slice(100)]
    const merged = new Map<string, TrademarkRecord>()
    const versions = portions.map((portion) =>
      portion.map((record) => {
        const version = mergeRecords(merged.get(record.serial) ?? record, record)
        merged.set(record.serial, version)
        return version
      }),
    )
    const place = join(folder, 'fts5.sqlite')
    buildFts5(place, portions.flat())
    oracle = openFts5Store(place)
    stores = [
      { name: 'one segment', store: storeOf(folder, 'one', [[...merged.values()]]) },
      { name: 'three segments', store: storeOf(folder, 'three', distinct(versions)) },
    ]
  })
  after(() => {
    oracle.close()
    for (const { store } of stores) store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Asserts that all stores agree, and returns the answer. */
  function agreed<T>(ask: (store: Store) => T, query: unknown): T {
    const expected = ask(oracle)
    for (const { name, store } of stores) assert.deepEqual(ask(store), expected, `${name}: ${JSON.stringify(query)}`)
    return expected
  }
  const serialsOf = (store: Store, { numbers, isMore }: FirstMarks) => ({
    isMore,
    serials: numbers.map((one) => store.recordOfMark(one).serial),
  })

  test('on query expansion', () => {
    for (const { typed } of entries.slice(0, 120))
      for (const word of tokenize(typed).slice(0, 1))
        for (const isDeep of [false, true])
          agreed((store) => store.expand(word, isDeep).map(({ text, frequency }) => ({ text, frequency })), {
            word,
            isDeep,
          })
  })

  test('on marks with given words', () => {
    for (let round = 0; round < 200; round++) {
      const filter = pick(filters)
      const groups = Array.from({ length: 1 + random.below(3) }, () =>
        Array.from({ length: 1 + random.below(3) }, () => pick(tokenize(`${pick(entries).record.mark} the`))),
      )
      const terms = (store: Store) => groups.map((group) => group.map((word) => store.term(word)))
      agreed((store) => serialsOf(store, store.byWords(terms(store), filter, 20)), { groups, filter })
    }
  })

  test('on descriptions and owners', () => {
    for (let round = 0; round < 60; round++)
      for (const field of ['goods', 'owner'] as const) {
        const text = `${pick(tokenize(pick(entries).record[field]))} ${pick(tokenize(pick(entries).record[field]))}`
        const query = { text, life: pick(filters).life, offset: random.below(3), limit: 20 }
        agreed((store) => searchTexts(store, field, query), { field, query })
      }
  })

  test('on hits, scores, reasons and totals of a search', () => {
    let hits = 0
    for (const { typed } of entries.slice(0, 200)) {
      const filter = pick(filters)
      const query = { text: typed, offset: random.below(2) * 3, limit: 10, life: filter.life, class: filter.class }
      hits += agreed((store) => searchMarks(store, query), query).hits.length
    }
    assert.ok(hits > 500, String(hits))
  })

  test('on terms that end', () => {
    const query = { from: 20260101, to: 20280101, offset: 2, limit: 50 }
    assert.ok(agreed((store) => searchExpiring(store, query), query).total > 10)
    assert.equal(agreed((store) => searchExpiring(store, { ...query, from: 20280102 }), 'none').total, 0)
  })

  test('pages together are the whole result', () => {
    for (const { store } of stores) {
      const page = (offset: number, limit: number) => searchMarks(store, { text: 'the', life: 'all', offset, limit })
      const whole = page(0, 40)
      const serials = ({ hits }: typeof whole) => hits.map(({ record }) => record.serial)
      assert.deepEqual([...serials(page(0, 15)), ...serials(page(15, 25))], serials(whole))
      assert.equal(page(15, 25).total, whole.total)
    }
  })

  test('misspelled marks are found', () => {
    const asked = entries.slice(1, 300).filter(({ typed }, at) => typed.length > 4 && (at + 1) % 7 !== 0)
    const found = asked.filter(({ record, typed }) =>
      searchMarks(stores[0]!.store, { text: typed, life: 'all', offset: 0, limit: 10 }).hits.some(
        (hit) => hit.record.mark === record.mark,
      ),
    )
    assert.ok(found.length / asked.length > 0.95, `${found.length} of ${asked.length}`)
  })
})

/** A segment has one version of a record: the last. */
const distinct = (portions: readonly (readonly TrademarkRecord[])[]) =>
  portions.map((portion) => [...new Map(portion.map((record) => [record.serial, record])).values()])

test('a segment file is read as written, and refused by name if any byte is changed or missing', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'one')
  const sections = {
    a: Uint32Array.of(1, 2 ** 32 - 1),
    b: Uint8Array.of(7, 8, 9),
    none: new Uint32Array(0),
    'c.disk': Uint8Array.of(1, 2, 3),
  }
  const written = writeSections(path, sections)
  const read = readSections(path)
  assert.deepEqual([read.bytes, read.sha256], [written.bytes, written.sha256])
  assert.deepEqual(
    Object.entries(read.sections).map(([name, values]) => [name, [...values]]),
    [
      ['a', [1, 2 ** 32 - 1]],
      ['b', [7, 8, 9]],
      ['none', []],
    ],
  )
  const good = readFileSync(path)
  for (const at of [0, 9, 13, 20, good.length - 1 - 192, good.length - 1 - 128, good.length - 1 - 64]) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1
    writeFileSync(path, bad)
    assert.throws(() => readSections(path), new RegExp(`${folder}/one is damaged`), `byte ${at}`)
  }
  for (const missing of [1, 65, 100]) {
    writeFileSync(path, good)
    truncateSync(path, good.length - missing)
    assert.throws(() => readSections(path), /is damaged/)
  }
})
