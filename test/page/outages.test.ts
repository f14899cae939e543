// needs: chromium
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { assertAccessible, assertFits } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')
const log = { debug() {}, info() {}, warn() {}, error() {} }
/** Of a dossier by default; the page is sent shortly after. */
const MAX_PAGE_MS = 10_000

/** A service of its own for each outage: it leaves registries alone for a while that do not answer. */
suite('pages while registries do not answer', { skip }, () => {
  let names: Names
  let browser: Browser
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-outages-'))
    names = await startNames({ seed: 3 })
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    await names?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const withService = async (env: Record<string, string>, use: (service: Service, page: Page) => Promise<void>) => {
    const base = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off', ONOMA_RATE_LIMIT: 'off' }
    const dataDir = { ONOMA_DATA_DIR: mkdtempSync(join(folder, 'data-')) }
    const service = await startService(loadConfig({ ...base, ...dataDir, ...env }), { log })
    const context = await browser.newContext({ bypassCSP: true, viewport: { width: 390, height: 900 } })
    try {
      await use(service, await context.newPage())
    } finally {
      await context.close()
      await service.stop({ lingerMs: 0, graceMs: 0 })
    }
  }
  /** Every tile and the state of the domain are unknown, with the reason; both sentences name availability. */
  const assertUnknown = async (service: Service, page: Page, label: string, reason: RegExp): Promise<void> => {
    await page.goto(`${service.url}/n/${label}`)
    const tiles = await page.locator('li.tile:visible').allInnerTexts()
    assert.equal(tiles.length, 20)
    for (const tile of tiles) assert.match(tile, /\bunknown\b[^]*Ask again/)
    assert.ok(
      tiles.some((tile) => reason.test(tile)),
      tiles.join('; '),
    )
    assert.match(await page.locator('[slot=sum]').innerText(), /^20 of 20 unknown\./)
    assert.equal(await page.title(), `${label}: 20 of 20 unknown`)
    await assertFits(page, `/n/${label}`, 320)
    await assertAccessible(page, `/n/${label}`)

    await page.goto(`${service.url}/d/${label}.com`)
    const state = page.locator('[slot=state]').last()
    assert.match(await state.innerText(), /^unknown/)
    assert.match(await state.innerText(), reason)
    assert.match(await page.locator('[slot=sum]').innerText(), new RegExp(`^${label}\\.com is unknown\\.`))
    assert.equal(await page.title(), `${label}.com: unknown`)
    const registration = page.locator('.card', { hasText: 'Registration' })
    assert.match(await registration.innerText(), /unknown[^]*\.com[^]*Ask again/)
    await assertFits(page, `/d/${label}.com`, 320)
    await assertAccessible(page, `/d/${label}.com`)
    // The link asks the same question again.
    await state.getByRole('link', { name: 'Ask again' }).click()
    await page.waitForURL(`**/d/${label}.com`)
  }

  test('that hang: no reply in time', async () => {
    await withService({ ONOMA_SANDBOX: 'on', ...names.settings }, async (service, page) => {
      await assertUnknown(service, page, 'hang-shop', /No reply in time\.|The registry does not answer\./)
    })
  })

  test('that are asked too often: they ask us to wait, and the card of the registration says so, too', async () => {
    await withService({ ONOMA_SANDBOX: 'on', ...names.settings }, async (service, page) => {
      await assertUnknown(service, page, 'throttled-shop', /The registry asks us to wait\./)
      assert.match(
        await page.locator('.card', { hasText: 'Registration' }).innerText(),
        /The rate limit of the registry of \.com is exceeded; try again later\./,
      )
    })
  })

  test('without a network and with everything off: each page answers in time, and says what is off and unknown', async () => {
    // Ports at which nothing listens, in place of resolvers and a way out. There is no sandbox.
    const env = {
      NODE_ENV: 'production',
      ONOMA_DNS_SERVERS: '127.0.0.1:9',
      ONOMA_DNS_AUTHORITATIVE: 'off',
      ONOMA_DOH_URLS: 'off',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
      ONOMA_PUBLIC_URL: 'https://names.example',
    }
    await withService(env, async (service, page) => {
      page.setDefaultNavigationTimeout(MAX_PAGE_MS)
      await assertUnknown(
        service,
        page,
        'acme',
        /No reply in time\.|The registry does not answer\.|No source could tell\./,
      )
      await page.goto(`${service.url}/n/acme`)
      for (const text of ['ONOMA_AUCTIONS', 'onoma trademark fetch', 'acme.eth'])
        assert.ok((await page.getByText(text).count()) > 0, text)
      await page.goto(`${service.url}/d/acme.com`)
      assert.equal(await page.locator('[data-pay]').count(), 0, 'nothing is sold')
      assert.ok((await page.getByText('Payments are off here.').count()) > 0)
      await page.goto(`${service.url}/status`)
      for (const text of ['Auctions', 'Trademarks', 'Web search', 'Payments'])
        assert.equal(await page.locator('dl.off dt', { hasText: text }).count(), 1, text)
      await assertAccessible(page, 'the status without a network')
      await page.goto(`${service.url}/bulk`)
      await page.fill('#names', 'acme.com\nbad name.com')
      await page.getByRole('button', { name: 'Check the list' }).click()
      await page.getByText('Ask the 1 unknown again').waitFor()
      for (const path of ['/', '/docs', '/docs/checkDomains'])
        assert.equal((await page.goto(service.url + path))!.status(), 200)
    })
  })
})
