import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { TrademarkRecord } from '../record.ts'
import type { SearchIndex } from '../search-index.ts'
import { buildFts5 } from './fts5/build.ts'
import { openIndex } from '../engine/open.ts'
import { recordOf, recordsOf } from './records.fixture.ts'

const clock = manualClock()

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function open(context: TestContext, folder: string, options?: Parameters<typeof openIndex>[1]): SearchIndex {
  const index = openIndex(folder, options)
  context.after(() => index.close())
  return index
}

async function indexOf(context: TestContext, records: readonly TrademarkRecord[]): Promise<SearchIndex> {
  const folder = folderFor(context)
  await buildFts5(folder, records, { clock })
  return open(context, folder)
}

const find = async (index: SearchIndex, text: string, more: object = {}) => {
  const page = await index.search({ text, life: 'all', offset: 0, limit: 10, ...more })
  return { ...page, marks: page.hits.map(({ record }) => record.mark) }
}

suite('a mark is found', () => {
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
    ['as it is written', 'Acme Rockets', 'ACME ROCKETS'],
    ['with a slip', 'LIGTHOUSE', 'LIGHTHOUSE'],
    ['with two slips', 'LIGTHOUZE', 'LIGHTHOUSE'],
    ['by its sound', 'FANTOM', 'PHANTOM'],
    ['with its words joined', 'ACMEROCKETS', 'ACME ROCKETS'],
    ['with its word split', 'FACE BOOK', 'FACEBOOK'],
    ['in the singular', 'ACME ROCKET', 'ACME ROCKETS'],
    ['in another order', 'BAKERY BLUE RIVER', 'BLUE RIVER BAKERY'],
    ['with a word left out', 'BLUE BAKERY', 'BLUE RIVER BAKERY'],
    ['with a word too many', 'BLUE RIVER BAKERY SHOP', 'BLUE RIVER BAKERY'],
    ['by the number it is said as', 'GREAT TO GO', 'GREAT 2 GO'],
  ]
  for (const [how, text, mark] of asked) {
    test(how, async (context) => {
      const { marks: found } = await find(await indexOf(context, recordsOf(...marks)), text)
      assert.equal(found[0], mark)
      assert.ok(!found.includes('UNRELATED THING'))
    })
  }

  test("by the Office's own reading of it", async (context) => {
    const index = await indexOf(context, [recordOf({ mark: 'XPRZ', pseudoMarks: ['EXPRESS'] })])
    assert.deepEqual((await find(index, 'express')).marks, ['XPRZ'])
  })

  test('only in the class and of the life asked for', async (context) => {
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

  test('never by signs alone, and signs of the query language are only signs', async (context) => {
    const index = await indexOf(context, recordsOf('NOVA', 'NOVA OR LUNA'))
    assert.equal((await find(index, '*&"')).total, 0)
    assert.equal((await find(index, 'nova" OR "luna')).marks[0], 'NOVA OR LUNA')
    assert.equal((await find(index, 'NOT nova')).marks[0], 'NOVA')
  })
})

test('descriptions, owners and terms that end are found with all of their words, and no others', async (context) => {
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
  test('takes the place of the one before, in whatever order they come, and its old words are forgotten', async (context) => {
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

  test('keeps what it does not say', async (context) => {
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

  test('that is the same changes nothing, not even the snapshot', async (context) => {
    const folder = folderFor(context)
    const first = await buildFts5(folder, recordsOf('NOVA', 'LUNA'), { clock })
    const mixedUp = recordsOf('NOVA', 'LUNA').map((record) => Object.fromEntries(Object.entries(record).toReversed()))
    const again = await buildFts5(folder, mixedUp as TrademarkRecord[], { clock: manualClock(5) })
    assert.deepEqual(again, first)
    const more = await buildFts5(folder, recordsOf('NOVA', 'LUNA', 'SOL'), { clock })
    assert.notEqual(more.snapshot, first.snapshot)
    assert.equal(more.documents, 3)
  })
})

suite('an open index', () => {
  test('has nothing to tell before there is one, and sees what is built later', async (context) => {
    const folder = folderFor(context)
    const index = open(context, folder)
    assert.equal(index.info(), null)
    await assert.rejects(find(index, 'nova'), UpstreamError)
    await buildFts5(folder, recordsOf('NOVA'), { clock })
    assert.equal(index.info()!.documents, 1)
    assert.deepEqual((await find(index, 'nova')).marks, ['NOVA'])
    await buildFts5(folder, recordsOf('SUPERNOVA'), { clock })
    assert.deepEqual((await find(index, 'supernova')).marks, ['SUPERNOVA'])
    await buildFts5(folder, recordsOf('NOVA', 'LUNA'), { clock })
    assert.deepEqual((await find(index, 'luna')).marks, ['LUNA'])
    assert.equal(readdirSync(folder).filter((name) => name.endsWith('.sqlite')).length, 2)
  })

  test('lets go of who gives up and refuses who would wait too long', async (context) => {
    const folder = folderFor(context)
    await buildFts5(folder, recordsOf('NOVA'), { clock })
    const index = open(context, folder, { threads: 1, waiting: 1 })
    const question = { text: 'nova', life: 'all', offset: 0, limit: 1 } as const
    const control = new AbortController()
    const running = index.search(question)
    const waiting = index.search(question, control.signal)
    await assert.rejects(index.search(question), /Too many searches wait/)
    control.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    await assert.rejects(index.search(question, control.signal), /gone/)
    assert.equal((await running).total, 1)
    assert.equal((await index.search(question)).total, 1)
  })

  test('that is closed answers everybody who still waits', async (context) => {
    const folder = folderFor(context)
    await buildFts5(folder, recordsOf('NOVA'), { clock })
    const index = open(context, folder)
    const asked = [find(index, 'nova'), find(index, 'nova')].map((one) => assert.rejects(one, UpstreamError))
    await index.close()
    await Promise.all(asked)
    await assert.rejects(find(index, 'nova'), UpstreamError)
  })

  test('names the file that is damaged', async (context) => {
    const folder = folderFor(context)
    const { parts } = await buildFts5(folder, recordsOf('NOVA'), { clock })
    truncateSync(join(folder, parts[0]!), 4096)
    await assert.rejects(find(open(context, folder), 'nova'), ({ cause }: Error) => String(cause).includes(parts[0]!))
    writeFileSync(join(folder, 'index.json'), '{"kind":')
    assert.throws(() => openIndex(folder), /index\.json is damaged/)
  })
})

suite('a build that comes to grief', () => {
  test('by kill -9 leaves the index as it was, and the next one works', async (context) => {
    const folder = folderFor(context)
    const before = await buildFts5(folder, recordsOf('NOVA'), { clock })
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fts5-index.fixture.ts'), folder])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.ok(readdirSync(folder).includes('draft.sqlite'), 'it was not under way')
    const index = open(context, folder)
    assert.equal(index.info()!.snapshot, before.snapshot)
    assert.equal((await find(index, 'nova')).total, 1)
    await buildFts5(folder, recordsOf('NOVA', 'LUNA'), { clock })
    assert.equal((await find(index, 'luna')).total, 1)
    assert.equal((await find(index, 'killed')).total, 0)
  })

  test('between two steps of the swap leaves nothing that is in the way', async (context) => {
    const folder = folderFor(context)
    await buildFts5(folder, recordsOf('NOVA'), { clock })
    for (const name of ['draft.sqlite', 'index.json.new', 'register-0123.sqlite'])
      writeFileSync(join(folder, name), 'half')
    await buildFts5(folder, recordsOf('NOVA', 'LUNA'), { clock })
    assert.equal((await find(open(context, folder), 'luna')).total, 1)
    assert.deepEqual(
      readdirSync(folder).filter((name) => !/^register-\w{16}\.sqlite$/.test(name)),
      ['index.json'],
    )
  })

  test('by a record that cannot be had, or by giving up, leaves the index as it was', async (context) => {
    const folder = folderFor(context)
    const before = await buildFts5(folder, recordsOf('NOVA'), { clock })
    async function* broken() {
      yield* recordsOf('LUNA')
      throw new Error('the file ends here')
    }
    await assert.rejects(buildFts5(folder, broken(), { clock }), /ends here/)
    await assert.rejects(
      buildFts5(folder, recordsOf('LUNA'), { clock, signal: AbortSignal.abort(new Error('given up')) }),
      /given up/,
    )
    assert.equal(open(context, folder).info()!.snapshot, before.snapshot)
  })
})
