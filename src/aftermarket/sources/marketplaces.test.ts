import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { createUpstream, type Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace } from '../marketplace.ts'
import { jsonMarketplace } from './json-marketplace.ts'
import { xmlMarketplace } from './xml-marketplace.ts'

const name = 'example.com' as DomainName
const XML =
  '<SEDOLIST><item><domain>example.com</domain><forsale>true</forsale><price>9</price><currency>USD</currency></item></SEDOLIST>'
const JSON_TEXT = '{"domainName":"example.com","auctionType":"BuyNow","price":9}'

suite('marketplaces over the wire', () => {
  let server: Server
  let upstream: Upstream
  let shops: Marketplace[]
  let answer: { status: number; headers?: Record<string, string>; body?: string } | 'reset' | 'cut' = { status: 500 }
  let asked: { url: string; header: string | undefined }[] = []

  before(async () => {
    server = createServer((request, response) => {
      asked.push({ url: request.url ?? '', header: request.headers['x-key'] as string | undefined })
      if (answer === 'reset') return request.socket.resetAndDestroy()
      const body = request.url?.startsWith('/xml') ? XML : JSON_TEXT
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
    const page = 'https://shop.example/{domain}'
    shops = [
      xmlMarketplace({
        upstream,
        url: `${base}/xml`,
        partnerId: 'me & co',
        signKey: 's=1',
        page,
        affiliatePage: null,
        platform: 'A',
      }),
      jsonMarketplace({
        upstream,
        url: `${base}/json/{domain}`,
        header: { name: 'x-key', value: 'k' },
        page,
        affiliatePage: `${page}?aff=7`,
        platform: 'B',
      }),
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
    const { pathname, searchParams } = new URL(asked[0]!.url, 'http://x')
    assert.equal(pathname, '/xml')
    assert.deepEqual(Object.fromEntries(searchParams), {
      partnerid: 'me & co',
      signkey: 's=1',
      output_method: 'xml',
      'domainlist[]': 'example.com',
    })
    assert.deepEqual(asked[1], { url: '/json/example.com', header: 'k' })
    assert.deepEqual(shops[1]!.pageOf(name), {
      url: 'https://shop.example/example.com',
      affiliateUrl: 'https://shop.example/example.com?aff=7',
    })
  })

  test('each failure has its own code, and no offer is invented', async () => {
    const rows: [typeof answer, UpstreamFailure][] = [
      [{ status: 401 }, 'auth_error'],
      [{ status: 403 }, 'auth_error'],
      [{ status: 500 }, 'unavailable'],
      [{ status: 302, headers: { location: 'http://10.0.0.1/' } }, 'unavailable'],
      [{ status: 200, body: '<html>portal</html>' }, 'unavailable'],
      [{ status: 200, body: JSON_TEXT.slice(0, 30) }, 'unavailable'],
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
          (error) => error instanceof UpstreamError && error.failure === failure && !error.message.includes('s=1'),
          JSON.stringify(next),
        )
    }
  })
})
