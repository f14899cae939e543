import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { createSalePages } from '../../src/app/wiring/between-capabilities.ts'
import { auctionsFile } from '../../src/app/wiring/auctions.ts'
import { loadFeeds } from '../../src/auctions/sources/feed/load-feeds.ts'
import { loadSaleFeeds } from '../../src/auctions/sources/feed/sale-presets.ts'
import { runSync } from '../../src/auctions/sources/sync-run.ts'
import { manualClock, systemClock } from '../../src/kernel/clock.ts'
import type { DomainName } from '../../src/kernel/names.ts'
import { startDoor } from '../support/door.ts'

type Listing = Record<string, unknown> & { source: string; status: string }
type Report = { error?: string; listed: boolean; listings: Listing[]; errors: { source: string; code: string }[] }

const COLUMNS = {
  fields: { id: 'id', domain: 'domain', current_price: 'price', bid_count: 'bids', ends_at: 'end', source_url: 'url' },
}

suite('GET /v1/aftermarket/{domain} without any account', () => {
  let names: Names
  let folder: string
  before(async () => {
    names = await startNames()
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-aftermarket-'))
  })
  after(async () => {
    await names.stop()
    rmSync(folder, { recursive: true })
  })

  async function serve(t: { after(run: () => Promise<void>): void }, env: Record<string, string> = {}) {
    const config = loadConfig({ ONOMA_SANDBOX: 'on', ONOMA_DATA_DIR: folder, ...names.settings, ...env })
    const capabilities = composeRoutes(config, { timeoutScale: 100 })
    const door = await startDoor(capabilities.routes)
    t.after(async () => {
      await door.stop()
      await capabilities.close()
    })
    const find = async (path: string) => {
      const { status, body } = await door.get(`/v1/aftermarket/${path}`)
      const report = body as Report
      return { status, ...report, from: (source: string) => report.listings?.find((one) => one.source === source) }
    }
    return { find, config }
  }

  test('the _for-sale record and the name servers of a marketplace are found by default', async (t) => {
    const { find } = await serve(t)
    const sold = await find('taken-forsale-shop.com')
    assert.deepEqual([sold.status, sold.listed, sold.from('dns_for_sale')?.status], [200, true, 'listed'])
    const parked = await find('taken-sedo-shop.com')
    assert.partialDeepStrictEqual(parked.from('name_servers'), {
      platform: 'Sedo',
      status: 'listed',
      saleType: 'makeOffer',
      makeOffer: true,
      url: 'https://sedo.com/search/details/?domain=taken-sedo-shop.com',
    })
    const other = await find('taken-afternic-shop.com')
    assert.equal(other.from('name_servers')?.['url'], 'https://www.afternic.com/forsale/taken-afternic-shop.com')
    assert.deepEqual(
      other.errors.map(({ source, code }) => [source, code]),
      [
        ['source_a', 'not_configured'],
        ['source_b', 'not_configured'],
      ],
    )
  })

  test('a domain that is registered nowhere, or below another one, is not listed', async (t) => {
    const { find } = await serve(t)
    for (const domain of ['free-sedo-shop.com', 'www.taken-sedo-shop.com']) {
      const { status, from } = await find(`${domain}?sources=name_servers`)
      assert.deepEqual([status, from('name_servers')?.status], [200, 'notListed'], domain)
    }
  })

  test('501 is left for a service that looks nothing up', async (t) => {
    const { find } = await serve(t, { ONOMA_AFTERMARKET_DNS: 'off' })
    const { status, error } = await find('taken-forsale-shop.com')
    assert.deepEqual([status, error], [501, 'not_configured'])
    assert.equal((await find('taken-forsale-shop.com?sources=dns_for_sale')).status, 200)
  })

  test('an auction that the service has from a feed is listed, and no other with a similar name', async (t) => {
    const feed = join(folder, 'feed.csv')
    // The index uses the system clock: these auctions must not end during the test.
    const endsAt = new Date(Math.floor(systemClock.now() / 1000) * 1000 + 86_400_000).toISOString()
    const row = (id: number, domain: string, price: number) =>
      `${id},${domain},${price},3,${endsAt},https://www.auctions.example/${id}\n`
    const similar = Array.from({ length: 300 }, (_, at) => row(at, `name${at}acme.com`, 5)).join('')
    writeFileSync(
      feed,
      `id,domain,price,bids,end,url\n${similar}${row(900, 'acme.com', 120)}${row(901, 'acme.net', 7)}`,
    )
    const env = {
      ONOMA_AUCTIONS_SOURCE_A_URL: feed,
      ONOMA_AUCTIONS_SOURCE_A_FORMAT: 'csv',
      ONOMA_AUCTIONS_SOURCE_A_COLUMNS: JSON.stringify(COLUMNS),
    }
    const { find, config } = await serve(t, env)
    const path = auctionsFile(config.dataDir)
    const before = await find('acme.com?sources=auctions')
    assert.deepEqual([before.status, before.listings, before.errors], [200, [], []])
    const order = { path, settings: loadFeeds(config.auctions)[0]!, userAgent: 'test', sandbox: true, holder: 'me' }
    await runSync(order, { clock: systemClock, signal: new AbortController().signal })
    const { from } = await find('acme.com')
    assert.partialDeepStrictEqual(from('auctions'), {
      platform: 'auctions.example',
      status: 'auction',
      saleType: 'auction',
      price: { amount: 120, currency: 'USD' },
      auctionDetails: { endsAt, bidCount: 3 },
      url: 'https://www.auctions.example/900',
    })
    assert.equal((await find('cme.com')).from('auctions')?.status, 'notListed')
  })

  test('a domain at a fixed price or open to offers is found in the lists that the service has loaded', async (t) => {
    const buyNow = join(folder, 'buy-now.csv')
    writeFileSync(buyNow, 'permalink,domain,price,extensions_taken\nhttps://www.shop.example/acme,acme.com,900.00,4\n')
    const sedo = join(folder, 'topdomains.txt')
    writeFileSync(sedo, 'acme.com~54.000 EUR~\nacme.net~Make offer~\n')
    const env = { ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL: buyNow, ONOMA_AUCTIONS_SEDO_LISTINGS_URL: sedo }
    const { find, config } = await serve(t, env)
    // Another domain: the answer is cached.
    const before = await find('early.com?sources=listings')
    assert.deepEqual([before.status, before.listings, before.errors], [200, [], []])
    for (const settings of loadSaleFeeds(config.saleFeeds)) {
      const order = { path: auctionsFile(config.dataDir), settings, userAgent: 'test', sandbox: true, holder: 'me' }
      await runSync(order, { clock: systemClock, signal: new AbortController().signal })
    }
    const { from } = await find('acme.com?sources=listings')
    assert.partialDeepStrictEqual(from('listings'), {
      platform: 'shop.example',
      status: 'listed',
      saleType: 'buyNow',
      price: { amount: 900, currency: 'USD' },
      makeOffer: false,
      auction: false,
      url: 'https://www.shop.example/acme',
    })
    const open = await find('acme.net?sources=listings')
    assert.partialDeepStrictEqual(open.from('listings'), {
      platform: 'sedo.com',
      status: 'listed',
      saleType: 'makeOffer',
      makeOffer: true,
      url: 'https://sedo.com/search/details/?domain=acme.net',
    })
    assert.equal(open.from('listings')?.['price'], undefined)
    // A list of some domains says nothing about the others.
    assert.deepEqual((await find('acme.org?sources=listings')).listings, [])
  })
})

test('a visited page is remembered for a day if it offered its domain, and forgotten once it does not', () => {
  const clock = manualClock(Date.UTC(2026, 10, 15))
  const pages = createSalePages(clock)
  const domain = 'shop.example' as DomainName
  const visit = (signals: string[]) => pages.add({ domain, url: 'https://shop.example/sale', signals })
  visit(['ad_heavy'])
  assert.equal(pages.find(domain), null)
  visit(['for_sale'])
  assert.deepEqual(pages.find(domain), { url: 'https://shop.example/sale', seenAt: '2026-11-15T00:00:00.000Z' })
  clock.advance(24 * 3_600_000)
  assert.equal(pages.find(domain), null)
  visit(['for_sale'])
  visit([])
  assert.equal(pages.find(domain), null)
})
