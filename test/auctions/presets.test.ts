import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { loadFeeds } from '../../src/auctions/sources/feed/load-feeds.ts'
import { listingsFor } from '../../src/auctions/sources/listings.fixture.ts'
import { runSync } from '../../src/auctions/sources/sync-run.ts'
import { buildZip } from '../../src/kernel/zip/zip.fixture.ts'
import { choice, fixture, serveBodies, syncFile, syncPreset } from './preset-feeds.fixture.ts'

suite('the preset', () => {
  test('namecheap reads all metrics of the market sales', async (t) => {
    const { report, auctions } = await syncFile(t, 'namecheap', fixture('namecheap.csv'))
    assert.deepEqual(
      [report.outcome, report.refused, report.missingColumns],
      ['complete', 0, []],
      JSON.stringify(report),
    )
    const [first, second] = auctions
    assert.deepEqual(
      [first!.externalId, first!.domain, first!.price, first!.bids],
      ['aBcDeF123', 'quietriver.cc', 2.5, 1],
    )
    assert.deepEqual(first!.metrics, {
      metric_a_dr: 7,
      metric_a_backlinks: 16,
      metric_b_score: 3,
      metric_b_backlinks: 31,
      metric_c_cf: 14,
      metric_c_tf: 11,
      metric_c_backlinks: 75,
      keyword_search_volume: 241_000,
      extensions_taken: 340,
      appraisal_a_value: 140,
      appraisal_b_value: 1116,
      last_sold_price: 1200,
      last_sold_year: 2019,
      renewal_price: 13.98,
      registered_date: '2015-01-15',
    })
    assert.deepEqual(second!.metrics, { renewal_price: 33.98 })
  })

  test('sedo reads Latin-1, all three currencies and the bids, which an entity must not move', async (t) => {
    const { report, auctions } = await syncFile(t, 'sedo', fixture('sedo.txt'))
    assert.deepEqual([report.outcome, report.refused], ['complete', 0], JSON.stringify(report))
    assert.deepEqual(
      auctions.map(({ domain, price, currency, priceUsdCents, bids }) => [
        domain,
        price,
        currency,
        priceUsdCents,
        bids,
      ]),
      [
        ['amberfield.de', 199, 'EUR', 21_492, 0],
        ['northlantern.co.uk', 100, 'GBP', 12_700, 3],
        ['quietriver.com', 30, 'USD', 3000, 2],
        ['xn--mhlenteich-9db.de', 45, 'EUR', 4860, 1],
      ],
    )
    assert.equal(auctions[0]!.url, 'https://sedo.com/search/details/?domain=amberfield.de')
    assert.deepEqual([auctions[0]!.startedAt, auctions[0]!.endsAt], [1_794_400_000, 1_795_000_000])
  })

  test('godaddy reads the zip: the id is the number at the end of the link, and BuyNow has no bids', async (t) => {
    const zip = buildZip([{ name: 'all_biddable_auctions.json', data: fixture('godaddy.json') }])
    const { report, auctions } = await syncFile(t, 'godaddy', zip)
    assert.deepEqual([report.outcome, report.refused], ['complete', 0], JSON.stringify(report))
    assert.deepEqual(
      auctions.map(({ externalId, domain, price, bids }) => [externalId, domain, price, bids]),
      [
        ['710693000', 'quietriver.org', 1324, 4],
        ['710693001', 'amberfield.net', 11, 0],
      ],
    )
    assert.deepEqual(auctions[0]!.metrics, {
      metric_b_score: 10,
      metric_b_backlinks: 31,
      metric_c_cf: 14,
      metric_c_tf: 12,
      metric_c_backlinks: 75,
      keyword_search_volume: 720,
      extensions_taken: 12,
      domain_age_years: 9,
      appraisal_b_value: 2400,
    })
  })

  test('dynadot asks for page after page at its pace, until one is short', async (t) => {
    const { base, requests } = await serveBodies(t, [fixture('dynadot-page-1.json'), fixture('dynadot-page-2.json')])
    const url = `${base}/api3.json?key=invented-key&count_per_page=2`
    const { report, auctions, waits } = await syncPreset(t, 'dynadot', url)
    assert.deepEqual([report.outcome, report.refused], ['complete', 0], JSON.stringify(report))
    assert.deepEqual(
      requests.map(({ url }) => Object.fromEntries(new URL(url!, base).searchParams)),
      ['1', '2'].map((page_index) => ({
        key: 'invented-key',
        command: 'get_open_auctions',
        type: 'expired',
        currency: 'usd',
        count_per_page: '2',
        page_index,
      })),
    )
    assert.deepEqual(waits, [1100])
    assert.deepEqual(
      auctions.map(({ externalId, domain, price, bids, metrics }) => [externalId, domain, price, bids, metrics]),
      [
        [
          '7',
          'quietriver.ai',
          57.99,
          4,
          { inbound_links: 35, domain_age_years: 2, appraisal_a_value: 388, renewal_price: 10.99 },
        ],
        ['8', 'amberfield.io', 1057, 0, {}],
        [
          '9',
          'northlantern.com',
          12,
          0,
          { inbound_links: 35, domain_age_years: 2, appraisal_a_value: 388, renewal_price: 10.99 },
        ],
      ],
    )
  })

  test('dynadot waits and asks again after an error in a 200, and tells it without the key', async (t) => {
    const ok = await serveBodies(t, [fixture('dynadot-error.json'), fixture('dynadot-page-1.json')])
    const first = await syncPreset(t, 'dynadot', `${ok.base}/api3.json?key=invented-key`)
    assert.deepEqual([first.report.outcome, first.waits], ['complete', [60_000]])
    const denied = Buffer.from(
      '{"Response":{"ResponseCode":"-1","Error":"the key invented-key is \\u001b[31mnot valid"}}',
    )
    const { base, requests } = await serveBodies(t, [denied])
    const { report } = await syncPreset(t, 'dynadot', `${base}/api3.json?key=invented-key`)
    assert.deepEqual([report.outcome, report.retryable, requests.length], ['failed', false, 1])
    assert.equal(report.problem, 'The feed of source_a answered with an error: "the key *** is \uFFFD[31mnot valid".')
  })

  test('dynadot-csv reads columns with blanks and the timestamp instead of the wrong zone', async (t) => {
    const { report, auctions } = await syncFile(t, 'dynadot-csv', fixture('dynadot.csv'))
    assert.deepEqual(
      [report.outcome, report.refused, report.missingColumns],
      ['complete', 0, []],
      JSON.stringify(report),
    )
    assert.deepEqual(
      auctions.map(({ domain, price, bids, endsAt, metrics }) => [domain, price, bids, endsAt, metrics]),
      [
        ['amberfield.io', 1250, 0, 1_795_009_600, { domain_age_years: 0 }],
        ['quietriver.ai', 101, 15, 1_795_009_600, { inbound_links: 19, domain_age_years: 2, appraisal_a_value: 4097 }],
      ],
    )
  })

  test('parkio follows its pages and reads day before month', async (t) => {
    const { base, requests } = await serveBodies(t, [fixture('parkio-page-1.json'), fixture('parkio-page-2.json')])
    const { report, auctions, waits } = await syncPreset(t, 'parkio', `${base}/auctions.json`)
    assert.deepEqual([report.outcome, report.refused], ['complete', 0], JSON.stringify(report))
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['/auctions.json', '/auctions/index/page:2.json'],
    )
    assert.deepEqual(waits, [1000])
    assert.deepEqual(
      auctions.map(({ domain, price, endsAt }) => [domain, price, new Date(endsAt * 1000).toISOString()]),
      [
        ['amberfield.io', 149, '2027-10-07T15:00:00.000Z'],
        ['quietriver.co', 99, '2026-11-20T17:41:01.000Z'],
      ],
    )
  })

  test('namesilo reads its list, with the opening bid as the price before the first bid', async (t) => {
    const { base, requests } = await serveBodies(t, [fixture('namesilo-page-1.json'), fixture('namesilo-page-2.json')])
    const url = `${base}/public/apibatch/listAuctions?key=invented-key&pageSize=2`
    const { report, auctions, waits } = await syncPreset(t, 'namesilo', url)
    assert.deepEqual([report.outcome, report.refused], ['complete', 0], JSON.stringify(report))
    assert.match(requests[1]!.url!, /[?&]typeId=3&statusId=2&page=2$/)
    assert.deepEqual(waits, [2000])
    assert.deepEqual(
      auctions.map(({ externalId, domain, price, startPrice, bids, metrics }) => [
        externalId,
        domain,
        price,
        startPrice,
        bids,
        metrics,
      ]),
      [
        ['501', 'quietriver.net', 21.5, 8.5, 3, { registered_date: '2014-03-02' }],
        ['502', 'amberfield.org', 8.5, 8.5, 0, {}],
      ],
    )
    const wrong = await serveBodies(t, [fixture('namesilo-error.json')])
    const failed = await syncPreset(t, 'namesilo', `${wrong.base}/public/apibatch/listAuctions?key=other-key`)
    assert.deepEqual([failed.report.outcome, failed.report.retryable], ['failed', false])
    assert.match(failed.report.problem!, /Invalid API Key/)
  })

  test('says who asks: without a User-Agent one provider answers 403', async (t) => {
    const { base, requests } = await serveBodies(t, [fixture('namecheap.csv')])
    await syncPreset(t, 'namecheap', `${base}/feed`)
    assert.equal(requests[0]!.headers['user-agent'], 'onoma-test')
  })
})

test('a private address is allowed for a URL that the operator has set, and not for one of a preset', async (t) => {
  const { base, requests } = await serveBodies(t, [fixture('namecheap.csv')])
  const sync = async (isPresetUrl: boolean) => {
    const { path, clock } = listingsFor(t)
    const settings = { ...loadFeeds([choice('namecheap', `${base}/feed`)])[0]!, isPresetUrl }
    const job = { path, settings, userAgent: 'onoma-test', sandbox: false, holder: 'me' }
    return runSync(job, { clock, signal: new AbortController().signal })
  }
  assert.equal((await sync(false)).outcome, 'complete')
  assert.match((await sync(true)).problem!, /an address that is not allowed here/)
  assert.equal(requests.length, 1)
})

test('one page of a keyed feed can be loaded from a file', async (t) => {
  const listings = listingsFor(t)
  const file = join(listings.folder, 'page.json')
  writeFileSync(file, fixture('namesilo-page-1.json'))
  const { report } = await syncPreset(t, 'namesilo', file)
  assert.deepEqual([report.outcome, report.added], ['complete', 2])
})
