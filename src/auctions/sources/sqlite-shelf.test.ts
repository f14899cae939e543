import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../kernel/errors.ts'
import { secureRandom } from '../../kernel/random.ts'
import { csvOf, everything, settingsFor, shopFor, someLines } from './shelf.fixture.ts'
import { openShelf } from './sqlite-shelf.ts'
import { createSyncer } from './syncer.ts'

suite('the shelf in a thread', () => {
  test('answers before there is anything, and sees what a sync in another thread brings', async (t) => {
    const { folder, path } = shopFor(t)
    const shelf = openShelf(path)
    t.after(() => shelf.close())
    shelf.warm()
    const empty = await shelf.search(everything)
    assert.deepEqual([empty.total, empty.sources.source_a.lastSync], [0, null])
    const file = join(folder, 'feed.csv')
    // The thread has the clock of the machine: these must not end before the test does.
    writeFileSync(file, csvOf(someLines(2500).map((line) => ({ ...line, ends: 5000 }))))
    const sync = createSyncer({ path, userAgent: 'onoma-test', sandbox: true, random: secureRandom })
    const rows: number[] = []
    const report = await sync(settingsFor(file), {
      signal: new AbortController().signal,
      onProgress: (count) => rows.push(count),
    })
    assert.equal(report.added, 2500)
    assert.deepEqual(rows, [2000, 2500])
    const page = await shelf.search({ ...everything, limit: 2 })
    assert.deepEqual([page.total, page.auctions.length, page.sources.source_a.count], [2500, 2, 2500])
  })

  test('lets go of who gives up, refuses who would wait too long, and answers all when it closes', async (t) => {
    const { path } = shopFor(t)
    const shelf = openShelf(path, { waiting: 1 })
    t.after(() => shelf.close())
    const leaving = new AbortController()
    const running = shelf.search(everything)
    const waiting = shelf.search(everything, leaving.signal)
    await assert.rejects(
      shelf.search(everything),
      (error) => error instanceof UpstreamError && error.retryAfterMs === 1000,
    )
    leaving.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    await running
    const asked = [1, 2].map(async () => assert.rejects(shelf.search(everything), UpstreamError))
    await shelf.close()
    await Promise.all(asked)
    await assert.rejects(shelf.search(everything), /closed/)
  })

  test('says so where the file is no shelf, and works once it is away', async (t) => {
    const { path } = shopFor(t)
    writeFileSync(path, 'this is no database, whatever its name says'.repeat(200))
    const shelf = openShelf(path)
    t.after(() => shelf.close())
    await assert.rejects(
      shelf.search(everything),
      (error) => error instanceof UpstreamError && /database/.test(String(error.cause)),
    )
    writeFileSync(path, '')
    assert.equal((await shelf.search(everything)).total, 0)
  })
})

test('a sync that is stopped leaves what it has put, and the source free for the next', async (t) => {
  const { folder, path, sync: again } = shopFor(t)
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
