import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { SourceId } from '../../src/auctions/auction.ts'
import { auctionRoutes } from '../../src/auctions/routes.ts'
import { createAuctions } from '../../src/auctions/service.ts'
import type { ListingIndex } from '../../src/auctions/listing-index.ts'
import { feedMapSchema } from '../../src/auctions/sources/feed/feed-map.ts'
import { presetMap } from '../../src/auctions/sources/feed/presets.ts'
import { openListingIndex } from '../../src/auctions/sources/sqlite-index.ts'
import { runSync } from '../../src/auctions/sources/sync-run.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { type Reply, startDoor } from '../support/door.ts'

const NOW = Date.UTC(2026, 10, 15)
const HOUR_MS = 3_600_000
const iso = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString()

type Listed = { domain: string; price_usd: number; quality_score: number; bid_count: number; [field: string]: unknown }
type AuctionPage = {
  auctions: Listed[]
  meta: { total: number; limit: number; offset: number; sources: Record<string, { last_sync?: string; count: number }> }
}
const errorOf = ({ status, body }: Reply) => [status, (body as { error: string }).error]
const domainsIn = ({ body }: Reply) => (body as AuctionPage).auctions.map(({ domain }) => domain)
const metaIn = ({ body }: Reply) => (body as AuctionPage).meta

const MAP = feedMapSchema.parse({
  fields: {
    id: 'id',
    domain: 'domain',
    source_url: 'url',
    current_price: 'price',
    bid_count: 'bids',
    started_at: 'start',
    ends_at: 'end',
    appraisal_a_value: 'worth',
    metric_a_dr: 'dr',
  },
})
/** id, domain, url, price, bids, start, end, worth, dr */
const ROWS = [
  ['1', 'cloud-shop.com', 'https://shop.example/1', 50, 4, iso(-90), iso(2), 20_000, 90],
  ['2', 'mycloud.io', '', 5, 0, iso(-10), iso(30), '', ''],
  ['3', 'zebra.com', 'javascript:alert(1)', 900, 1, iso(-50), iso(100), 300, 20],
  ['4', 'ended.com', '', 1, 9, iso(-50), iso(-1), 20_000, 90],
  ['5', 'cheap.net', '', 1, 0, '', iso(200), '', 5],
]

async function startAuctions(sources: readonly SourceId[] = ['source_a', 'source_b']) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  const path = join(folder, 'auctions.sqlite')
  const clock = manualClock(NOW)
  const index = openListingIndex(path)
  const door = await startDoor(auctionRoutes(createAuctions({ index, sources, clock })))
  return {
    clock,
    get: door.get,
    async deliver(text: string, source: SourceId = 'source_a', map = MAP) {
      const file = join(folder, `${source}.csv`)
      writeFileSync(file, text)
      const settings = { source, location: file, map, header: null, intervalMs: HOUR_MS }
      const order = { path, settings, userAgent: 'onoma-test', sandbox: true, holder: 'me' }
      return runSync(order, { clock, signal: new AbortController().signal })
    },
    async end() {
      await door.stop()
      await index.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('auctions', () => {
  let place: Awaited<ReturnType<typeof startAuctions>>
  const get = (query: string) => place.get(`/v1/auctions${query}`)
  before(async () => {
    place = await startAuctions()
    await place.deliver(`id,domain,url,price,bids,start,end,worth,dr\n${ROWS.map((row) => row.join(',')).join('\n')}`)
    const seconds = (hours: number) => NOW / 1000 + hours * 3600
    await place.deliver(`haus.de;${seconds(-5)};${seconds(60)};100;EUR;;\n`, 'source_b', presetMap('sedo'))
  })
  after(() => place.end())

  test('are those that have not ended, soonest first, in the format of the contract', async () => {
    const reply = await get('')
    assert.deepEqual(domainsIn(reply), ['cloud-shop.com', 'mycloud.io', 'haus.de', 'zebra.com', 'cheap.net'])
    const synced = new Date(NOW).toISOString()
    assert.deepEqual(metaIn(reply), {
      total: 5,
      limit: 50,
      offset: 0,
      sources: { source_a: { last_sync: synced, count: 4 }, source_b: { last_sync: synced, count: 1 } },
    })
    const [listings, cloud, haus, zebra] = (reply.body as AuctionPage).auctions
    assert.deepEqual(listings, {
      domain: 'cloud-shop.com',
      tld: 'com',
      source: 'source_a',
      source_url: 'https://shop.example/1',
      current_price: 50,
      currency: 'USD',
      price_usd: 50,
      bid_count: 4,
      started_at: iso(-90),
      ends_at: iso(2),
      quality_score: listings!.quality_score,
      metrics: { metric_a_dr: 90, appraisal_a_value: 20_000 },
      updated_at: synced,
    })
    assert.deepEqual(['source_url' in cloud!, 'metrics' in cloud!, 'start_price' in cloud!], [false, false, false])
    assert.deepEqual([haus!.current_price, haus!.currency, haus!.price_usd], [100, 'EUR', 108])
    assert.equal('source_url' in zebra!, false, 'a script is no link')
  })

  const filters: [string, string[]][] = [
    ['?q=cloud', ['cloud-shop.com', 'mycloud.io']],
    ['?keyword=CLOUD', ['cloud-shop.com', 'mycloud.io']],
    ['?q=zebra&keyword=cloud', ['zebra.com']],
    ['?q=c', ['cloud-shop.com', 'mycloud.io', 'zebra.com', 'cheap.net']],
    ['?q=O', ['cloud-shop.com', 'mycloud.io', 'zebra.com']],
    ['?q=ou', ['cloud-shop.com', 'mycloud.io']],
    ['?q=p.', ['cloud-shop.com', 'cheap.net']],
    ['?q=-', ['cloud-shop.com']],
    ['?q=q', []],
    ['?q=.', ['cloud-shop.com', 'mycloud.io', 'haus.de', 'zebra.com', 'cheap.net']],
    ['?q=cloud-shop.com', ['cloud-shop.com']],
    ['?q=CHEAP.net&tld=net', ['cheap.net']],
    ['?q=c&tld=io', ['mycloud.io']],
    ['?q=', ['cloud-shop.com', 'mycloud.io', 'haus.de', 'zebra.com', 'cheap.net']],
    [`?q=${'x'.repeat(253)}`, []],
    ['?q=%27', []],
    ['?q=%22', []],
    ['?q=%25', []],
    ['?q=_', []],
    ['?q=*', []],
    ['?q=%C3%BC', []],
    ['?q=%E2%84%AA', []],
    ['?q=cloud.io', ['mycloud.io']],
    ['?q=%25%25%25', []],
    ['?q=c_o', []],
    ['?q=com', ['cloud-shop.com', 'zebra.com']],
    ['?tld=com', ['cloud-shop.com', 'zebra.com']],
    ['?tld=.IO', ['mycloud.io']],
    ['?tld=museum', []],
    ['?source=source_b', ['haus.de']],
    ['?source=source_c', []],
    ['?min_price=50', ['cloud-shop.com', 'haus.de', 'zebra.com']],
    ['?max_price=50', ['cloud-shop.com', 'mycloud.io', 'cheap.net']],
    ['?min_price=107.99&max_price=108', ['haus.de']],
    ['?min_price=10&max_price=1', []],
    ['?min_bids=1', ['cloud-shop.com', 'zebra.com']],
    ['?ending_within=1h', []],
    ['?ending_within=6h', ['cloud-shop.com']],
    ['?ending_within=24h', ['cloud-shop.com']],
    ['?ending_within=3d', ['cloud-shop.com', 'mycloud.io', 'haus.de']],
    ['?ending_within=7d', ['cloud-shop.com', 'mycloud.io', 'haus.de', 'zebra.com']],
    ['?quality_min=60', ['cloud-shop.com']],
    ['?hot=true', ['cloud-shop.com']],
    ['?hot=true&quality_min=20', ['cloud-shop.com', 'zebra.com']],
    ['?hot=true&quality_min=0&min_bids=0&sort=price_asc&limit=2', ['cheap.net', 'mycloud.io']],
    ['?sort=ending_soon&limit=1', ['cloud-shop.com']],
    ['?sort=most_bids&limit=2', ['cloud-shop.com', 'zebra.com']],
    ['?sort=price_asc', ['cheap.net', 'mycloud.io', 'cloud-shop.com', 'haus.de', 'zebra.com']],
    ['?sort=price_desc', ['zebra.com', 'haus.de', 'cloud-shop.com', 'mycloud.io', 'cheap.net']],
    ['?sort=quality&limit=1', ['cloud-shop.com']],
    ['?sort=newest', ['cheap.net', 'haus.de', 'mycloud.io', 'zebra.com', 'cloud-shop.com']],
    ['?sort=price&limit=1', ['cheap.net']],
    ['?sort=price&order=desc&limit=1', ['zebra.com']],
    ['?sort=end_time&limit=1', ['cloud-shop.com']],
    ['?sort=end_time&order=desc&limit=1', ['cheap.net']],
    ['?sort=bids&limit=1', ['cloud-shop.com']],
    ['?sort=quality_score&limit=1', ['cloud-shop.com']],
    ['?sort=quality_score&order=asc&limit=1', ['mycloud.io']],
    ['?sort=bids&order=asc&limit=3', ['mycloud.io', 'cheap.net', 'haus.de']],
    ['?offset=4', ['cheap.net']],
    ['?offset=999999', []],
  ]
  for (const [query, expected] of filters) {
    test(`${query} are ${expected.join(', ') || 'none'}`, async () => {
      const reply = await get(query)
      assert.equal(reply.status, 200)
      assert.deepEqual(domainsIn(reply), expected)
      if (!/limit|offset/.test(query)) assert.equal(metaIn(reply).total, expected.length)
    })
  }

  test('are at most 200 per page, and meta has the effective limit', async () => {
    assert.equal(metaIn(await get('?limit=5000')).limit, 200)
    const { total, limit, offset } = metaIn(await get('?limit=2&offset=1'))
    assert.deepEqual([total, limit, offset], [5, 2, 1])
  })

  for (const query of [
    'sort=cheapest',
    'ending_within=2h',
    'source=source_d',
    'quality_min=101',
    'quality_min=-1',
    'quality_min=5.5',
    'quality_min=high',
    'order=up',
    'limit=0',
    'offset=-1',
    'min_price=free',
    'min_bids=-2',
    'hot=perhaps',
    'tld=a%20b',
    `q=${'x'.repeat(254)}`,
    'q=a%00b',
  ]) {
    test(`?${query} is rejected`, async () => {
      assert.deepEqual(errorOf(await get(`?${query}`)), [400, 'invalid_parameter'])
    })
  }

  test('other methods are rejected', async () => {
    assert.deepEqual(errorOf(await place.get('/v1/auctions', { method: 'POST' })), [405, 'method_not_allowed'])
  })

  test('paging over equal rows neither repeats nor loses one', async (t) => {
    const many = await startAuctions(['source_a'])
    t.after(many.end)
    const lines = Array.from({ length: 450 }, (_, id) => `${id},equal-${id}.com,,5,0,,${iso(10)},,`)
    await many.deliver(`id,domain,url,price,bids,start,end,worth,dr\n${lines.join('\n')}`)
    for (const sort of ['ending_soon', 'most_bids', 'price_desc', 'quality', 'newest']) {
      const found: string[] = []
      for (let offset = 0; offset < 450; offset += 100) {
        found.push(...domainsIn(await many.get(`/v1/auctions?sort=${sort}&limit=100&offset=${offset}`)))
      }
      assert.deepEqual(new Set(found).size, 450, sort)
      assert.equal(found.length, 450, sort)
    }
  })

  test('are hidden from the second they end', async (t) => {
    const short = await startAuctions(['source_a'])
    t.after(short.end)
    await short.deliver(`id,domain,url,price,bids,start,end,worth,dr\n1,brief.com,,5,0,,${iso(1)},,\n`)
    short.clock.advance(HOUR_MS - 1)
    assert.equal(metaIn(await short.get('/v1/auctions')).total, 1)
    short.clock.advance(1)
    const reply = await short.get('/v1/auctions')
    assert.deepEqual([metaIn(reply).total, metaIn(reply).sources['source_a']!.count], [0, 0])
  })
})

describe('auctions are 503', () => {
  test('if no source is configured or nothing is loaded yet', async (t) => {
    const none = await startAuctions([])
    t.after(none.end)
    assert.deepEqual(errorOf(await none.get('/v1/auctions')), [503, 'service_unavailable'])
    const early = await startAuctions(['source_a'])
    t.after(early.end)
    assert.deepEqual(errorOf(await early.get('/v1/auctions')), [503, 'service_unavailable'])
    assert.deepEqual(errorOf(await early.get('/v1/auctions?sort=cheapest')), [400, 'invalid_parameter'])
  })

  const failing = (error: Error): ListingIndex => ({
    async search() {
      throw error
    },
    async close() {},
  })
  test('with Retry-After if the queue is full; a failed search is 500 and reveals nothing', async (t) => {
    const clock = manualClock(NOW)
    const doors = await Promise.all(
      [
        failing(new UpstreamError('unavailable', 'The search queue is full.', { retryAfterMs: 1000 })),
        failing(new UpstreamError('unavailable', 'secret path')),
        null,
      ].map((index) => startDoor(auctionRoutes(createAuctions({ index, sources: ['source_a'], clock })))),
    )
    t.after(() => Promise.all(doors.map((door) => door.stop())))
    const [busy, broken, closed] = await Promise.all(doors.map((door) => door.get('/v1/auctions')))
    assert.deepEqual(errorOf(busy!), [503, 'service_unavailable'])
    assert.equal(busy!.headers.get('retry-after'), '1')
    assert.deepEqual(errorOf(broken!), [500, 'internal_error'])
    assert.ok(!broken!.text.includes('secret'))
    assert.deepEqual(errorOf(closed!), [503, 'service_unavailable'])
  })
})
