import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../kernel/errors.ts'
import { secureRandom } from '../../kernel/random.ts'
import { serve } from '../../kernel/upstream/loopback.fixture.ts'
import { proxies, serveProxy } from '../../kernel/upstream/proxy.fixture.ts'
import { csvOf, everyListing, settingsFor, listingsFor, someLines } from './listings.fixture.ts'
import { openListingIndex } from './sqlite-index.ts'
import { createSyncer } from './syncer.ts'

suite('the index in a worker thread', () => {
  test('answers while empty, and sees what a sync in another thread writes', async (t) => {
    const { folder, path } = listingsFor(t)
    const index = openListingIndex(path)
    t.after(() => index.close())
    index.warm()
    const empty = await index.search(everyListing)
    assert.deepEqual([empty.total, empty.sources.source_a.lastSync], [0, null])
    const file = join(folder, 'feed.csv')
    // The worker uses the system clock: these auctions must not end during the test.
    writeFileSync(file, csvOf(someLines(2500).map((line) => ({ ...line, ends: 5000 }))))
    const sync = createSyncer({ path, userAgent: 'onoma-test', sandbox: true, random: secureRandom })
    const rows: number[] = []
    const report = await sync(settingsFor(file), {
      signal: new AbortController().signal,
      onProgress: (count) => rows.push(count),
    })
    assert.equal(report.added, 2500)
    assert.deepEqual(rows, [2000, 2500])
    const page = await index.search({ ...everyListing, limit: 2 })
    assert.deepEqual([page.total, page.auctions.length, page.sources.source_a.count], [2500, 2, 2500])
  })

  test('a feed is downloaded through the proxy of the operator', async (t) => {
    const { path } = listingsFor(t)
    const csv = csvOf(someLines(3).map((line) => ({ ...line, ends: 5000 })))
    const port = await serve(t, (_request, response) => response.end(csv))
    const proxy = await serveProxy(t)
    const how = { userAgent: 'onoma-test', sandbox: false, proxy: proxies(proxy.url), random: secureRandom }
    const sync = createSyncer({ path, ...how })
    const report = await sync(settingsFor(`http://feeds.example:${port}/a.csv`), {
      signal: new AbortController().signal,
    })
    assert.equal(report.added, 3)
    assert.deepEqual(proxy.asked, [`GET http://feeds.example:${port}/a.csv`])
  })

  test('drops aborted searches, rejects when the queue is full, and settles all on close', async (t) => {
    const { path } = listingsFor(t)
    const index = openListingIndex(path, { maxQueue: 1 })
    t.after(() => index.close())
    const leaving = new AbortController()
    const running = index.search(everyListing)
    const waiting = index.search(everyListing, leaving.signal)
    await assert.rejects(
      index.search(everyListing),
      (error) => error instanceof UpstreamError && error.retryAfterMs === 1000,
    )
    leaving.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    await running
    const pending = [1, 2].map(async () => assert.rejects(index.search(everyListing), UpstreamError))
    await index.close()
    await Promise.all(pending)
    await assert.rejects(index.search(everyListing), /closed/)
  })

  test('moves a damaged file aside and starts with an empty one: nothing is deleted', async (t) => {
    const { path, folder } = listingsFor(t)
    const damaged = 'this is no database, whatever its name says'.repeat(200)
    writeFileSync(path, damaged)
    const moved: string[] = []
    const index = openListingIndex(path, { onMovedAside: (movedTo) => moved.push(movedTo) })
    t.after(() => index.close())
    assert.equal((await index.search(everyListing)).total, 0)
    assert.equal(index.problem(), null)
    assert.equal(moved.length, 1)
    assert.match(moved[0]!, /auctions\.sqlite\.damaged-\d{8}T\d{6}Z$/)
    assert.equal(readFileSync(moved[0]!, 'utf8'), damaged)
    assert.equal(readdirSync(folder).filter((name) => name.includes('damaged')).length, 1)
  })

  test('moves a file aside that is damaged only in its middle', async (t) => {
    const { path, sync, folder } = listingsFor(t)
    const feed = join(folder, 'feed.csv')
    writeFileSync(feed, csvOf(someLines(5_000)))
    await sync(feed)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x5a, 8_192, bytes.length - 8_192))
    const moved: string[] = []
    const index = openListingIndex(path, { onMovedAside: (movedTo) => moved.push(movedTo) })
    t.after(() => index.close())
    assert.equal((await index.search(everyListing)).total, 0)
    assert.equal(moved.length, 1)
  })

  test('says why it cannot be searched, and works once the cause is gone', async (t) => {
    const { path } = listingsFor(t)
    mkdirSync(path)
    const index = openListingIndex(path)
    t.after(() => index.close())
    await assert.rejects(
      index.search(everyListing),
      (error) => error instanceof UpstreamError && /database/.test(String(error.cause)),
    )
    assert.equal(index.problem(), 'it cannot be opened')
    rmSync(path, { recursive: true })
    assert.equal((await index.search(everyListing)).total, 0)
    assert.equal(index.problem(), null)
  })
})

test('a stopped sync keeps what it has written and releases the source', async (t) => {
  const { folder, path, sync: again } = listingsFor(t)
  const file = join(folder, 'feed.csv')
  writeFileSync(file, csvOf(someLines(30_000)))
  const sync = createSyncer({ path, userAgent: 'onoma-test', sandbox: true, random: secureRandom })
  const stopping = new AbortController()
  const stopped = sync(settingsFor(file), {
    signal: stopping.signal,
    onProgress: () => stopping.abort(new Error('enough')),
  })
  await assert.rejects(stopped, /enough/)
  assert.equal((await again(file)).outcome, 'complete')
})
