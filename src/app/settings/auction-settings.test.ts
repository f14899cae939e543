import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadFeeds } from '../../auctions/sources/feed/load-feeds.ts'
import { loadSaleFeeds } from '../../auctions/sources/feed/sale-presets.ts'
import { termsProblems } from './auction-settings.ts'
import { problemsOf } from './config.fixture.ts'
import { loadConfig } from './config.ts'

const A = 'ONOMA_AUCTIONS_SOURCE_A'
const B = 'ONOMA_AUCTIONS_SOURCE_B'

const feedsOf = (env: Record<string, string>) => {
  const { auctions } = loadConfig(env)
  return loadFeeds(auctions).map(({ source, location }, at) => [source, auctions[at]!.preset, location])
}

suite('ONOMA_AUCTIONS', () => {
  test('names feeds of listings too, which take no source; one with a URL need not be named', () => {
    const listed = loadConfig({ ONOMA_AUCTIONS: 'namecheap,sedo-listings,sedo,godaddy' })
    assert.deepEqual(
      listed.auctions.map(({ source, preset }) => [source, preset]),
      [
        ['source_a', 'namecheap'],
        ['source_b', 'sedo'],
        ['source_c', 'godaddy'],
      ],
    )
    assert.deepEqual(listed.saleFeeds, [{ feed: 'sedo-listings', url: null }])
    const { auctions, saleFeeds } = loadConfig({ ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL: 'list.csv' })
    assert.deepEqual([auctions, saleFeeds], [[], [{ feed: 'namecheap-buynow', url: 'list.csv' }]])
    const [feed] = loadSaleFeeds(listed.saleFeeds)
    assert.deepEqual([feed!.location, feed!.isPresetUrl], ['https://sedo.com/txt/topdomains_us.txt', true])
    assert.deepEqual(loadConfig({}).saleFeeds, [])
  })

  const NAMECHEAP = 'https://d3ry1h4w5036x1.cloudfront.net/reports/Namecheap_Market_Sales.csv'
  const SEDO = 'https://sedo.com/txt/auctions_us.txt'
  const GODADDY = 'https://inventory.auctions.godaddy.com/all_biddable_auctions.json.zip'

  test('loads public feeds by name, in their order', () => {
    assert.deepEqual(feedsOf({ ONOMA_AUCTIONS: 'namecheap, Sedo,godaddy' }), [
      ['source_a', 'namecheap', NAMECHEAP],
      ['source_b', 'sedo', SEDO],
      ['source_c', 'godaddy', GODADDY],
    ])
    assert.deepEqual(feedsOf({ ONOMA_AUCTIONS: 'sedo,namecheap' })[0], ['source_a', 'sedo', SEDO])
  })

  test('leaves a source with a feed of its own alone', () => {
    const own = { [`${A}_URL`]: 'https://feed.example/x', [`${A}_PRESET`]: 'sedo' }
    assert.deepEqual(feedsOf({ ONOMA_AUCTIONS: 'namecheap,godaddy', ...own }), [
      ['source_a', 'sedo', 'https://feed.example/x'],
      ['source_b', 'namecheap', NAMECHEAP],
      ['source_c', 'godaddy', GODADDY],
    ])
  })

  test('lets the other settings of a source apply to its feed', () => {
    const [feed] = loadFeeds(loadConfig({ ONOMA_AUCTIONS: 'sedo', [`${A}_INTERVAL`]: '90' }).auctions)
    assert.deepEqual([feed!.intervalMs, feed!.isPresetUrl], [90 * 60_000, true])
    const [daily] = loadFeeds(loadConfig({ ONOMA_AUCTIONS: 'godaddy' }).auctions)
    assert.equal(daily!.intervalMs, 6 * 3_600_000)
  })

  const conflicts: [string, Record<string, string>, RegExp][] = [
    [
      'four feeds, besides one of listings',
      { ONOMA_AUCTIONS: 'namecheap,sedo,godaddy,parkio,sedo-listings' },
      /names 4 feeds, but there are 3 sources/,
    ],
    ['four feeds', { ONOMA_AUCTIONS: 'namecheap,sedo,godaddy,parkio' }, /names 4 feeds, but there are 3 sources/],
    [
      'more feeds than free sources',
      { ONOMA_AUCTIONS: 'namecheap,sedo,godaddy', [`${B}_URL`]: 'x.csv', [`${B}_PRESET`]: 'sedo' },
      /names 3 feeds, but source_b already has settings of its own, which leaves 2 sources; remove some/,
    ],
    [
      'a feed that a source loads already',
      { ONOMA_AUCTIONS: 'sedo', [`${A}_PRESET`]: 'sedo' },
      /source_a and source_b would load the same feed \(sedo\); remove it from ONOMA_AUCTIONS/,
    ],
    [
      'the same feed twice',
      { ONOMA_AUCTIONS: 'sedo,sedo' },
      /^ONOMA_AUCTIONS must be different ones of namecheap, sedo/,
    ],
    ['an unknown feed', { ONOMA_AUCTIONS: 'ebay' }, /^ONOMA_AUCTIONS must be different ones of namecheap, sedo/],
    ['a feed that needs a key', { ONOMA_AUCTIONS: 'namesilo' }, /^ONOMA_AUCTIONS must be/],
    [
      'a preset that needs a key, without a URL',
      { [`${B}_PRESET`]: 'dynadot' },
      /SOURCE_B_URL is missing: the preset dynadot needs your key, as in https:\/\/api\.dynadot\.com\/api3\.json\?key=…/,
    ],
  ]
  for (const [what, env, message] of conflicts) {
    test(`rejects ${what}`, () => assert.match(problemsOf(env).join('\n'), message))
  }

  test('knows presets by their former names', () => {
    assert.deepEqual(feedsOf({ [`${A}_PRESET`]: 'namecheap-market' }), [['source_a', 'namecheap', NAMECHEAP]])
    assert.deepEqual(feedsOf({ [`${A}_PRESET`]: 'godaddy-inventory' }), [['source_a', 'godaddy', GODADDY]])
  })
})

suite('providers for internal use', () => {
  const told = (env: Record<string, string>) => termsProblems(loadConfig(env))
  const godaddy = { ONOMA_AUCTIONS: 'namecheap,godaddy' }
  const dynadot = { [`${A}_PRESET`]: 'dynadot', [`${A}_URL`]: 'https://api.dynadot.com/api3.json?key=invented' }

  test('may be loaded for this machine', () => {
    for (const env of [godaddy, dynadot, { ...godaddy, HOST: '::1', ONOMA_PUBLIC_URL: 'http://localhost:8080' }])
      assert.deepEqual(told(env), [])
  })

  const ways: [string, Record<string, string>, RegExp][] = [
    ['another host', { HOST: '0.0.0.0' }, /HOST is 0\.0\.0\.0/],
    ['a proxy', { ONOMA_TRUSTED_PROXIES: '127.0.0.1' }, /ONOMA_TRUSTED_PROXIES is set/],
    ['a public URL', { ONOMA_PUBLIC_URL: 'https://names.example' }, /ONOMA_PUBLIC_URL is https:\/\/names\.example/],
  ]
  for (const [what, env, why] of ways) {
    test(`are not served to others through ${what}, unless the operator may`, () => {
      const [problem, ...more] = told({ ...godaddy, ...env })
      assert.deepEqual(more, [])
      assert.match(problem!, /source_b come from GoDaddy, whose terms say that its content is for internal use/)
      assert.match(problem!, why)
      assert.match(problem!, /Set ONOMA_AUCTIONS_TERMS=accepted if GoDaddy allows it to you/)
      assert.match(told({ ...dynadot, ...env })[0]!, /Dynadot, whose terms say that data of its API/)
      assert.doesNotMatch(told({ ...dynadot, ...env })[0]!, /invented/)
      const marketplace = { ONOMA_AFTERMARKET_SOURCE_B_KEY: 'invented', ...env }
      assert.match(told(marketplace).join(), /^The listings of source_b come from Dynadot, whose terms say/)
      assert.deepEqual(told({ ...marketplace, ONOMA_AUCTIONS_TERMS: 'accepted' }), [])
      assert.deepEqual(told({ ...godaddy, ...env, ONOMA_AUCTIONS_TERMS: 'accepted' }), [])
      assert.deepEqual(told({ ONOMA_AUCTIONS: 'namecheap,sedo', ...env }), [])
      assert.deepEqual(told({ ...dynadot, ...env, ONOMA_SANDBOX: 'on' }), [])
    })
  }
})
