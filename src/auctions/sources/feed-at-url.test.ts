import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { serve } from '../../kernel/upstream/loopback.fixture.ts'
import { csvOf, listingsFor, someLines } from './listings.fixture.ts'

async function shopAt(t: TestContext, listener: RequestListener) {
  const port = await serve(t, listener)
  return `http://127.0.0.1:${port}/feed.csv`
}

suite('a feed at a URL', () => {
  test('is synced, compressed or not, and its download is removed', async (t) => {
    let input = 0
    const url = await shopAt(t, ({ headers }, response) => {
      input++
      if (headers['if-none-match']) return void response.writeHead(304).end()
      response.writeHead(200, { etag: '"1"', 'content-encoding': 'gzip' }).end(gzipSync(csvOf(someLines(3))))
    })
    const listings = listingsFor(t)
    assert.equal((await listings.sync(url)).added, 3)
    assert.equal((await listings.sync(url)).outcome, 'unchanged')
    assert.equal(input, 2)
    assert.equal(existsSync(join(listings.folder, 'auctions-staging', 'source_a-me.part')), false)
  })

  test('that fails reports the reason and whether to retry', async (t) => {
    const listings = listingsFor(t)
    const denied = await listings.sync(await shopAt(t, (_, response) => response.writeHead(403).end()))
    assert.deepEqual([denied.outcome, denied.retryable], ['failed', false])
    const busy = await listings.sync(await shopAt(t, (_, r) => r.writeHead(429, { 'retry-after': '7' }).end()))
    assert.deepEqual([busy.outcome, busy.retryable, busy.retryAfterMs], ['failed', true, 7000])
    const cut = gzipSync(csvOf(someLines(3000))).subarray(0, 2000)
    const half = await listings.sync(await shopAt(t, (_, response) => response.end(cut)))
    assert.match(half.problem!, /gzip file is damaged/)
  })
})
