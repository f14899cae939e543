import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../kernel/errors.ts'
import { secureRandom } from '../../kernel/random.ts'
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

  test('fails if the file is not a database, and works once it is removed', async (t) => {
    const { path } = listingsFor(t)
    writeFileSync(path, 'this is no database, whatever its name says'.repeat(200))
    const index = openListingIndex(path)
    t.after(() => index.close())
    await assert.rejects(
      index.search(everyListing),
      (error) => error instanceof UpstreamError && /database/.test(String(error.cause)),
    )
    writeFileSync(path, '')
    assert.equal((await index.search(everyListing)).total, 0)
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
