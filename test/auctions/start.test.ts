import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { parseSourceOptions, syncAuctions } from '../../src/app/commands/auctions-sync.ts'
import { startService } from '../../src/app/service.ts'
import { ConfigError, loadConfig } from '../../src/app/settings/config.ts'
import { openAuctions } from '../../src/app/wiring/auctions.ts'
import { folderFor } from '../../src/auctions/sources/listings.fixture.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { ALONE, quiet } from '../support/simulated-payments.ts'

suite('the start of the service', () => {
  test('says in one line how to get auctions without an account', async (t) => {
    const lines: string[] = []
    const log = { ...quiet, info: (_: object, message: string) => void lines.push(message) }
    const config = loadConfig({ ONOMA_DATA_DIR: folderFor(t) })
    const auctions = openAuctions({ config, clock: systemClock, random: secureRandom, log })
    auctions.start()
    await auctions.close()
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /^No auction feed is configured.*Set ONOMA_AUCTIONS=namecheap,sedo /)
  })

  test('is refused with a feed for internal use that others could read, until the operator says that they may', async (t) => {
    const folder = folderFor(t)
    const env = {
      ...ALONE,
      ONOMA_DATA_DIR: folder,
      ONOMA_AUCTIONS_SOURCE_A_URL: join(folder, 'missing.json'),
      ONOMA_AUCTIONS_SOURCE_A_PRESET: 'godaddy',
      ONOMA_TRUSTED_PROXIES: '127.0.0.1',
    }
    await assert.rejects(
      startService(loadConfig(env), { log: quiet }),
      (error) => error instanceof ConfigError && /GoDaddy.*ONOMA_AUCTIONS_TERMS=accepted/.test(error.message),
    )
    const service = await startService(loadConfig({ ...env, ONOMA_AUCTIONS_TERMS: 'accepted' }), { log: quiet })
    await service.stop({ lingerMs: 0, graceMs: 0 })
  })

  test('with a list of domains for sale only loads it, for the aftermarket and not as auctions', async (t) => {
    const folder = folderFor(t)
    const list = join(folder, 'topdomains.txt')
    writeFileSync(list, 'acme.com~54.000 EUR~\n')
    const synced = Promise.withResolvers<object>()
    const info = (fields: object, message: string) => void (/was synced/.test(message) && synced.resolve(fields))
    const env = { ...ALONE, ONOMA_DATA_DIR: folder, ONOMA_AUCTIONS_SEDO_LISTINGS_URL: list }
    const service = await startService(loadConfig(env), { log: { ...quiet, info } })
    t.after(() => service.stop({ lingerMs: 0, graceMs: 0 }))
    assert.partialDeepStrictEqual(await synced.promise, { source: 'sedo-listings', outcome: 'complete', added: 1 })
    const sold = await fetch(`${service.url}/v1/aftermarket/acme.com?sources=listings&currency=EUR`)
    const { listings } = (await sold.json()) as { listings: object[] }
    assert.partialDeepStrictEqual(listings, [{ source: 'listings', price: { amount: 54_000, currency: 'EUR' } }])
    const auctions = await fetch(`${service.url}/v1/auctions`)
    assert.equal(auctions.status, 503)
    assert.match(await auctions.text(), /No auction source is configured/)
  })
})

suite('onoma auctions sync', () => {
  async function sync(t: TestContext, csv: string) {
    const folder = folderFor(t)
    const file = join(folder, 'feed.csv')
    writeFileSync(file, csv)
    const said: string[] = []
    const config = loadConfig({
      ONOMA_DATA_DIR: folder,
      ONOMA_AUCTIONS_SOURCE_A_URL: file,
      ONOMA_AUCTIONS_SOURCE_A_COLUMNS: JSON.stringify({
        fields: { domain: 'name', current_price: 'price', ends_at: 'end', metric_a_dr: 'rating' },
      }),
    })
    const signal = new AbortController().signal
    const isComplete = await syncAuctions([], { config, say: (line) => void said.push(line), signal })
    return { isComplete, said }
  }
  const END = '2099-01-01T00:00:00Z'
  const soon = new Date(Date.now() + 86_400_000).toISOString()

  test('shows refused records by example, and the columns that are missing', async (t) => {
    const rows = Array.from({ length: 30 }, (_, at) => `quiet-${at}.com,5,${soon}`)
    const csv = ['name,price,end', ...rows, `amber.com,free,${soon}`, `harbor.com,7,${END}`].join('\n')
    const { isComplete, said } = await sync(t, csv)
    assert.equal(isComplete, true)
    assert.match(said[0]!, /^source_a: 32 records in \d+ s: 30 new, 0 changed, 0 removed, 2 refused\.$/)
    assert.deepEqual(said.slice(1).toSorted(), [
      `source_a: 1 refused: the end is implausible, such as harbor.com: "${END}".`,
      'source_a: 1 refused: the price is not a valid amount, such as amber.com: "free".',
      'source_a: no record has the columns rating; has the feed changed?',
    ])
  })

  test('names the column that a feed has no longer', async (t) => {
    const { isComplete, said } = await sync(t, `name,amount,end\nquiet.com,5,${soon}\n`)
    assert.deepEqual(
      [isComplete, said],
      [false, ['source_a: the sync failed. The CSV has no column "price": it has another format than expected.']],
    )
  })

  test('loads a list of domains for sale by its name, or says how to configure it', async (t) => {
    const folder = folderFor(t)
    const list = join(folder, 'buy-now.csv')
    writeFileSync(list, 'permalink,domain,price,extensions_taken\n,acme.com,900.00,4\n')
    const config = loadConfig({ ONOMA_DATA_DIR: folder, ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL: list })
    const said: string[] = []
    const needs = { config, say: (line: string) => void said.push(line), signal: new AbortController().signal }
    assert.equal(await syncAuctions(parseSourceOptions(['--source=namecheap-buynow']), needs), true)
    assert.match(said[0]!, /^namecheap-buynow: 1 records in \d+ s: 1 new, /)
    assert.equal(await syncAuctions(parseSourceOptions(['--source', 'sedo-listings']), needs), false)
    assert.equal(said[1], 'sedo-listings: not configured; add it to ONOMA_AUCTIONS.')
  })

  test('says what to set if there is no feed', async (t) => {
    const said: string[] = []
    const config = loadConfig({ ONOMA_DATA_DIR: folderFor(t) })
    const needs = { config, say: (line: string) => void said.push(line), signal: new AbortController().signal }
    assert.equal(await syncAuctions([], needs), false)
    assert.deepEqual(said, [
      'No auction source is configured; set ONOMA_AUCTIONS=namecheap,sedo or ONOMA_AUCTIONS_SOURCE_A_URL.',
    ])
  })
})
