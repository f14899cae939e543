import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { SaleFeedId } from '../../src/auctions/auction.ts'
import { parseMoney } from '../../src/auctions/sources/feed/amounts.ts'
import { loadSaleFeeds } from '../../src/auctions/sources/feed/sale-presets.ts'
import { listingsFor } from '../../src/auctions/sources/listings.fixture.ts'
import { createSaleFinder } from '../../src/auctions/sources/sale-store.ts'
import { openDatabase } from '../../src/auctions/sources/schema.ts'
import { runSync } from '../../src/auctions/sources/sync-run.ts'
import { serve } from '../../src/kernel/upstream/loopback.fixture.ts'
import { fixture } from './preset-feeds.fixture.ts'

/** An index, and syncs of feeds of sale listings into it. */
function salesFor(t: TestContext) {
  const { folder, path, clock, search, runs } = listingsFor(t)
  const sync = (feed: SaleFeedId, url: string) =>
    runSync(
      { path, settings: loadSaleFeeds([{ feed, url }])[0]!, userAgent: 'onoma-test', sandbox: true, holder: 'me' },
      { clock, signal: new AbortController().signal },
    )
  let version = 0
  return {
    sync,
    clock,
    search,
    runs,
    deliver(feed: SaleFeedId, text: string | Uint8Array) {
      const file = join(folder, `feed-${version++}`)
      writeFileSync(file, text)
      return sync(feed, file)
    },
    find(domain: string) {
      const database = openDatabase(path)
      try {
        return createSaleFinder(database)(domain)
      } finally {
        database.close()
      }
    },
  }
}

const csvOf = (domains: readonly string[], price = '10'): string =>
  `permalink,domain,price,extensions_taken\n${domains.map((domain) => `,${domain},${price},1\n`).join('')}`
const someDomains = (count: number): string[] => Array.from({ length: count }, (_, at) => `name-${at}.com`)

suite('the feed of listings', () => {
  test('namecheap-buynow has prices in dollars and the link of each domain', async (t) => {
    const { deliver, find, search, clock } = salesFor(t)
    const report = await deliver('namecheap-buynow', fixture('namecheap-buynow.csv'))
    assert.deepEqual([report.outcome, report.added, report.refused, report.missingColumns], ['complete', 3, 0, []])
    const seenAt = Math.floor(clock.now() / 1000)
    const common = { source: 'namecheap-buynow', currency: 'USD', seenAt }
    assert.deepEqual(find('quietriver.io'), [
      {
        ...common,
        domain: 'quietriver.io',
        price: 1450,
        url: 'https://www.namecheap.com/market/buynow/quietriver.io/',
      },
    ])
    assert.deepEqual(
      find('northlantern.com').map(({ url, price }) => [url, price]),
      [['https://www.namecheap.com/market/buynow/northlantern.com/', 25_000]],
    )
    assert.deepEqual(find('other.com'), [])
    // They have no end, so they are no auctions.
    assert.equal(search().total, 0)
  })

  test('sedo-listings has thousands dots, three currencies and sellers that wait for offers', async (t) => {
    const { deliver, find, search } = salesFor(t)
    const report = await deliver('sedo-listings', fixture('sedo-listings.txt'))
    assert.deepEqual([report.outcome, report.added, report.refused], ['complete', 5, 0], JSON.stringify(report))
    const found = (domain: string) => find(domain).map(({ price, currency }) => [price, currency])[0]
    assert.deepEqual(found('quietriver.io'), [54_000, 'EUR'])
    assert.deepEqual(found('amberfield.de'), [1250, 'USD'])
    assert.deepEqual(found('northlantern.co.uk'), [900, 'GBP'])
    assert.deepEqual(found('xn--mhlenteich-9db.de'), [null, 'EUR'])
    assert.deepEqual(found('lampenhaus.com'), [1_200_000, 'EUR'])
    assert.equal(find('quietriver.io')[0]!.url, 'https://sedo.com/search/details/?domain=quietriver.io')
    assert.equal(search().total, 0)
  })

  test('is not sent again if it has not changed, and its listings count as seen then', async (t) => {
    const { sync, find, clock } = salesFor(t)
    const statuses: number[] = []
    const port = await serve(t, ({ headers }, response) => {
      statuses.push(headers['if-none-match'] === '"1"' ? 304 : 200)
      response.writeHead(statuses.at(-1)!, { etag: '"1"' })
      response.end(statuses.at(-1) === 200 ? csvOf(['acme.com']) : '')
    })
    const url = `http://127.0.0.1:${port}/feed.csv`
    assert.equal((await sync('namecheap-buynow', url)).outcome, 'complete')
    const [before] = find('acme.com')
    clock.advance(3_600_000)
    assert.equal((await sync('namecheap-buynow', url)).outcome, 'unchanged')
    assert.deepEqual(statuses, [200, 304])
    assert.equal(find('acme.com')[0]!.seenAt, before!.seenAt + 3600)
  })

  test('replaces prices, removes what is gone, and keeps all if too much is gone', async (t) => {
    const { deliver, find } = salesFor(t)
    await deliver('namecheap-buynow', csvOf(['acme.com', 'gone.com']))
    await deliver('sedo-listings', 'gone.com~1.500 EUR~\n')
    const { changed, removed } = await deliver('namecheap-buynow', csvOf(['acme.com'], '12.50'))
    assert.deepEqual([changed, removed], [1, 1])
    assert.equal(find('acme.com')[0]!.price, 12.5)
    // The other feed still has it.
    assert.deepEqual(
      find('gone.com').map(({ source }) => source),
      ['sedo-listings'],
    )
    await deliver('namecheap-buynow', csvOf(someDomains(1000)))
    const cut = await deliver('namecheap-buynow', csvOf(someDomains(100)))
    assert.deepEqual([cut.outcome, cut.removed, cut.kept], ['complete', 0, 900])
    assert.equal(find('name-999.com').length, 1)
  })

  test('skips records that it cannot read, and reports them with an example', async (t) => {
    const { deliver, find, runs } = salesFor(t)
    const good = someDomains(40).map((domain) => `${domain}~100 EUR~\n`)
    const bad = ['not a name~5 EUR~\n', 'acme.com~call us~\n', 'name-1.com~7 EUR~\n']
    const report = await deliver('sedo-listings', [...good, ...bad].join(''))
    assert.deepEqual([report.outcome, report.added, report.refused], ['complete', 40, 3])
    assert.deepEqual(report.examples, {
      'the domain is not valid': ['"not a name"'],
      'the price is not a valid amount': ['acme.com: "call us"'],
      'duplicate id': ['"name-1.com"'],
    })
    assert.equal(find('name-1.com')[0]!.price, 100)
    assert.deepEqual(runs(), [{ outcome: 'complete', rows: 43, refused: 3, reason: '' }])
  })

  const broken: [string, string, RegExp][] = [
    ['a renamed column', 'permalink,domain,amount\n,acme.com,5\n', /The CSV has no column "price"/],
    ['a web page', '<!doctype html><p>Log in', /a web page instead of data/],
    ['nothing', '', /The feed contains no listings/],
    [
      'other data',
      csvOf(someDomains(30), 'soon'),
      /30 of 30 records are not valid listings, mostly because the price is not/,
    ],
  ]
  for (const [what, text, problem] of broken)
    test(`fails for ${what}, and keeps what it had`, async (t) => {
      const { deliver, find } = salesFor(t)
      await deliver('namecheap-buynow', csvOf(['kept.com']))
      const report = await deliver('namecheap-buynow', text)
      assert.equal(report.outcome, 'failed')
      assert.match(report.problem!, problem)
      assert.equal(find('kept.com').length, 1)
    })
})

test('amounts of feeds that use both separators: three digits behind one are thousands', () => {
  const amounts: [string, number | undefined][] = [
    ['54.000', 54_000],
    ['54,000', 54_000],
    ['1.234.567', 1_234_567],
    ['1.234,56', 1234.56],
    ['1,234.5', 1234.5],
    ['54.00', 54],
    ['1234', 1234],
    ['1.234.56', undefined],
    ['1.23.456', undefined],
    ['0.500', undefined],
    ['1234.567', undefined],
  ]
  for (const [text, expected] of amounts) assert.equal(parseMoney(`${text} EUR`, 'any')?.amount, expected, text)
})
