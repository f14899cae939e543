// needs: chromium
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { openBrowser } from '../../src/app/wiring/browser.ts'
import { createOutbound } from '../../src/app/wiring/outbound.ts'
import { SiteError } from '../../src/intel/site-error.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { failing, serve, serveTls } from '../../src/kernel/upstream/loopback.fixture.ts'
import { proxies, serveProxy } from '../../src/kernel/upstream/proxy.fixture.ts'
import { serverFor } from '../support/servers/for-suites.ts'
import { quiet } from '../support/simulated-payments.ts'

const { skip, address: chromium } = serverFor('chromium')
const forever = new AbortController().signal
/** Nothing listens there. */
const CLOSED = 1

/** The service's browser with HTTP_PROXY and HTTPS_PROXY set to `url`, and no resolver for public names. */
function openBehind(t: TestContext, url: string, resolve?: () => Promise<readonly string[]>, except = '') {
  const dataDir = mkdtempSync(join(tmpdir(), 'onoma-test-proxied-'))
  const config = { sandbox: false, namedHosts: {}, proxy: proxies(url, except) }
  const { browser, close } = openBrowser({
    config: {
      chromium,
      browserSandbox: process.getuid?.() !== 0,
      screenshots: { days: 30, megabytes: 100, s3: null },
      sandboxPages: null,
      dataDir,
    },
    outbound: createOutbound({ config, clock: systemClock, log: quiet }),
    clock: systemClock,
    random: secureRandom,
    log: quiet,
    resolve: resolve ?? (() => Promise.reject(new Error('no resolver answers'))),
    secret: () => Buffer.from('a secret'),
  })
  t.after(async () => {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return browser
}

const page: RequestListener = (request, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<title>${request.headers.host}</title><p>A page<img src="http://pictures.example/a.png">`)

suite("a visit behind the operator's proxy", { skip }, () => {
  test('goes through it with its password: a tunnel for https, forwarded requests for http', async (t) => {
    const secure = await serveTls(t, page)
    const plain = await serve(t, (_request, response) => response.writeHead(404).end())
    const proxy = await serveProxy(t, { wants: 'me:secret', ports: { 443: secure, 80: plain } })
    const browser = openBehind(t, proxy.url.replace('//', '//me:secret@'))
    const { finalUrl, title, screenshot } = await browser.visit('shop.example', forever)
    assert.deepEqual([finalUrl, title], ['https://shop.example/', 'shop.example'])
    assert.ok(screenshot.length > 0)
    assert.deepEqual(new Set(proxy.asked), new Set(['CONNECT shop.example:443', 'CONNECT pictures.example:443']))
  })

  test('a site without https is visited over http', async (t) => {
    const plain = await serve(t, page)
    const proxy = await serveProxy(t, { refuses: 503, ports: { 80: plain } })
    const { finalUrl, status } = await openBehind(t, proxy.url).visit('shop.example', forever)
    assert.deepEqual([finalUrl, status], ['http://shop.example/', 200])
    assert.ok(proxy.asked.includes('GET http://shop.example/'))
  })

  test('a site that the proxy does not reach is an error of the site', async (t) => {
    const port = await serve(t, (_request, response) => response.writeHead(502).end('<p>Cannot connect.'))
    const proxy = await serveProxy(t, { refuses: 503, ports: { 80: port } })
    await assert.rejects(
      openBehind(t, proxy.url).visit('gone.example', forever),
      (error) => error instanceof SiteError && error.problem === 'site_unreachable',
    )
  })

  test('a proxy that is not there, or wants a password, is the reason, not the site', async (t) => {
    await assert.rejects(
      openBehind(t, `http://127.0.0.1:${CLOSED}`).visit('shop.example', forever),
      failing('unavailable', /the proxy 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/),
    )
    const proxy = await serveProxy(t, { wants: 'me:secret' })
    await assert.rejects(
      openBehind(t, proxy.url).visit('shop.example', forever),
      failing('unavailable', /the proxy 127\.0\.0\.1:\d+ wants a user and password: set HTTPS_PROXY or HTTP_PROXY/),
    )
  })

  test('hosts in NO_PROXY are reached directly, and private ones by neither way', async (t) => {
    const proxy = await serveProxy(t, { ports: { 80: CLOSED, 443: CLOSED } })
    const browser = openBehind(t, proxy.url, async () => ['127.0.0.1'], 'direct.example')
    for (const host of ['direct.example', 'proxied.example'])
      await assert.rejects(
        browser.visit(host, forever),
        (error) => error instanceof SiteError && error.problem === 'site_not_public',
      )
    assert.deepEqual(proxy.asked, [])
  })
})
