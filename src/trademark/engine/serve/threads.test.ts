import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { UpstreamError } from '../../../kernel/errors.ts'
import { registerXml } from '../../../../test/support/trademark-xml.ts'
import { followManifest } from './follow-manifest.ts'
import { recordsOf } from '../../sources/records.fixture.ts'
import { recordsSource } from '../build/file-source.ts'
import { mergeSegments } from '../build/merge.ts'
import { clock, manifestOf, temporaryFolder } from '../build/index.fixture.ts'
import { ingest } from '../build/ingest.ts'
import { loadIndex } from './load.ts'
import type { LoadedIndex } from './messages.ts'
import { createPool } from './pool.ts'
import { marksOf, openFor, put } from './threads.fixture.ts'

const ONOMA = join(import.meta.dirname, '../../../../bin/onoma.js')
const caseFile = (mark: string, serial: number) =>
  `<case-file><serial-number>${serial}</serial-number><case-file-header><status-code>700</status-code>` +
  `<mark-identification>${mark}</mark-identification></case-file-header></case-file>`

suite('an open index', () => {
  test('is searched by all threads, and rejects searches before the first import', async (context) => {
    const folder = temporaryFolder(context)
    const index = openFor(context, folder, { threads: 3 })
    assert.equal(index.info(), null)
    await assert.rejects(marksOf(index, 'nova'), UpstreamError)
    await put(folder, 'NOVA', 'LUNA')
    assert.equal(index.info()!.documents, 2)
    const answers = await Promise.all(Array.from({ length: 12 }, () => marksOf(index, 'nova')))
    for (const marks of answers) assert.deepEqual(marks, ['NOVA'])
  })

  test('the first search after an import sees its records, also if another process imported', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const index = openFor(context, folder, { threads: 2 })
    const snapshots = new Set<string>()
    // The event loop is blocked while the other process publishes, so only the search itself can notice.
    for (const mark of ['SUPERNOVA', 'HYPERNOVA', 'KILONOVA']) {
      assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
      const path = join(folder, `${mark}.xml`)
      writeFileSync(path, registerXml([caseFile(mark, 70_000_100 + snapshots.size)]))
      const { status, stderr } = spawnSync(process.execPath, [ONOMA, 'trademark', 'import', path], {
        env: { PATH: process.env['PATH'], ONOMA_TRADEMARK_INDEX: folder },
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      // More at once than there are threads.
      const pages = await Promise.all(
        [1, 2, 3].map(() => index.search({ text: mark, life: 'all', offset: 0, limit: 1 })),
      )
      for (const { hits, info } of pages) {
        assert.equal(hits[0]!.record.mark, mark)
        assert.deepEqual(info, index.info())
        snapshots.add(info.snapshot)
      }
    }
    assert.equal(snapshots.size, 3)
  })

  /** A pool of one thread whose `load` a test can replace. */
  function poolOf(context: TestContext, folder: string, options: Partial<Parameters<typeof createPool>[2]>) {
    const manifest = followManifest(folder, () => pool.refresh())
    const pool = createPool(folder, manifest.current, {
      threads: 1,
      maxQueue: 8,
      onLoadError: () => {},
      openTimeoutMs: 60_000,
      ...options,
    })
    context.after(() => (manifest.close(), pool.close()))
    return pool
  }
  const search = (text: string) => ({ method: 'search', query: { text, life: 'all', offset: 0, limit: 1 } }) as const

  test('an import is opened before the next search', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const second = Promise.withResolvers<number>()
    const pool = poolOf(context, folder, {
      load(...given) {
        if (given[1].documents === 2) second.resolve(given[1].documents)
        return loadIndex(...given)
      },
    })
    await pool.ready()
    await put(folder, 'NOVA', 'LUNA')
    assert.equal(await second.promise, 2)
  })

  test('a search waits for a newer index for a limited time, then the old one answers', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const opening = Promise.withResolvers<LoadedIndex>()
    const pool = poolOf(context, folder, {
      openTimeoutMs: 1,
      load: (...given) => (given[1].documents === 2 ? opening.promise : loadIndex(...given)),
    })
    await pool.ready()
    const { snapshot } = pool.current()!
    await put(folder, 'NOVA', 'LUNA')
    const { page, manifest } = await pool.run(search('luna'))
    assert.deepEqual([page.total, manifest.snapshot], [0, snapshot])
    opening.reject(new Error('never'))
  })

  test('searches that wait for a newer index do not fill the queue', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const opening = Promise.withResolvers<LoadedIndex>()
    const pool = poolOf(context, folder, {
      maxQueue: 2,
      load: (...given) => (given[1].documents === 2 ? opening.promise : loadIndex(...given)),
    })
    await pool.ready()
    await put(folder, 'NOVA', 'LUNA')
    const early = [1, 2].map(() => pool.run(search('nova')))
    const late = pool.run(search('nova'))
    for (const { page } of await Promise.all(early)) assert.equal(page.total, 1)
    opening.reject(new Error('never'))
    assert.equal((await late).page.total, 1)
  })

  test('a search does not wait for a merged index to open, since it gives the same results', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    await put(folder, 'NOVA', 'LUNA')
    const opening = Promise.withResolvers<LoadedIndex>()
    const pool = poolOf(context, folder, {
      load: (...given) =>
        given[1].kind === 'segments' && given[1].segments.length === 1 ? opening.promise : loadIndex(...given),
    })
    await pool.ready()
    const before = pool.current()
    await mergeSegments(folder, { clock })
    assert.equal(manifestOf(folder).segments.length, 1)
    const { page, manifest } = await pool.run(search('luna'))
    assert.deepEqual([page.total, manifest], [1, before])
    opening.reject(new Error('never'))
  })

  test('gives the same results before and after a merge, also when the old files and records were removed', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA', 'LUNA')
    const index = openFor(context, folder, { threads: 1 })
    await index.ready()
    // The index is now some steps behind: the version it has in memory is no longer kept.
    for (const day of [20250101, 20250102, 20250103]) {
      const records = recordsOf('NOVA', 'LUNA').map((one) => ({ ...one, owner: `Of ${day}`, transactionDate: day }))
      await ingest(folder, [recordsSource(`${day}`, records)], { clock })
      await mergeSegments(folder, { clock })
    }
    const { hits } = await index.search({ text: 'nova', life: 'all', offset: 0, limit: 10 })
    assert.equal(hits[0]!.record.owner, 'Of 20250103')
    const before = index.info()!.snapshot
    await put(folder, 'NOVA', 'LUNA')
    await mergeSegments(folder, { clock })
    await index.ready()
    assert.equal(index.info()!.snapshot, before)
  })

  test('a cancelled search leaves the queue, and one that finds the queue full is rejected', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const index = openFor(context, folder, { threads: 1, maxQueue: 1 })
    await index.ready()
    const query = { text: 'nova', life: 'all', offset: 0, limit: 1 } as const
    const control = new AbortController()
    const running = index.search(query)
    const waiting = index.search(query, control.signal)
    await assert.rejects(index.search(query), /Search queue full, retry in a second/)
    control.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    await assert.rejects(index.search(query, control.signal), /gone/)
    assert.equal((await running).total, 1)
    assert.equal((await index.search(query)).total, 1)
  })

  test('rejects every waiting search when it is closed', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const index = openFor(context, folder)
    const searches = [marksOf(index, 'nova'), marksOf(index, 'nova')].map((one) => assert.rejects(one, UpstreamError))
    await index.close()
    await Promise.all(searches)
    await assert.rejects(marksOf(index, 'nova'), UpstreamError)
  })
})
