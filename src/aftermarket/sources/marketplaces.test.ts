import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { createUpstream, type Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace } from '../marketplace.ts'
import { dynadot } from './dynadot.ts'
import { fastly } from './fastly.ts'
import { porkbun } from './porkbun.ts'
import { sedo } from './sedo.ts'

const name = 'example.com' as DomainName
const SECRET = 's=1'
/** What each marketplace answers, by the start of the path. */
const BODIES: Readonly<Record<string, string>> = {
  '/sedo':
    '<SEDOLIST><item><domain>example.com</domain><forsale>true</forsale><price>9</price><currency>USD</currency></item></SEDOLIST>',
  '/dynadot': '<R><Listing><Domain>example.com</Domain><Price>9</Price></Listing></R>',
  '/fastly':
    '{"domain":"example.com","status":"marketed active","offers":[{"vendor":"x","currency":"USD","price":"9"}]}',
  '/porkbun': '{"status":"SUCCESS","domains":[{"domain":"example.com","price":9}]}',
}

suite('marketplaces over the wire', () => {
  let server: Server
  let upstream: Upstream
  let shops: Marketplace[]
  let answer: { status: number; headers?: Record<string, string>; body?: string } | 'reset' | 'cut' = { status: 500 }
  let asked: { url: URL; headers: IncomingHttpHeaders }[] = []

  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://x')
      asked.push({ url, headers: request.headers })
      if (answer === 'reset') return request.socket.resetAndDestroy()
      const body = BODIES[url.pathname]!
      if (answer === 'cut') {
        response.writeHead(200, { 'content-length': body.length })
        response.write(body.slice(0, 20), () => request.socket.destroySoon())
        return
      }
      response.writeHead(answer.status, answer.headers).end(answer.body ?? body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    upstream = createUpstream({
      name: 'marketplaces',
      userAgent: 'test',
      clock: systemClock,
      allow: (address) => address === '127.0.0.1',
      timeoutMs: 5_000,
      maxBytes: 10_000,
      connections: 2,
      maxQueue: 8,
    })
    const affiliatePage = 'https://shop.example/{domain}?aff=7'
    const login = { username: 'jo', password: 'p&w' }
    const access = { upstream, partnerId: 'me & co', signKey: SECRET, login }
    shops = [
      sedo({ ...access, url: `${base}/sedo`, affiliatePage: null }),
      dynadot({ upstream, url: `${base}/dynadot`, key: SECRET, affiliatePage }),
      fastly({ upstream, url: `${base}/fastly`, key: SECRET }),
      porkbun({ upstream, url: `${base}/porkbun`, key: 'k', secretKey: SECRET }),
    ]
  })
  after(async () => {
    await upstream.close()
    server.closeAllConnections()
    server.close()
  })
  const ask = (shop: Marketplace) => shop.find(name, new AbortController().signal)

  test('requests follow the API of each marketplace, with the credentials of the operator', async () => {
    answer = { status: 200 }
    asked = []
    for (const shop of shops) assert.equal((await ask(shop))?.price?.micros, 9_000_000n)
    assert.deepEqual(
      asked.map(({ url }) => [url.pathname, Object.fromEntries(url.searchParams)]),
      [
        [
          '/sedo',
          {
            partnerid: 'me & co',
            signkey: SECRET,
            username: 'jo',
            password: 'p&w',
            output_method: 'xml',
            'domainlist[0]': 'example.com',
          },
        ],
        ['/dynadot', { key: SECRET, command: 'get_listing_item', domain: 'example.com', currency: 'usd' }],
        ['/fastly', { domain: 'example.com', scope: 'estimate' }],
        ['/porkbun', { query: 'example', 'tlds[]': 'com', sld_length_min: '7', sld_length_max: '7' }],
      ],
    )
    assert.equal(asked[2]!.headers['fastly-key'], SECRET)
    assert.deepEqual([asked[3]!.headers['x-api-key'], asked[3]!.headers['x-secret-api-key']], ['k', SECRET])
    assert.deepEqual(shops[1]!.pageOf(name), {
      url: 'https://www.dynadot.com/domain/search?domain=example.com',
      affiliateUrl: 'https://shop.example/example.com?aff=7',
    })
  })

  test('a marketplace that replies about another domain is not believed', async () => {
    const other = (path: string) => BODIES[path]!.replace('example.com', 'other.com')
    for (const [at, path] of ['/sedo', '/dynadot', '/fastly'].entries()) {
      answer = { status: 200, body: other(path) }
      await assert.rejects(
        ask(shops[at]!),
        (error) => error instanceof UpstreamError && error.failure === 'unavailable',
      )
    }
    // A search may find nothing but similar names.
    answer = { status: 200, body: other('/porkbun') }
    assert.equal(await ask(shops[3]!), null)
  })

  test('each failure has its own code, and no offer is invented', async () => {
    const rows: [typeof answer, UpstreamFailure][] = [
      [{ status: 401 }, 'auth_error'],
      [{ status: 403 }, 'auth_error'],
      [{ status: 500 }, 'unavailable'],
      [{ status: 302, headers: { location: 'http://10.0.0.1/' } }, 'unavailable'],
      [{ status: 200, body: '<html>portal</html>' }, 'unavailable'],
      [{ status: 200, body: '{"domain":"example.com","sta' }, 'unavailable'],
      [{ status: 200, body: ' '.repeat(20_000) }, 'unavailable'],
      ['reset', 'unavailable'],
      ['cut', 'unavailable'],
      // The last: who is told to stay away stays away.
      [{ status: 429, headers: { 'retry-after': '60' } }, 'rate_limited'],
    ]
    for (const [next, failure] of rows) {
      answer = next
      for (const shop of shops)
        await assert.rejects(
          ask(shop),
          (error) => error instanceof UpstreamError && error.failure === failure && !error.message.includes(SECRET),
          JSON.stringify(next),
        )
    }
  })
})
