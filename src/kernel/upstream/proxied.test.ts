import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { manualClock } from '../clock.ts'
import type { UpstreamOptions } from './client.ts'
import { createDownloader } from './download.ts'
import {
  CERTIFICATE,
  failing,
  guardedUpstreamFor,
  KEY,
  openForTest,
  serve,
  serveBytes,
  serveTls,
} from './loopback.fixture.ts'
import { proxies, serveProxy } from './proxy.fixture.ts'

/** An upstream behind the proxy. Names are not looked up: only the proxy can resolve them. */
const upstreamBehind = (
  t: TestContext,
  url: string,
  { except = '', ...options }: Partial<UpstreamOptions> & { except?: string } = {},
) =>
  guardedUpstreamFor(t, {
    ca: CERTIFICATE,
    proxy: proxies(url, except),
    lookup: (hostname, _options, callback) => callback(new Error(`${hostname} was looked up`), []),
    ...options,
  })

suite('through a proxy', () => {
  test('https requests are tunnelled: the certificate is checked, and the connection is used again', async (t) => {
    const port = await serveTls(t, (request, response) => response.end(`you asked ${request.url}`))
    const proxy = await serveProxy(t)
    const upstream = upstreamBehind(t, proxy.url)
    for (const path of ['/one', '/two']) {
      const reply = await upstream.request({ url: `https://upstream.test:${port}${path}` })
      assert.equal(reply.text(), `you asked ${path}`)
    }
    assert.deepEqual(proxy.asked, [`CONNECT upstream.test:${port}`])
    await assert.rejects(
      upstream.request({ url: `https://other.example:${port}/` }),
      (error) => failing('unavailable')(error) && (error as { untrusted?: boolean }).untrusted === true,
    )
  })

  test('HTTP/2 is spoken through the tunnel', async (t) => {
    const server = createSecureServer({ key: KEY, cert: CERTIFICATE })
    server.on('request', (request, response) => response.end(`HTTP/${request.httpVersion}`))
    const port = await openForTest(t, server)
    const proxy = await serveProxy(t)
    const reply = await upstreamBehind(t, proxy.url).request({ url: `https://upstream.test:${port}/` })
    assert.equal(reply.text(), 'HTTP/2.0')
  })

  test('connections that were opened ahead are used', async (t) => {
    const port = await serveTls(t, (_request, response) => response.end('ok'))
    const proxy = await serveProxy(t)
    const upstream = upstreamBehind(t, proxy.url)
    const url = new URL(`https://upstream.test:${port}/`)
    upstream.prepare(url, 1)
    assert.equal((await upstream.request({ url })).text(), 'ok')
    assert.equal(proxy.asked.length, 1)
  })

  test('http requests are forwarded, without the password reaching the host', async (t) => {
    const port = await serve(t, ({ headers, url }, response) => {
      response.end(JSON.stringify({ url, host: headers.host, authorization: headers['proxy-authorization'] ?? null }))
    })
    const proxy = await serveProxy(t, { wants: 'me:secret' })
    const upstream = upstreamBehind(t, proxy.url.replace('//', '//me:secret@'))
    const reply = await upstream.request({ url: `http://upstream.test:${port}/a?b=c` })
    assert.deepEqual(reply.json(), { url: '/a?b=c', host: `upstream.test:${port}`, authorization: null })
    assert.deepEqual(proxy.asked, [`GET http://upstream.test:${port}/a?b=c`])
  })

  test('hosts in NO_PROXY are reached directly, at allowed addresses only', async (t) => {
    const port = await serve(t, (_request, response) => response.end('ok'))
    const proxy = await serveProxy(t)
    const lookup = { lookup: (_name: string, _options: object, callback: Callback) => callback(null, [LOOPBACK]) }
    const upstream = upstreamBehind(t, proxy.url, { except: 'upstream.test', ...lookup })
    await assert.rejects(
      upstream.request({ url: `http://upstream.test:${port}/` }),
      failing('unavailable', /not allowed/),
    )
    const allowed = upstreamBehind(t, proxy.url, { except: 'upstream.test', ...lookup, allow: () => true })
    assert.equal((await allowed.request({ url: `http://upstream.test:${port}/` })).text(), 'ok')
    assert.deepEqual(proxy.asked, [])
  })

  test('the proxy may itself be reached over TLS', async (t) => {
    const port = await serve(t, (_request, response) => response.end('ok'))
    const proxy = await serveProxy(t, { tls: true })
    const url = proxy.url.replace('127.0.0.1', 'upstream.test')
    const named = {
      has: () => false,
      setting: 'X',
      lookup: (_: string, __: object, found: Callback) => found(null, [LOOPBACK]),
    }
    const upstream = upstreamBehind(t, url, { named })
    assert.equal((await upstream.request({ url: `http://shop.example:${port}/` })).text(), 'ok')
  })

  test('downloads take the proxy too', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-proxied-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const port = await serve(t, (_request, response) => response.end('a feed'))
    const proxy = await serveProxy(t)
    const downloader = createDownloader({ userAgent: 'onoma-test', clock: manualClock(), proxy: proxies(proxy.url) })
    t.after(() => downloader.close())
    const path = join(folder, 'feed.csv')
    await downloader.download({ url: `http://feeds.example:${port}/`, path, maxBytes: 1000 })
    assert.equal(readFileSync(path, 'utf8'), 'a feed')
    assert.deepEqual(proxy.asked, [`GET http://feeds.example:${port}/`])
  })
})

type Callback = (error: null, addresses: { address: string; family: number }[]) => void
const LOOPBACK = { address: '127.0.0.1', family: 4 }

suite('a proxy that does not connect', () => {
  for (const protocol of ['https', 'http'])
    test(`one that wants a password says so for ${protocol}, and no message has the password`, async (t) => {
      const proxy = await serveProxy(t, { wants: 'me:secret' })
      const request = { url: `${protocol}://upstream.test:1/` }
      const failure = (message: RegExp) => (error: unknown) => {
        assert.ok(!JSON.stringify([String(error), String((error as Error).cause)]).match(/wrong|secret/))
        return failing('unavailable', message)(error)
      }
      await assert.rejects(upstreamBehind(t, proxy.url).request(request), failure(/wants a user and password/))
      const wrong = upstreamBehind(t, proxy.url.replace('//', '//me:wrong@'))
      await assert.rejects(wrong.request(request), failure(/rejects the user and password/))
    })

  for (const protocol of ['https', 'http'])
    test(`one that is not there is named, and not the host of ${protocol} behind it`, async (t) => {
      const failure = /the proxy 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/
      await assert.rejects(
        upstreamBehind(t, 'http://me:secret@127.0.0.1:1').request({ url: `${protocol}://upstream.test/` }),
        (error) => failing('unavailable', failure)(error) && !/secret/.test(String(error)),
      )
    })

  test('one that refuses is named with its status, and the request is not sent', async (t) => {
    const proxy = await serveProxy(t, { refuses: 403 })
    await assert.rejects(
      upstreamBehind(t, proxy.url).request({ url: 'https://upstream.test/' }),
      failing('unavailable', /the proxy 127\.0\.0\.1:\d+ answered 403 to a connection to upstream\.test:443/),
    )
  })

  test('a server that is no proxy is told apart', async (t) => {
    const port = await serveBytes(t, `220 mail.example ESMTP\r\n\r\n`)
    await assert.rejects(
      upstreamBehind(t, `http://127.0.0.1:${port}`).request({ url: 'https://upstream.test/' }),
      failing('unavailable', /is not an HTTP proxy/),
    )
  })
})

suite('what a proxy is not asked for', () => {
  for (const url of [
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[fd00::1]/',
    'http://redis/',
    'https://wiki.corp/',
  ]) {
    test(`${url} is refused: only the proxy would see where it leads`, async (t) => {
      const proxy = await serveProxy(t)
      await assert.rejects(upstreamBehind(t, proxy.url).request({ url }), failing('unavailable', /refused/))
      assert.deepEqual(proxy.asked, [])
    })
  }

  test('a redirect to a private host is refused', async (t) => {
    const port = await serve(t, (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    const proxy = await serveProxy(t)
    const request = { url: `http://upstream.test:${port}/`, redirects: 3 }
    await assert.rejects(upstreamBehind(t, proxy.url).request(request), failing('unavailable', /refused: 10\.0\.0\.1/))
    assert.equal(proxy.asked.length, 1)
  })

  test('a host that the operator named may be private', async (t) => {
    const port = await serve(t, (_request, response) => response.end('ok'))
    const proxy = await serveProxy(t)
    const named = { has: (host: string) => host === `minio:${port}`, setting: 'ONOMA_SCREENSHOTS_S3_URL' }
    const upstream = upstreamBehind(t, proxy.url, { named })
    assert.equal((await upstream.request({ url: `http://minio:${port}/` })).text(), 'ok')
  })
})
