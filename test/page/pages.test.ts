// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')
const log = { debug() {}, info() {}, warn() {}, error() {} }

const LOOKS: readonly BrowserContextOptions[] = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport: { width, height: 900 }, colorScheme })),
)
const PAGES = [
  '/',
  '/n/acme',
  '/n/acme?set=food',
  '/d/acme.com',
  '/d/free-shop.com',
  '/n/hang-shop',
  '/n/-acme',
  '/n/%3Cscript%3E',
]

suite('the pages, in a browser', { skip }, () => {
  let world: World
  let service: Service
  let browser: Browser
  before(async () => {
    world = await startWorld(SIMULATORS)
    const { config } = await sandboxConfig(parseSandboxEnv({ ONOMA_RATE_LIMIT: 'off' }), world)
    service = await startService(config, { log })
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    await service?.stop({ lingerMs: 0 })
    await world?.stop()
  })

  const visit = async (path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>) => {
    // Axe itself is a script, which the policy of the pages would refuse.
    const context = await browser.newContext({ bypassCSP: options.bypassCSP ?? false, ...options })
    try {
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(`${service.url}${path}`)
      await use(page)
      const unexpected = problems.filter((text) => !/status of 400/.test(text))
      assert.deepEqual(unexpected, [])
    } finally {
      await context.close()
    }
  }

  for (const path of PAGES) {
    test(`${path} has no accessibility problem, on a phone and a desk, light and dark`, async () => {
      for (const look of LOOKS) {
        await visit(path, { ...look, bypassCSP: true }, async (page) => {
          const { violations } = await new AxeBuilder({ page }).analyze()
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
          assert.deepEqual(found, [])
        })
      }
    })
  }

  test('no page scrolls sideways, from 320 pixels on', async () => {
    for (const path of PAGES) {
      await visit(path, { viewport: { width: 320, height: 700 } }, async (page) => {
        const [content, window] = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        )
        assert.ok(content! <= window!, `${path}: ${content} in ${window}`)
      })
    }
  })

  test('answers take the places of the tiles without a script', async () => {
    await visit('/n/acme', { javaScriptEnabled: false, viewport: { width: 1280, height: 900 } }, async (page) => {
      const tiles = page.locator('li.tile:visible')
      assert.equal(await tiles.count(), 20)
      assert.equal(await page.getByText('asking', { exact: true }).filter({ visible: true }).count(), 0)
      assert.match(await page.title(), /^acme: \d+ of 20 free/)
      assert.equal(await page.locator('.card').count(), 5)
    })
  })

  test('nothing moves while answers arrive', async () => {
    for (const viewport of [
      { width: 390, height: 900 },
      { width: 1280, height: 900 },
    ]) {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      await page.addInitScript(`
        window.shifts = 0
        new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifts += value)))
          .observe({ type: 'layout-shift', buffered: true })`)
      await page.goto(`${service.url}/n/slow-shop`)
      assert.equal(await page.evaluate('window.shifts'), 0, `at ${viewport.width} pixels`)
      await context.close()
    }
  })

  test('Enter leads to the page too, with a script and without, and Back comes back', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await visit('/', { javaScriptEnabled }, async (page) => {
        await page.locator('input[name=q]').focus()
        await page.keyboard.insertText('free-shop')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/n/free-shop')
        // The title comes last.
        await page.waitForFunction('document.title.startsWith("free-shop: ")', undefined, { polling: 50 })
        await page.getByRole('link', { name: /^Food/ }).click()
        await page.waitForURL('**/n/free-shop?set=food')
        await page.goBack()
        assert.equal(new URL(page.url()).search, '')
        await page.goBack()
        assert.equal(new URL(page.url()).pathname, '/')
      })
    }
  })

  test('the field leads to the page of a name, and Back works', async () => {
    await visit('/', {}, async (page) => {
      await page.fill('input[name=q]', 'acme.com')
      await page.waitForURL('**/d/acme.com')
      await page.goBack()
      assert.equal(new URL(page.url()).pathname, '/')
      await page.keyboard.press('/')
      assert.equal(await page.evaluate("document.activeElement?.getAttribute('name')"), 'q')
    })
  })
})
