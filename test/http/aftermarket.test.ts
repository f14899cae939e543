import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { SourceId } from '../../src/aftermarket/contract.ts'
import type { Marketplace, Offer } from '../../src/aftermarket/marketplace.ts'
import { aftermarketRoutes } from '../../src/aftermarket/routes.ts'
import { createAftermarket } from '../../src/aftermarket/service.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/kernel/errors.ts'
import { type Reply, startDoor } from '../support/door.ts'

type Says = Offer | null | undefined | UpstreamFailure | UpstreamError | 'silent'
type Report = {
  listed: boolean
  summary: Record<string, unknown>
  listings: Record<string, unknown>[]
  errors: Record<string, unknown>[]
  meta: { cacheHit: boolean; cacheTTL: number; affiliateDisclosure: string }
}

const buy = (dollars: number, currency = 'USD'): Offer => ({
  sale: 'buyNow',
  price: { micros: BigInt(dollars) * 1_000_000n, currency },
  makeOffer: false,
  auction: null,
  url: null,
})

async function start(t: TestContext, shops: Partial<Record<SourceId, Says>>) {
  const clock = manualClock()
  const asked: string[] = []
  const marketplaces = Object.entries(shops).map(([id, says]): Marketplace => ({
    id: id as SourceId,
    platform: id.toUpperCase(),
    pageOf: (domain) => ({
      url: `https://${id}.example/${domain}`,
      affiliateUrl: `https://${id}.example/${domain}?me`,
    }),
    find(domain, signal) {
      asked.push(`${id} ${domain}`)
      if (says === 'silent')
        return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
      if (says instanceof UpstreamError) return Promise.reject(says)
      return typeof says === 'string'
        ? Promise.reject(new UpstreamError(says, 'secret.host said no'))
        : Promise.resolve(says)
    },
  }))
  const aftermarket = createAftermarket({ marketplaces, asked: ['source_a', 'source_b'], clock })
  const door = await startDoor(aftermarketRoutes(aftermarket))
  t.after(() => door.stop())
  const find = async (path = 'example.com') => {
    const reply = await door.get(`/v1/aftermarket/${path}`)
    return { ...reply, body: reply.body as Report & { error?: string; message?: string } }
  }
  return { find, asked, clock, door }
}
const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]

describe('GET /v1/aftermarket/{domain}', () => {
  test('merges the replies of all marketplaces into one response', async (t) => {
    const { find } = await start(t, { source_a: buy(2500, 'EUR'), source_b: null })
    const { status, body } = await find('EXAMPLE.com.')
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      domain: 'example.com',
      listed: true,
      summary: {
        totalSources: 2,
        sourcesChecked: 2,
        sourcesWithData: 2,
        listedCount: 1,
        lowestPrice: { amount: 2700, currency: 'USD', source: 'source_a', saleType: 'buyNow' },
        hasAuction: false,
        hasMakeOffer: false,
        hasBackorder: false,
      },
      listings: [
        {
          source: 'source_a',
          platform: 'SOURCE_A',
          status: 'listed',
          saleType: 'buyNow',
          price: { amount: 2700, currency: 'USD' },
          url: 'https://source_a.example/example.com',
          affiliateUrl: 'https://source_a.example/example.com?me',
        },
        { source: 'source_b', status: 'notListed', makeOffer: false, auction: false },
      ],
      errors: [],
      meta: { cacheHit: false, cacheTTL: 900 },
    })
    assert.match(body.meta.affiliateDisclosure, /commission/)
  })

  test('a failing marketplace does not affect the other, and its error has a code', async (t) => {
    const rows: [UpstreamFailure, boolean][] = [
      ['timeout', true],
      ['rate_limited', true],
      ['unavailable', true],
      ['auth_error', false],
      ['not_configured', false],
    ]
    for (const [failure, retryable] of rows) {
      const { find } = await start(t, { source_a: failure, source_b: buy(5) })
      const { status, body, text } = await find()
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(body.errors, [{ source: 'source_a', code: failure, retryable }])
      assert.equal(body.listings.length, 1)
      assert.ok(!text.includes('secret.host'))
    }
  })

  test('501 if no requested source is configured, with the complete body', async (t) => {
    const { find } = await start(t, { dns_for_sale: null })
    const { status, body } = await find()
    assert.equal(status, 501)
    assert.equal(body.error, 'not_configured')
    assert.equal(typeof body.message, 'string')
    assert.deepEqual(
      body.errors.map(({ source, code, retryable }) => [source, code, retryable]),
      [
        ['source_a', 'not_configured', false],
        ['source_b', 'not_configured', false],
      ],
    )
    assert.deepEqual(body.listings, [])
  })

  test('503 with all errors if every source failed, unless all are not_configured', async (t) => {
    const words: readonly UpstreamFailure[] = ['timeout', 'rate_limited', 'unavailable', 'auth_error', 'not_configured']
    for (const a of words) {
      for (const b of words) {
        if (a === 'not_configured' && b === 'not_configured') continue
        const { find } = await start(t, { source_a: a, source_b: b })
        const reply = await find()
        assert.deepEqual(refusal(reply), [503, 'service_unavailable'], `${a} ${b}`)
        assert.deepEqual(
          reply.body.errors.map(({ source, code, retryable }) => [source, code, retryable]),
          [
            ['source_a', a, a !== 'auth_error' && a !== 'not_configured'],
            ['source_b', b, b !== 'auth_error' && b !== 'not_configured'],
          ],
        )
        const canHelp = [a, b].some((word) => word !== 'auth_error' && word !== 'not_configured')
        assert.equal(/try again/i.test(reply.body.message!), canHelp, `${a} ${b}`)
        assert.equal(reply.headers.get('retry-after'), null)
      }
    }
  })

  test('503 carries the earliest Retry-After of the sources, but not before the cached failure expires', async (t) => {
    const limited = (seconds: number) => new UpstreamError('rate_limited', '', { retryAfterMs: seconds * 1000 })
    const { find, clock } = await start(t, { source_a: limited(90), source_b: limited(120) })
    assert.equal((await find()).headers.get('retry-after'), '90')
    clock.advance(20_000)
    assert.equal((await find()).headers.get('retry-after'), '70')
    const soon = await start(t, { source_a: 'auth_error', source_b: limited(2) })
    assert.equal((await soon.find()).headers.get('retry-after'), '30')
  })

  test('a source that has nothing to say is left out, and does not hide that the others are not configured', async (t) => {
    const { find } = await start(t, { source_a: null, page: undefined })
    const both = await find('example.com?sources=source_a,page')
    assert.deepEqual([both.status, both.body.listings.map(({ source }) => source)], [200, ['source_a']])
    const alone = await find('example.com?sources=page')
    assert.deepEqual([alone.status, alone.body.listed, alone.body.listings], [200, false, []])
    const none = await find('example.com?sources=source_b,page')
    assert.deepEqual([none.status, none.body.error], [501, 'not_configured'])
  })

  test('an offer at another marketplace has its name, and the time when it was seen', async (t) => {
    const seenAt = '2026-11-14T08:00:00.000Z'
    const offer: Offer = { ...buy(5), sale: 'makeOffer', price: null, makeOffer: true, platform: 'Sedo', seenAt }
    const { find } = await start(t, { name_servers: { ...offer, url: 'https://sedo.com/x' } })
    const { body } = await find('example.com?sources=name_servers')
    assert.partialDeepStrictEqual(body.listings, [
      { source: 'name_servers', platform: 'Sedo', status: 'listed', saleType: 'makeOffer', lastChecked: seenAt },
    ])
    assert.deepEqual([body.listings[0]!['url'], body.listings[0]!['affiliateUrl']], Array(2).fill('https://sedo.com/x'))
  })

  test('a source that is not asked by default is queried on request', async (t) => {
    const { find, asked } = await start(t, { source_a: null, source_b: null, dns_for_sale: buy(750) })
    assert.equal((await find()).body.listed, false)
    const { body } = await find('example.com?sources=dns_for_sale')
    assert.deepEqual([body.listed, body.summary['totalSources']], [true, 3])
    assert.deepEqual(asked, ['source_a example.com', 'source_b example.com', 'dns_for_sale example.com'])
  })

  test('listings are cached for their TTL, by domain and sources in any order', async (t) => {
    const { find, asked, clock } = await start(t, { source_a: null, source_b: buy(5) })
    await find()
    const again = await find('example.com?sources=source_b,source_a&currency=eur')
    assert.deepEqual([again.body.meta.cacheHit, asked.length], [true, 2])
    assert.deepEqual(again.body.listings[1]!['price'], { amount: 4.63, currency: 'EUR' })
    clock.advance(600_000)
    assert.deepEqual((await find()).body.meta.cacheTTL, 300)
    clock.advance(300_000)
    assert.deepEqual([(await find()).body.meta.cacheHit, asked.length], [false, 4])
    await find('example.com?sources=source_b')
    assert.equal(asked.length, 5)
  })

  test('a timeout by a short deadline is not cached for others', async (t) => {
    const { find } = await start(t, { source_a: 'silent', source_b: null })
    const hasty = await find('example.com?timeout=1')
    assert.deepEqual([hasty.status, hasty.body.errors[0]!['code']], [200, 'timeout'])
    assert.equal((await find('example.com?timeout=2')).body.meta.cacheHit, false)
  })

  test('concurrent requests for one domain share one lookup', async (t) => {
    const { find, asked } = await start(t, { source_a: null, source_b: null })
    await Promise.all([find(), find(), find()])
    assert.equal(asked.length, 2)
  })

  test('invalid requests are refused before any source is queried', async (t) => {
    const { find, asked, door } = await start(t, { source_a: null })
    const rows: [string, string][] = [
      ['example', 'invalid_domain'],
      ['-x.com', 'invalid_domain'],
      ['a.b2', 'invalid_domain'],
      ['example.com?sources=source_z', 'invalid_parameter'],
      ['example.com?sources=,', 'invalid_parameter'],
      ['example.com?timeout=0', 'invalid_parameter'],
      ['example.com?timeout=1.5', 'invalid_parameter'],
      ['example.com?timeout=soon', 'invalid_parameter'],
      ['example.com?currency=GBP', 'invalid_parameter'],
    ]
    for (const [path, code] of rows) assert.deepEqual(refusal(await find(path)), [400, code], path)
    assert.deepEqual(refusal(await door.get('/v1/aftermarket/example.com', { method: 'POST' })), [
      405,
      'method_not_allowed',
    ])
    assert.deepEqual(asked, [])
    assert.equal((await find('example.com?timeout=99999999')).status, 200)
  })
})
