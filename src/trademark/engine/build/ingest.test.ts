import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { buildZip } from '../../../kernel/zip/zip.fixture.ts'
import { registerXml } from '../../../../test/support/trademark-xml.ts'
import type { Sparse } from '../../sources/office-xml/extract.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import type { TrademarkRecord } from '../../record.ts'
import { buildFts5 } from '../../../../test/support/fts5-oracle/build.ts'
import { openFts5Store } from '../../../../test/support/fts5-oracle/store.ts'
import { readManifest } from '../manifest.ts'
import { recordOf, recordsOf, smallRegister } from '../../sources/records.fixture.ts'
import { fileSource, recordsSource } from './file-source.ts'
import type { IngestSource } from './ingest-file.ts'
import { mergeSegments } from './merge.ts'
import { answersIn, answersOf, clock, FILES, manifestOf, MARKS, temporaryFolder } from './index.fixture.ts'
import { ingest, type IngestResult } from './ingest.ts'

/** The records found by a few marks, by serial number. */
const recordsIn = (folder: string) =>
  new Map(
    answersIn(folder, ['nova', 'luna', 'sol', 'stella']).flatMap(({ hits }) =>
      hits.map(({ record }) => [record.serial, record] as const),
    ),
  )

const sparseOf = (record: Partial<TrademarkRecord>): Sparse => {
  const nothing = { mark: '', status: '', owner: '', goods: '', classes: [], filingDate: null, registrationDate: null }
  return { sparse: true, serial: '70000001', missing: 'mark', record: recordOf({ ...nothing, ...record }) }
}

/** Imports the files and returns the result of each. */
async function ingestResults(folder: string, files: readonly IngestSource[]): Promise<IngestResult[]> {
  const all: IngestResult[] = []
  await ingest(folder, files, { clock, onResult: (one) => all.push(one) })
  return all
}

suite('a segment index gives the same answers as the SQLite oracle', () => {
  const pool = smallRegister(120, 5).map(({ record }) => record)
  const version = fc.record({
    at: fc.nat(pool.length - 1),
    day: fc.integer({ min: 20240101, max: 20240104 }),
    mark: fc.constantFrom('', 'NOVUM', 'NOVUM 2', 'BAKORLUX'),
    isSparse: fc.boolean(),
  })
  type Version = { at: number; day: number; mark: string; isSparse: boolean }
  const recordFor = ({ at, day, mark, isSparse }: Version): TrademarkRecord => {
    const record = pool[at]!
    if (isSparse) return { ...record, mark: '', owner: '', goods: '', classes: [], status: '630', transactionDate: day }
    return { ...record, mark: `${record.mark} ${mark}`.trim(), transactionDate: day }
  }
  const imports = fc.array(
    fc.array(fc.array(version, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )

  test('for any split of records into files, imports and merges', async (context) => {
    const root = temporaryFolder(context)
    let run = 0
    await fc.assert(
      fc.asyncProperty(imports, fc.boolean(), async (all, isMergedBetween) => {
        const [apart, once, fts5] = ['apart', 'once', 'fts5'].map((name) => join(root, `${run++} ${name}`)) as [
          string,
          string,
          string,
        ]
        const files = all.map((one, at) => one.map((each, n) => recordsSource(`${at} ${n}`, each.map(recordFor))))
        for (const some of files) {
          await ingest(apart, some, { clock })
          if (isMergedBetween) await mergeSegments(apart, { clock })
        }
        await ingest(once, files.flat(), { clock, maxInlineRecords: 0 })
        buildFts5(fts5, all.flat(2).map(recordFor))
        const oracle = openFts5Store(fts5)
        const marks = ['novum', 'bakorlux novum', ...pool.slice(0, 6).map(({ mark }) => mark)]
        const expected = answersOf(oracle, marks)
        oracle.close()
        assert.deepEqual(answersIn(apart, marks), expected)
        assert.deepEqual(answersIn(once, marks), expected)
        assert.equal(manifestOf(apart).snapshot, manifestOf(once).snapshot)
        const before = manifestOf(once)
        await mergeSegments(once, { clock })
        assert.deepEqual(answersIn(once, marks), expected)
        assert.deepEqual(
          [manifestOf(once).snapshot, manifestOf(once).documents],
          [before.snapshot, manifestOf(apart).documents],
        )
      }),
      { numRuns: 10 },
    )
  })
})

suite('of two versions of a record', () => {
  const one = (record: Partial<TrademarkRecord>) => [recordOf({ mark: 'NOVA', ...record })]
  const kept = async (folder: string, ...files: Iterable<TrademarkRecord | Sparse>[]) => {
    for (const [at, records] of files.entries())
      await ingest(folder, [recordsSource(`${at}`, records as Iterable<TrademarkRecord>)], { clock })
    return recordsIn(folder).get('70000001')
  }

  test('the later transaction date wins, and on the same day the later file', async (context) => {
    const [old, same, newer] = [
      one({ owner: 'Old', transactionDate: 20240101 }),
      one({ owner: 'Same', transactionDate: 20240102 }),
      one({ owner: 'New', transactionDate: 20240102 }),
    ]
    assert.equal((await kept(temporaryFolder(context), same, newer, old))!.owner, 'New')
    assert.equal((await kept(temporaryFolder(context), old, newer, same))!.owner, 'Same')
  })

  test('a sparse version adds fields and clears none', async (context) => {
    const whole = one({ owner: 'Whole', goods: 'Shirts' })
    const sparse = [sparseOf({ status: '710', transactionDate: 20250101 })]
    const expected = { ...whole[0]!, status: '710', transactionDate: 20250101 }
    assert.deepEqual(await kept(temporaryFolder(context), whole, sparse), expected)
    // The complete version is newer than the sparse one and replaces it.
    const before = await kept(temporaryFolder(context), [sparseOf({ mark: 'NOVA', transactionDate: 20200101 })], whole)
    assert.deepEqual(before, whole[0])
  })

  test('a sparse version of an unknown record is stored only if it has searchable text', async (context) => {
    const folder = temporaryFolder(context)
    const nothing: Sparse = { sparse: true, serial: '70000009', missing: 'header', record: null }
    const [result] = await ingestResults(folder, [recordsSource('a', [sparseOf({}), nothing] as never)])
    assert.deepEqual(result, { name: 'a', result: 'taken in', records: 2, sparse: 2, changed: 0 })
    assert.equal(readManifest(folder), null)
    assert.equal((await kept(folder, [sparseOf({ goods: 'nova lamps' })]))!.goods, 'nova lamps')
  })
})

suite('a file', () => {
  const nova = recordsSource('nova', recordsOf('NOVA'))

  test('that was imported before changes nothing, whatever its name', async (context) => {
    const folder = temporaryFolder(context)
    const path = (name: string) => join(folder, name)
    const xml = registerXml([
      '<case-file><serial-number>70000001</serial-number><case-file-header><status-code>700</status-code>' +
        '<mark-identification>NOVA</mark-identification></case-file-header></case-file>',
    ])
    writeFileSync(path('one.xml'), xml)
    writeFileSync(path('other.xml'), xml)
    writeFileSync(path('packed.zip'), buildZip([{ name: 'one.xml', data: Buffer.from(xml) }]))
    const index = path('index')
    await ingest(index, [fileSource(path('one.xml'))], { clock })
    const first = manifestOf(index)
    const results = await ingestResults(
      index,
      ['one.xml', 'other.xml', 'packed.zip'].map((name) => fileSource(path(name))),
    )
    assert.deepEqual(
      results.map(({ result }) => result),
      ['known already', 'known already', 'taken in'],
    )
    assert.deepEqual(manifestOf(index), first)
  })

  test('that is damaged or missing changes nothing, and the other files are imported', async (context) => {
    const folder = temporaryFolder(context)
    const path = join(folder, 'cut.xml')
    writeFileSync(path, registerXml([]).slice(0, -20))
    const index = join(folder, 'index')
    const results = await ingestResults(index, [
      fileSource(path),
      nova,
      fileSource(join(folder, 'none.zip')),
      fileSource(folder),
    ])
    assert.deepEqual(
      results.map(({ result }) => result),
      ['refused', 'taken in', 'refused', 'refused'],
    )
    assert.deepEqual(results[2], { name: 'none.zip', result: 'refused', reason: 'there is no such file' })
    assert.equal(manifestOf(index).documents, 1)
    // The damage may be found after the last record.
    async function* late() {
      yield recordsOf('LUNA', 'SOL')
      throw Object.assign(new Error('late'), { code: 'ENOENT' })
    }
    const [late1] = await ingestResults(index, [{ ...nova, name: 'late', sha256: async () => 'late', records: late }])
    assert.equal(late1!.result, 'refused')
    assert.equal(manifestOf(index).documents, 1)
    assert.equal(recordsIn(index).size, 1)
  })

  test('that fails near its end leaves nothing in the segment that is being built', async (context) => {
    async function* late() {
      yield recordsOf(...Array.from({ length: 700 }, (_, at) => `LATE ${at}`))
      throw new RegisterError('its end is missing')
    }
    const bad: IngestSource = { name: 'late', bytes: 1, sha256: async () => 'late', records: late }
    for (const files of [
      [bad, ...FILES],
      [FILES[0]!, bad, ...FILES.slice(1)],
    ]) {
      const [folder, whole] = [temporaryFolder(context), temporaryFolder(context)]
      await ingest(folder, files, { clock, maxInlineRecords: 120 })
      await ingest(whole, FILES, { clock, maxInlineRecords: 120 })
      assert.deepEqual(manifestOf(folder), manifestOf(whole))
      assert.deepEqual(answersIn(folder, MARKS), answersIn(whole, MARKS))
    }
  })

  test('is not read again when an aborted import is repeated', async (context) => {
    const folder = temporaryFolder(context)
    const control = new AbortController()
    const onResult = ({ name }: IngestResult) => name === 'two' && control.abort(new Error('given up'))
    await assert.rejects(ingest(folder, FILES, { clock, signal: control.signal, onResult }), /given up/)
    assert.equal(readManifest(folder), null)
    const unread = FILES.map((file, at) => (at < 2 ? { ...file, records: () => assert.fail('read again') } : file))
    await ingest(folder, unread, { clock })
    const whole = temporaryFolder(context)
    await ingest(whole, FILES, { clock })
    assert.equal(manifestOf(folder).snapshot, manifestOf(whole).snapshot)
    assert.deepEqual(answersIn(folder, MARKS), answersIn(whole, MARKS))
  })

  test('leaves no trace if the import is aborted while it is read', async (context) => {
    const folder = temporaryFolder(context)
    const control = new AbortController()
    const onProgress = () => control.abort(new Error('given up'))
    const many = recordsSource('many', recordsOf(...Array.from({ length: 300 }, (_, at) => `NOVA ${at}`)))
    await assert.rejects(ingest(folder, [many], { clock, signal: control.signal, onProgress }), /given up/)
    await ingest(folder, [nova], { clock })
    assert.equal(manifestOf(folder).documents, 1)
  })
})
