import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { manualClock } from '../../kernel/clock.ts'
import { failing, serve, serveRaw } from '../../kernel/upstream/loopback.fixture.ts'
import { createDownloader, type Wanted } from '../../kernel/upstream/download.ts'
import { csvOf, folderFor, shopFor, someLines } from './shelf.fixture.ts'

async function shopAt(t: TestContext, listener: RequestListener) {
  const port = await serve(t, listener)
  return `http://127.0.0.1:${port}/feed.csv`
}

function downloaderFor(t: TestContext, allow = (address: string): boolean => address === '127.0.0.1') {
  const clock = manualClock()
  const { download, close } = createDownloader({ userAgent: 'onoma-test', clock, allow })
  t.after(close)
  const path = join(folderFor(t), 'file')
  const signal = new AbortController().signal
  const usual = { path, headers: {}, validator: '', maxBytes: 10_000, deadlineMs: 60_000, signal }
  return { path, clock, get: (url: string, more: Partial<Wanted> = {}) => download({ url, ...usual, ...more }) }
}

suite('a download', () => {
  test('is in the file, and is not made again while nothing changed', async (t) => {
    const asked: IncomingMessage['headers'][] = []
    const url = await shopAt(t, ({ headers }, response) => {
      asked.push(headers)
      if (headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"v1"', 'last-modified': 'Sun, 15 Nov 2026 00:00:00 GMT' }).end('hello')
    })
    const { get, path } = downloaderFor(t)
    const first = await get(url, { headers: { 'X-Api-Key': 'secret' } })
    assert.equal(readFileSync(path, 'utf8'), 'hello')
    assert.equal(await get(url, { validator: first!.validator }), null)
    assert.equal(asked[0]!['x-api-key'], 'secret')
    assert.equal(asked[0]!['user-agent'], 'onoma-test')
    assert.equal(asked[1]!['if-modified-since'], 'Sun, 15 Nov 2026 00:00:00 GMT')
  })

  const answers: [string, RequestListener, string, RegExp][] = [
    ['429', (_, response) => response.writeHead(429).end(), 'rate_limited', /answered 429/],
    ['401', (_, response) => response.writeHead(401).end(), 'auth_error', /answered 401/],
    ['403', (_, response) => response.writeHead(403).end(), 'auth_error', /answered 403/],
    ['500', (_, response) => response.writeHead(500).end(), 'unavailable', /answered 500/],
    ['404', (_, response) => response.writeHead(404).end(), 'unavailable', /answered 404/],
    ['304 for nothing', (_, response) => response.writeHead(304).end(), 'unavailable', /answered 304/],
    [
      'brotli',
      (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
      'unavailable',
      /encoded/,
    ],
    ['a body that is too long', (_, response) => response.end('x'.repeat(10_001)), 'unavailable', /larger/],
    [
      'a length that is too long',
      (_, response) => response.writeHead(200, { 'content-length': 1e9 }).write('x'),
      'unavailable',
      /larger/,
    ],
    [
      'a body without end',
      (_, response) => {
        response.writeHead(200)
        for (let more = 0; more < 20; more++) response.write('x'.repeat(1000))
      },
      'unavailable',
      /larger/,
    ],
    [
      'a redirect inwards',
      (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      'unavailable',
      /must not be asked/,
    ],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'unavailable',
      /neither/,
    ],
    [
      'a redirect to itself',
      (_, response) => response.writeHead(302, { location: '/feed.csv' }).end(),
      'unavailable',
      /too often/,
    ],
    ['a redirect to nowhere', (_, response) => response.writeHead(302).end(), 'unavailable', /nowhere/],
  ]
  for (const [what, listener, failure, message] of answers) {
    test(`answered with ${what} is ${failure}`, async (t) => {
      const url = await shopAt(t, listener)
      await assert.rejects(downloaderFor(t).get(url), failing(failure, message))
    })
  }

  test('that breaks off is no download', async (t) => {
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'
    const port = await serveRaw(t, (socket) => socket.once('data', () => socket.end(half)))
    await assert.rejects(downloaderFor(t).get(`http://127.0.0.1:${port}/`), failing('unavailable'))
  })

  test('that never comes is given up, and a caller who leaves is told at once', async (t) => {
    const url = await shopAt(t, () => {})
    const { get } = downloaderFor(t)
    await assert.rejects(get(url, { deadlineMs: 20 }), failing('timeout', /within 20 ms/))
    const leaving = new AbortController()
    const left = get(url, { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await assert.rejects(left, /gone/)
  })

  test('is not asked for again while the host wants to be left alone', async (t) => {
    let asked = 0
    const url = await shopAt(t, (_, response) => {
      asked++
      response.writeHead(429, { 'retry-after': '30' }).end()
    })
    const { get, clock } = downloaderFor(t)
    await assert.rejects(get(url), failing('rate_limited'))
    await assert.rejects(get(url), failing('rate_limited', /left alone/))
    assert.equal(asked, 1)
    clock.advance(30_000)
    await assert.rejects(get(url), failing('rate_limited', /answered/))
    assert.equal(asked, 2)
  })

  test('never goes where it must not, and takes no key along to another host', async (t) => {
    const seen: (string | undefined)[] = []
    const other = await shopAt(t, ({ headers }, response) => {
      seen.push(headers.authorization)
      response.end('there')
    })
    const url = await shopAt(t, (_, response) => response.writeHead(302, { location: other }).end())
    const { get } = downloaderFor(t)
    await get(url, { headers: { Authorization: 'Bearer key' } })
    assert.deepEqual(seen, [undefined])
    await assert.rejects(downloaderFor(t, () => false).get(url), failing('unavailable', /must not be asked/))
    await assert.rejects(get('http://u:p@127.0.0.1/'), failing('unavailable', /credentials/))
  })
})

suite('a feed at a URL', () => {
  test('is synced, packed or not, and nothing of it is left behind', async (t) => {
    let asked = 0
    const url = await shopAt(t, ({ headers }, response) => {
      asked++
      if (headers['if-none-match']) return void response.writeHead(304).end()
      response.writeHead(200, { etag: '"1"', 'content-encoding': 'gzip' }).end(gzipSync(csvOf(someLines(3))))
    })
    const shop = shopFor(t)
    assert.equal((await shop.sync(url)).added, 3)
    assert.equal((await shop.sync(url)).outcome, 'unchanged')
    assert.equal(asked, 2)
    assert.equal(existsSync(join(shop.folder, 'auctions-staging', 'source_a-me.part')), false)
  })

  test('that fails says in which way, and whether to ask again', async (t) => {
    const shop = shopFor(t)
    const denied = await shop.sync(await shopAt(t, (_, response) => response.writeHead(403).end()))
    assert.deepEqual([denied.outcome, denied.retryable], ['failed', false])
    const busy = await shop.sync(await shopAt(t, (_, r) => r.writeHead(429, { 'retry-after': '7' }).end()))
    assert.deepEqual([busy.outcome, busy.retryable, busy.retryAfterMs], ['failed', true, 7000])
    const cut = gzipSync(csvOf(someLines(3000))).subarray(0, 2000)
    const half = await shop.sync(await shopAt(t, (_, response) => response.end(cut)))
    assert.match(half.problem!, /gzip is damaged/)
  })
})
