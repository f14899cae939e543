import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { TrademarkRecord } from '../../record.ts'
import type { SearchIndex } from '../../search-index.ts'
import { recordOf, recordsOf } from '../../sources/records.fixture.ts'
import { recordsSource } from '../build/file-source.ts'
import { clock, temporaryFolder } from '../build/index.fixture.ts'
import { ingest } from '../build/ingest.ts'
import { openIndex } from '../open.ts'

/** An open index of these records, imported in one file each so that later versions of a record are merged. */
async function indexOf(
  context: { after(end: () => unknown): unknown },
  records: readonly TrademarkRecord[],
): Promise<SearchIndex> {
  const folder = temporaryFolder(context)
  await ingest(
    folder,
    records.map((record, at) => recordsSource(`file ${at}`, [record])),
    { clock },
  )
  const index = openIndex(folder, { threads: 1 })
  context.after(() => index.close())
  return index
}

const find = async (index: SearchIndex, text: string, more: object = {}) => {
  const page = await index.search({ text, life: 'all', offset: 0, limit: 10, ...more })
  return { ...page, marks: page.hits.map(({ record }) => record.mark) }
}

suite('a mark is found by a search', () => {
  const marks = [
    'ACME ROCKETS',
    'FACEBOOK',
    'BLUE RIVER BAKERY',
    'PHANTOM',
    'LIGHTHOUSE',
    'GREAT 2 GO',
    'UNRELATED THING',
  ]
  const asked: [string, string, string][] = [
    ['for its exact text', 'Acme Rockets', 'ACME ROCKETS'],
    ['with one typing error', 'LIGTHOUSE', 'LIGHTHOUSE'],
    ['with two typing errors', 'LIGTHOUZE', 'LIGHTHOUSE'],
    ['that sounds the same', 'FANTOM', 'PHANTOM'],
    ['with its words joined', 'ACMEROCKETS', 'ACME ROCKETS'],
    ['with its word split in two', 'FACE BOOK', 'FACEBOOK'],
    ['for the singular', 'ACME ROCKET', 'ACME ROCKETS'],
    ['for its words in another order', 'BAKERY BLUE RIVER', 'BLUE RIVER BAKERY'],
    ['with a word left out', 'BLUE BAKERY', 'BLUE RIVER BAKERY'],
    ['with an extra word', 'BLUE RIVER BAKERY SHOP', 'BLUE RIVER BAKERY'],
    ['with a number spelled out', 'GREAT TO GO', 'GREAT 2 GO'],
  ]
  let index: SearchIndex
  const cleanUps: (() => unknown)[] = []
  before(async () => {
    index = await indexOf({ after: (end) => cleanUps.push(end) }, recordsOf(...marks))
  })
  after(async () => {
    for (const end of cleanUps.toReversed()) await end()
  })
  for (const [how, text, mark] of asked) {
    test(how, async () => {
      const { marks: found } = await find(index, text)
      assert.equal(found[0], mark)
      assert.ok(!found.includes('UNRELATED THING'))
    })
  }

  test("for the Office's pseudo mark", async (context) => {
    const index = await indexOf(context, [recordOf({ mark: 'XPRZ', pseudoMarks: ['EXPRESS'] })])
    assert.deepEqual((await find(index, 'express')).marks, ['XPRZ'])
  })

  test('filtered by class and by live or dead', async (context) => {
    const index = await indexOf(context, [
      recordOf({ serial: '70000001', mark: 'NOVA', classes: ['009', '025'], status: '700' }),
      recordOf({ serial: '70000002', mark: 'NOVA', classes: ['009'], status: '710' }),
      recordOf({ serial: '70000003', mark: 'NOVA', classes: ['030'], status: '700' }),
    ])
    const serials = async (more: object) => (await find(index, 'nova', more)).hits.map(({ record }) => record.serial)
    assert.deepEqual(await serials({ class: '009' }), ['70000001', '70000002'])
    assert.deepEqual(await serials({ life: 'live' }), ['70000001', '70000003'])
    assert.deepEqual(await serials({ life: 'dead' }), ['70000002'])
    assert.deepEqual(await serials({ life: 'live', class: '030' }), ['70000003'])
  })

  test('for its words only: punctuation finds nothing, and query operators are plain words', async (context) => {
    const index = await indexOf(context, recordsOf('NOVA', 'NOVA OR LUNA'))
    assert.equal((await find(index, '*&"')).total, 0)
    assert.equal((await find(index, 'nova" OR "luna')).marks[0], 'NOVA OR LUNA')
    assert.equal((await find(index, 'NOT nova')).marks[0], 'NOVA')
  })
})

test('descriptions and owners match on all words; expiry matches an inclusive range of days', async (context) => {
  const index = await indexOf(context, [
    recordOf({ serial: '70000001', goods: 'Computer software for the home', owner: 'Nova Foods Inc.' }),
    recordOf({ serial: '70000002', goods: 'Computer software', owner: 'Nova Inc.', status: '710' }),
    recordOf({ serial: '70000003', goods: 'Computers', owner: 'Luna Inc.', renewalDate: 20200101, status: '800' }),
  ])
  const page = { life: 'all', offset: 0, limit: 10 } as const
  const serials = (found: Awaited<ReturnType<SearchIndex['byOwner']>>) => found.hits.map(({ record }) => record.serial)
  const software = await index.byDescription({ ...page, text: 'Software, COMPUTER' })
  assert.deepEqual(serials(software), ['70000002', '70000001'])
  assert.ok(software.hits[0]!.score > software.hits[1]!.score)
  assert.deepEqual(serials(await index.byDescription({ ...page, text: 'software', life: 'live' })), ['70000001'])
  assert.deepEqual(serials(await index.byOwner({ ...page, text: 'inc nova' })), ['70000002', '70000001'])
  assert.deepEqual(serials(await index.expiring({ from: 20300101, to: 20310304, offset: 0, limit: 10 })), [
    '70000003',
    '70000001',
  ])
  assert.deepEqual(serials(await index.expiring({ from: 20300102, to: 20310303, offset: 0, limit: 10 })), [])
})

suite('a later version of a record', () => {
  test('replaces the earlier one in whichever order they arrive, and the old words no longer match', async (context) => {
    const older = recordOf({ mark: 'OLDNAME', transactionDate: 20240101, owner: 'Before LLC' })
    const newer = recordOf({ mark: 'RENAMED', transactionDate: 20240102, owner: 'After LLC' })
    for (const versions of [
      [older, newer],
      [newer, older],
    ]) {
      const index = await indexOf(context, versions)
      assert.equal(index.info()!.documents, 1)
      assert.equal((await find(index, 'oldname')).total, 0)
      assert.deepEqual((await find(index, 'renamed')).marks, ['RENAMED'])
      assert.equal((await index.byOwner({ text: 'before', life: 'all', offset: 0, limit: 1 })).total, 0)
    }
  })

  test('keeps the earlier values of the fields it leaves empty', async (context) => {
    const whole = recordOf({ mark: 'WHOLE', pseudoMarks: ['HOLE'], attorney: 'A. B.', history: ['2024-01-01 FILED'] })
    const sparse = recordOf({
      mark: '',
      status: '',
      goods: '',
      owner: '',
      classes: [],
      filingDate: null,
      transactionDate: 20250101,
    })
    const index = await indexOf(context, [whole, { ...sparse, registrationDate: null }])
    const { hits } = await find(index, 'whole')
    assert.deepEqual(hits[0]!.record, { ...whole, transactionDate: 20250101 })
  })
})
