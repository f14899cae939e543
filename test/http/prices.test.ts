import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test, type TestContext } from 'node:test'
import { startNames, type Names } from '../../sandbox/names/start.ts'
import { registrar } from '../../sandbox/registrar.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { createOutbound } from '../../src/app/wiring/outbound.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { fetchPorkbunPrices } from '../../src/registrars/sources/porkbun-prices.ts'
import { startDoor } from '../support/door.ts'

type Link = {
  slug: string
  estimatedPrice?: number
  registrationPrice?: number
  renewalPrice?: number
  priceAsOf?: string
}
type Links = { premium?: boolean; premiumPrice?: number; premiumRenewalPrice?: number; registrars: Link[] }

suite('prices and premium names', () => {
  let names: Names
  let world: World
  before(async () => {
    names = await startNames()
    world = await startWorld([registrar], { seed: 1, wait: async () => {} })
  })
  after(async () => {
    await names.stop()
    await world.stop()
  })

  async function serve(t: TestContext, env: Record<string, string> = {}, stored?: object) {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-test-prices-'))
    if (stored) writeFileSync(join(folder, 'registrar-prices.json'), JSON.stringify(stored))
    const sandbox = { ONOMA_SANDBOX: 'on', ONOMA_DATA_DIR: folder, ...names.settings, ...world.settings }
    const capabilities = composeRoutes(loadConfig({ ...sandbox, ...env }), { timeoutScale: 100 })
    await capabilities.start()
    const door = await startDoor(capabilities.routes)
    t.after(async () => {
      await door.stop()
      await capabilities.close()
      rmSync(folder, { recursive: true })
    })
    const links = async (domain: string) => (await door.get(`/v1/register?domain=${domain}`)).body as Links
    return { door, links, first: async (domain: string) => (await links(domain)).registrars[0]! }
  }

  test('the list of the day replaces the bundled prices, for every TLD that it has', async (t) => {
    const fetchedAt = systemClock.now() - 3_600_000
    const prices = { com: [10.5, 12.5], io: [30, 40] }
    const { first, links } = await serve(t, {}, { fetchedAt, prices })
    const priceAsOf = new Date(fetchedAt).toISOString().slice(0, 10)
    assert.partialDeepStrictEqual(await first('example.com'), {
      estimatedPrice: 10.5,
      registrationPrice: 10.5,
      renewalPrice: 12.5,
      priceAsOf,
    })
    const io = await first('example.io')
    assert.deepEqual([io.estimatedPrice, io.registrationPrice, io.priceAsOf], [undefined, 30, priceAsOf])
    // A TLD that the list lacks keeps its bundled price, with its own day.
    const ai = await first('example.ai')
    assert.deepEqual([ai.estimatedPrice, ai.renewalPrice, ai.priceAsOf], [72.4, undefined, '2025-03-22'])
    for (const { slug, priceAsOf: day } of (await links('example.com')).registrars.slice(1))
      assert.equal(day, undefined, slug)
  })

  test('without a list the bundled prices are shown, and other registrars than the list has none', async (t) => {
    const off = await serve(
      t,
      { ONOMA_PRICES_URL: 'off' },
      { fetchedAt: systemClock.now() - 1, prices: { com: [1, 1] } },
    )
    assert.deepEqual(
      [(await off.first('example.com')).estimatedPrice, (await off.first('example.io')).registrationPrice],
      [11.06, undefined],
    )
    const file = join(mkdtempSync(join(tmpdir(), 'onoma-test-registrars-')), 'registrars.json')
    const one = { name: 'Shop', link: 'https://shop.example/?d={domain}' }
    writeFileSync(file, JSON.stringify({ registrar_a: one, registrar_b: one, registrar_c: one }))
    const own = await serve(
      t,
      { ONOMA_REGISTRARS: file },
      { fetchedAt: systemClock.now() - 1, prices: { com: [1, 1] } },
    )
    assert.deepEqual(Object.keys(await own.first('example.com')), ['name', 'slug', 'url'])
  })

  test('the list is fetched as Porkbun wants it', async (t) => {
    const config = loadConfig({ ONOMA_SANDBOX: 'on', ...world.settings })
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const upstream = createOutbound({ config, clock: systemClock, log }).open('registrar')
    t.after(() => upstream.close())
    const { prices } = await fetchPorkbunPrices({ upstream, url: config.prices.url! }, undefined)
    assert.equal(prices.size, 511)
  })

  const base = () => new URL(world.settings['ONOMA_PRICES_URL']!).origin
  const accounts: Record<string, () => Record<string, string>> = {
    porkbun: () => ({
      ONOMA_PREMIUM_URL: `${base()}/api/json/v3/domain/checkDomain`,
      ONOMA_PREMIUM_KEY: 'sandbox-key',
      ONOMA_PREMIUM_SECRET_KEY: 'sandbox-key',
    }),
    namecheap: () => ({
      ONOMA_PREMIUM_URL: `${base()}/xml.response`,
      ONOMA_PREMIUM_KEY: 'sandbox-key',
      ONOMA_PREMIUM_USER: 'jo',
      ONOMA_PREMIUM_CLIENT_IP: '192.0.2.1',
    }),
  }
  for (const [kind, account] of Object.entries(accounts)) {
    test(`a key at ${kind} tells that a name is premium, and its price; the usual price is not shown then`, async (t) => {
      const { door, links } = await serve(t, { ONOMA_PREMIUM_REGISTRAR: kind, ...account() })
      // RDAP has no field for it, so the registry does not say it.
      const check = await door.get('/v1/check?domain=premium-shop.com')
      assert.deepEqual([(check.body as { available: boolean }).available, (check.body as Links).premium], [true, true])
      const found = await links('premium-shop.com')
      assert.deepEqual([found.premium, found.premiumPrice, found.premiumRenewalPrice], [true, 1250, 49.5])
      assert.ok(found.registrars.every((link) => link.estimatedPrice === undefined && !link.registrationPrice))
      // Asked a moment ago: what is not known is left out, and in a list what is known is told.
      assert.equal('premium' in (await links('free-shop.com')), false)
      const list = await door.get('/v1/check?domain=premium-shop.com,free-shop.com')
      assert.deepEqual(
        (list.body as { results: { premium: boolean }[] }).results.map(({ premium }) => premium),
        [true, false],
      )
    })
  }

  test('without a key nobody is asked, and the registry alone says what is premium', async (t) => {
    const { door, links } = await serve(t)
    assert.equal(((await door.get('/v1/check?domain=premium-shop.com')).body as Links).premium, false)
    assert.equal('premium' in (await links('premium-shop.com')), false)
  })
})
