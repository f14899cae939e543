import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { manualClock } from '../clock.ts'
import { createDownloader, type DownloadRequest } from './download.ts'
import { failing, serve, serveRaw } from './loopback.fixture.ts'

const MAX = 100_000

async function shopAt(t: TestContext, listener: RequestListener) {
  return `http://127.0.0.1:${await serve(t, listener)}/file.zip`
}

function downloaderFor(t: TestContext, allow = (address: string): boolean => address === '127.0.0.1') {
  const clock = manualClock()
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  const { download, close } = createDownloader({ userAgent: 'onoma-test', clock, allow })
  t.after(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'file')
  return {
    path,
    clock,
    get: (url: string, more: Partial<DownloadRequest> = {}) => download({ url, path, maxBytes: MAX, ...more }),
  }
}

suite('a download', () => {
  test('is written to the file, reports progress, and is not repeated while nothing changed', async (t) => {
    const asked: IncomingMessage['headers'][] = []
    const body = 'x'.repeat(MAX)
    const url = await shopAt(t, ({ headers }, response) => {
      asked.push(headers)
      if (headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"v1"', 'last-modified': 'Sun, 15 Nov 2026 00:00:00 GMT' }).end(body)
    })
    const { get, path } = downloaderFor(t)
    const told: number[] = []
    const first = await get(url, { headers: { 'X-Api-Key': 'k' }, onBytes: (done) => told.push(done) })
    assert.equal(readFileSync(path, 'utf8'), body)
    assert.deepEqual([first?.bytes, told.at(-1)], [MAX, MAX])
    assert.equal(await get(url, { validator: first!.validator }), null)
    assert.deepEqual([asked[0]!['x-api-key'], asked[0]!['user-agent']], ['k', 'onoma-test'])
    assert.equal(asked[1]!['if-modified-since'], 'Sun, 15 Nov 2026 00:00:00 GMT')
  })

  const answers: [string, RequestListener, string, RegExp][] = [
    ['429', (_, response) => response.writeHead(429).end(), 'rate_limited', /answered 429/],
    ['401', (_, response) => response.writeHead(401).end(), 'auth_error', /answered 401/],
    ['403', (_, response) => response.writeHead(403).end(), 'auth_error', /answered 403/],
    ['500', (_, response) => response.writeHead(500).end(), 'unavailable', /answered 500/],
    ['404', (_, response) => response.writeHead(404).end(), 'unavailable', /answered 404/],
    ['206', (_, response) => response.writeHead(206).end('half'), 'unavailable', /answered 206/],
    ['304 for nothing', (_, response) => response.writeHead(304).end(), 'unavailable', /answered 304/],
    [
      'brotli',
      (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
      'unavailable',
      /unknown content encoding/,
    ],
    ['a body that is too long', (_, response) => response.end('x'.repeat(MAX + 1)), 'unavailable', /larger/],
    [
      'a length that is too long',
      (_, response) => response.writeHead(200, { 'content-length': 1e9 }).write('x'),
      'unavailable',
      /larger/,
    ],
    [
      'a body without end',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        }
        response.writeHead(200).on('drain', more)
        more()
      },
      'unavailable',
      /larger/,
    ],
    [
      'a redirect inwards',
      (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      'unavailable',
      /^refused: .* is not allowed here$/,
    ],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'unavailable',
      /neither/,
    ],
    [
      'a redirect to itself',
      (_, response) => response.writeHead(302, { location: '/file.zip' }).end(),
      'unavailable',
      /too often/,
    ],
    ['a redirect without a location', (_, response) => response.writeHead(302).end(), 'unavailable', /location/],
  ]
  for (const [what, listener, failure, message] of answers) {
    test(`answered with ${what} is ${failure}`, async (t) => {
      const url = await shopAt(t, listener)
      await assert.rejects(downloaderFor(t).get(url), failing(failure, message))
    })
  }

  test('of a body of exactly the maximum size is complete', async (t) => {
    const url = await shopAt(t, (_, response) => response.end(Buffer.alloc(MAX)))
    const { get, path } = downloaderFor(t)
    assert.equal((await get(url))?.bytes, MAX)
    assert.equal(statSync(path).size, MAX)
  })

  test('that breaks off fails', async (t) => {
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'
    const port = await serveRaw(t, (socket) => socket.once('data', () => socket.end(half)))
    await assert.rejects(downloaderFor(t).get(`http://127.0.0.1:${port}/`), failing('unavailable'))
  })

  test('without a response ends with the idle timeout or with the timeout', async (t) => {
    const url = await shopAt(t, () => {})
    const { get } = downloaderFor(t)
    await assert.rejects(get(url, { timeoutMs: 20 }), failing('timeout', /within 20 ms/))
    await assert.rejects(get(url, { idleTimeoutMs: 20 }), failing('timeout', /nothing for 20 ms/))
  })

  test('that stops in its middle ends with the idle timeout', async (t) => {
    const url = await shopAt(t, (_, response) => void response.writeHead(200).write('half'))
    await assert.rejects(downloaderFor(t).get(url, { idleTimeoutMs: 30 }), failing('timeout', /nothing for 30 ms/))
  })

  test('does not reach the idle timeout while bytes arrive', async (t) => {
    const url = await shopAt(t, (_, response) => response.end('x'.repeat(MAX)))
    const idleTimeoutMs = 54_321
    let begunAgain = 0
    const real = globalThis.setTimeout
    t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
      const timer = real(run, ms)
      if (ms === idleTimeoutMs) t.mock.method(timer, 'refresh', () => (begunAgain++, timer))
      return timer
    })
    let pieces = 0
    await downloaderFor(t).get(url, { idleTimeoutMs, onBytes: () => pieces++ })
    assert.ok(pieces > 0)
    assert.equal(begunAgain, pieces)
  })

  test('ends at once when the caller aborts, and leaves no listener behind', async (t) => {
    const url = await shopAt(t, (_, response) => void response.writeHead(200).write('half'))
    const { get, path } = downloaderFor(t)
    const leaving = new AbortController()
    const left = get(url, { signal: leaving.signal, onBytes: () => leaving.abort(new Error('gone')) })
    await assert.rejects(left, /gone/)
    assert.equal(getEventListeners(leaving.signal, 'abort').length, 0)
    // After that, nothing else writes to the file.
    const other = await shopAt(t, (_, response) => response.end('whole'))
    await get(other)
    assert.equal(readFileSync(path, 'utf8'), 'whole')
    await assert.rejects(get(other, { signal: AbortSignal.abort(new Error('too late')) }), /too late/)
  })

  test('is not repeated during the Retry-After of the host', async (t) => {
    let asked = 0
    const url = await shopAt(t, (_, response) => {
      asked++
      response.writeHead(429, { 'retry-after': '30' }).end()
    })
    const { get, clock } = downloaderFor(t)
    await assert.rejects(get(url), failing('rate_limited'))
    await assert.rejects(get(url), failing('rate_limited', /Retry-After/))
    assert.equal(asked, 1)
    clock.advance(30_000)
    await assert.rejects(get(url), failing('rate_limited', /answered/))
    assert.equal(asked, 2)
  })

  test('never connects to a forbidden address, and sends no credentials to another host', async (t) => {
    const seen: (string | undefined)[] = []
    const other = await shopAt(t, ({ headers }, response) => {
      seen.push(headers['x-api-key'] as string | undefined)
      response.end('there')
    })
    const url = await shopAt(t, (_, response) => response.writeHead(302, { location: other }).end())
    const { get } = downloaderFor(t)
    await get(url, { headers: { 'X-Api-Key': 'k' } })
    assert.deepEqual(seen, [undefined])
    await assert.rejects(
      downloaderFor(t, () => false).get(url),
      failing('unavailable', /^refused: .* is not allowed here$/),
    )
    await assert.rejects(get('http://u:p@127.0.0.1/'), failing('unavailable', /credentials/))
  })

  test('to a path that cannot be written fails with the system error, not as a failure of the host', async (t) => {
    const url = await shopAt(t, (_, response) => response.end('x'))
    await assert.rejects(downloaderFor(t).get(url, { path: join(tmpdir(), 'no', 'such', 'folder') }), {
      code: 'ENOENT',
    })
  })
})
