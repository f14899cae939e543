// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { type PageBrowser, startPageBrowser } from '../support/page-browser.ts'
import { assertAccessible, assertFits } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')

/** What each page says at least. */
const PAGES = {
  '/': ['acme or acme.com', 'No account, no cookies, no tracking.'],
  '/n/free-shop': [' of 20 free', 'For sale', 'At auction', 'free-shop.eth', 'Presence', 'Trademarks'],
  '/d/taken-shop.com': ['taken-shop.com is taken', 'Registration', 'DNS', 'Trademarks', 'Valuation', 'Website'],
  '/status': ['The service is ready', 'Parts', 'Registries', 'Auction feeds'],
  '/docs': ['/v1/check', 'All error codes'],
  '/docs/checkDomains': ['/v1/check', 'curl', 'Run it'],
} as const

/** What is shown, also in shadow roots and fields. */
const TEXT = `(() => {
  const texts = []
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      if (element.shadowRoot) walk(element.shadowRoot)
      texts.push(element.placeholder ?? '', ...[...element.childNodes].map((node) => node.nodeType === 3 ? node.data : ''))
    }
  }
  walk(document)
  return texts.join(' ').replaceAll(/\\s+/g, ' ')
})()`
const textOf = (page: Page): Promise<string> => page.evaluate<string>(TEXT)

/** As the option of a browser, but it can be changed while a page is open. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()
async function allowScripts(page: Page, isAllowed: boolean): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  await (await session).send('Emulation.setScriptExecutionDisabled', { value: !isAllowed })
}

suite('every page without a script, zoomed to 200 % on a dense screen', { skip }, () => {
  let pages: PageBrowser
  before(async () => {
    pages = await startPageBrowser(program)
  })
  after(() => pages?.stop())

  /** A desk of 1280 pixels at 200 % has 640, and a scale of 2. */
  const ZOOMED = { bypassCSP: true, deviceScaleFactor: 2, viewport: { width: 640, height: 450 } }
  const visit = (use: (page: Page) => Promise<void>): Promise<void> =>
    pages.visit('/', ZOOMED, async (page) => {
      await allowScripts(page, false)
      await use(page)
    })
  const assertReadable = async (page: Page, state: string): Promise<void> => {
    assert.notEqual(await page.title(), '', state)
    assert.equal(await page.getByText('asking', { exact: true }).filter({ visible: true }).count(), 0, state)
    // A button that only a script understands would do nothing.
    assert.equal(await page.locator('button[type=button]:visible').count(), 0, state)
    await assertFits(page, state, 640)
    await assertFits(page, state, 320)
    // Axe is a script. Those of the page itself were skipped when it was parsed, and stay so.
    await allowScripts(page, true)
    await assertAccessible(page, state)
    await allowScripts(page, false)
    assert.equal(await page.locator('html.js').count(), 0, `${state} ran a script`)
  }

  test('is complete, readable and has no accessibility problem', async () => {
    await visit(async (page) => {
      for (const [path, texts] of Object.entries(PAGES)) {
        await page.goto(pages.service.url + path)
        const shown = await textOf(page)
        for (const text of texts) assert.ok(shown.includes(text), `${path} without ${text}: ${shown.slice(0, 2000)}`)
        await assertReadable(page, path)
      }
    })
  })

  test('a list is sent, and its answers are a page', async () => {
    await visit(async (page) => {
      await page.goto(`${pages.service.url}/bulk`)
      await assertReadable(page, '/bulk')
      await page.fill('#names', 'taken-shop.com\nfree-shop.com\nbad name.com\nبيتزا.com\n<script>.com')
      await page.getByRole('button', { name: 'Check the list' }).click()
      await page.getByText('2 invalid', { exact: true }).waitFor()
      assert.equal(await page.locator('.rows tbody tr:visible').count(), 5)
      await assertReadable(page, '/bulk, answered')
    })
  })
})
