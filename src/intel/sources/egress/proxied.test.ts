import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { suite, test, type TestContext } from 'node:test'
import { secureRandom } from '../../../kernel/random.ts'
import { serve, serveBytes, serveRaw } from '../../../kernel/upstream/loopback.fixture.ts'
import { proxies, serveProxy } from '../../../kernel/upstream/proxy.fixture.ts'
import { ProxyError } from '../../../kernel/upstream/proxy.ts'
import { type Admission, type Egress, startEgress } from './proxy.ts'

const LIMITS = { maxBytes: 100_000, maxOpen: 4, maxConnections: 20 }

type Options = {
  readonly except?: string
  readonly port?: number
  readonly resolve?: () => Promise<readonly string[]>
  readonly connectTimeoutMs?: number
}

/** The browser's proxy behind the operator's proxy, where no name can be looked up unless `resolve` is given. */
async function startBehind(t: TestContext, url: string, options: Options = {}) {
  const { except, port = 443, resolve = () => Promise.reject(new Error('no resolver answers')), ...rest } = options
  const proxy = { settings: proxies(url, except) }
  const egress = await startEgress({ random: secureRandom, ports: [80, 443, port], resolve, proxy, ...rest })
  t.after(() => egress.close())
  const pass = egress.admit(LIMITS)
  const get = (address: string) =>
    say(egress, `GET ${address} HTTP/1.1\r\nHost: x\r\n${credentials(pass)}Connection: close\r\n\r\n`)
  return { egress, pass, get }
}

const credentials = ({ username, password }: Admission) =>
  `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}\r\n`

const dialEgress = (egress: Egress): Socket => connect(Number(new URL(egress.url).port), '127.0.0.1')

async function say(egress: Egress, bytes: string): Promise<string> {
  const socket = dialEgress(egress)
  socket.write(bytes)
  return text(socket).catch(() => '')
}

suite("pages behind the operator's proxy", () => {
  test('http requests are forwarded with the password, which the site does not get', async (t) => {
    const port = await serve(t, ({ headers, url }, response) => response.end(JSON.stringify({ url, ...headers })))
    const proxy = await serveProxy(t, { wants: 'me:secret' })
    const { pass, get } = await startBehind(t, proxy.url.replace('//', '//me:secret@'), { port })
    const site = { host: 'site.example', port }
    assert.equal(pass.hasReached(site), false)
    const answer = await get(`http://site.example:${port}/a?b`)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    const seen = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Record<string, string>
    assert.deepEqual([seen['url'], seen['host']], ['/a?b', `site.example:${port}`])
    assert.ok(!('proxy-authorization' in seen))
    assert.deepEqual(proxy.asked, [`GET http://site.example:${port}/a?b`])
    assert.equal(pass.hasReached(site), true)
    assert.ok(pass.bytes > 0)
  })

  test('everything else is tunnelled, and its bytes are counted', async (t) => {
    const port = await serveRaw(t, (socket) => void socket.pipe(socket))
    const proxy = await serveProxy(t, { wants: 'me:secret' })
    const { egress, pass } = await startBehind(t, proxy.url.replace('//', '//me:secret@'), { port })
    const client = dialEgress(egress)
    client.write(`CONNECT site.example:${port} HTTP/1.1\r\n${credentials(pass)}\r\nhello`)
    let heard = ''
    client.setEncoding('latin1').on('data', (bytes: string) => {
      heard += bytes
      if (heard.endsWith('hello')) client.end()
    })
    await once(client, 'close')
    assert.equal(heard, 'HTTP/1.1 200 Connection Established\r\n\r\nhello')
    assert.deepEqual(proxy.asked, [`CONNECT site.example:${port}`])
    assert.equal(pass.bytes, 10)
  })

  test('hosts in NO_PROXY are reached directly, at public addresses only', async (t) => {
    const proxy = await serveProxy(t)
    const resolve = async () => ['127.0.0.1']
    const { pass } = await startBehind(t, proxy.url, { except: 'site.example', resolve })
    assert.equal(await pass.probe({ host: 'site.example', port: 443 }), 'refused')
    assert.equal(await pass.probe({ host: 'www.site.example', port: 80 }), 'refused')
    assert.deepEqual(proxy.asked, [])
  })

  for (const host of ['10.0.0.1', '169.254.169.254', '127.0.0.1', '[fd00::1]', 'redis', 'wiki.corp', 'a.localhost'])
    test(`the proxy is not asked for ${host}`, async (t) => {
      const proxy = await serveProxy(t)
      const { egress, pass, get } = await startBehind(t, proxy.url)
      assert.equal(await get(`http://${host}/`), '')
      const answer = await say(egress, `CONNECT ${host}:443 HTTP/1.1\r\n${credentials(pass)}\r\n`)
      assert.match(answer, /^HTTP\/1\.1 502 /)
      assert.deepEqual(proxy.asked, [])
    })

  test('the proxy is not asked for a public name that we know to lead to a private address', async (t) => {
    const proxy = await serveProxy(t)
    const { pass, get } = await startBehind(t, proxy.url, { resolve: async () => ['93.184.215.14', '10.0.0.1'] })
    assert.equal(await get('http://rebinding.example/'), '')
    assert.equal(await pass.probe({ host: 'rebinding.example', port: 443 }), 'refused')
    assert.deepEqual([proxy.asked, pass.refused], [[], 2])
  })

  test('the byte limit holds', async (t) => {
    const port = await serve(t, (_request, response) => {
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', flood)
      flood()
    })
    const proxy = await serveProxy(t)
    const { pass, get } = await startBehind(t, proxy.url, { port })
    await get(`http://site.example:${port}/`)
    assert.ok(pass.bytes > LIMITS.maxBytes && pass.bytes < LIMITS.maxBytes + 1_000_000)
    assert.match(await get(`http://site.example:${port}/`), / 407 /)
  })
})

suite("an operator's proxy that does not lead to the site", () => {
  const site = { host: 'site.example', port: 443 }

  test('one that wants a password is blamed, for a tunnel and for a request', async (t) => {
    const proxy = await serveProxy(t, { wants: 'me:secret' })
    const { pass, get } = await startBehind(t, proxy.url.replace('//', '//me:wrong@'))
    const tunnelled = await pass.probe(site)
    assert.ok(tunnelled instanceof ProxyError)
    assert.match(tunnelled.message, /rejects the user and password in HTTPS_PROXY or HTTP_PROXY/)
    // The browser must not ask for a password: the answer is not shown to it.
    assert.equal(await get('http://other.example/'), '')
    assert.equal(pass.proxyErrorFor('other.example')?.needsPassword, true)
    assert.equal(pass.hasReached({ host: 'other.example', port: 80 }), false)
  })

  const answers: [number, string][] = [
    [502, 'closed'],
    [503, 'closed'],
    [504, 'timeout'],
  ]
  for (const [status, failure] of answers)
    test(`${status} to a tunnel says that the site is not there`, async (t) => {
      const proxy = await serveProxy(t, { refuses: status })
      const { pass } = await startBehind(t, proxy.url)
      assert.equal(await pass.probe(site), failure)
      assert.equal(pass.proxyErrorFor('site.example'), undefined)
    })

  test('403 to a tunnel is the refusal of the proxy, not of the site', async (t) => {
    const proxy = await serveProxy(t, { refuses: 403 })
    const { pass } = await startBehind(t, proxy.url)
    assert.match(String(await pass.probe(site)), /answered 403 to a connection to site\.example:443/)
  })

  test('one that is not there, or is no proxy, is named', async (t) => {
    const gone = await startBehind(t, 'http://127.0.0.1:1')
    for (const port of [80, 443])
      assert.match(String(await gone.pass.probe({ host: 'site.example', port })), /the proxy 127\.0\.0\.1:1 cannot be/)
    const port = await serveBytes(t, '220 mail.example ESMTP\r\n\r\n')
    const other = await startBehind(t, `http://127.0.0.1:${port}`)
    assert.match(String(await other.pass.probe(site)), /is not an HTTP proxy/)
  })

  test('one that does not answer in time counts as a site that does not', async (t) => {
    const port = await serveRaw(t, (socket) => void socket.resume())
    const { pass } = await startBehind(t, `http://127.0.0.1:${port}`, { connectTimeoutMs: 100 })
    assert.equal(await pass.probe(site), 'timeout')
  })

  const own: [string, RequestListener][] = [
    ['502', (_request, response) => response.writeHead(502).end('cannot connect')],
    ['504', (_request, response) => response.writeHead(504).end('too slow')],
    ['503 of Squid', (_request, response) => response.writeHead(503, { 'x-squid-error': 'ERR_DNS_FAIL 0' }).end('no')],
    ['503 with Proxy-Status', (_request, response) => response.writeHead(503, STATUS).end('no')],
  ]
  const STATUS = { 'proxy-status': 'proxy.example; error=dns_error' }
  for (const [what, listener] of own)
    test(`its own page (${what}) is not shown as the page of the site`, async (t) => {
      const { pass, get } = await startBehind(t, `http://127.0.0.1:${await serve(t, listener)}`)
      assert.equal(await get('http://site.example/'), '')
      assert.equal(pass.hasReached({ host: 'site.example', port: 80 }), false)
      assert.equal(pass.proxyErrorFor('site.example'), undefined)
    })

  test('a 503 of the site is its page', async (t) => {
    const port = await serve(t, (_request, response) => response.writeHead(503).end('in maintenance'))
    const { get } = await startBehind(t, `http://127.0.0.1:${port}`)
    assert.match(await get('http://site.example/'), /503 [^]*in maintenance/)
  })
})
