// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type PageBrowser, startPageBrowser } from '../support/page-browser.ts'
import { assertKeyboard, assertLooks, COUNT_SHIFTS } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')

const LONGEST_LABEL = 'internationalisierungsbeauftragtekonferenzteilnehmerregistratur'

/** One page of each kind and state. Lists and purchases have suites of their own. */
const PAGES = [
  '/',
  '/n/acme',
  // Tiles that are sent together.
  '/n/acme?state=free&set=food',
  '/n/acme?state=reserved',
  // Nothing answers.
  '/n/hang-shop',
  `/n/${LONGEST_LABEL}`,
  `/n/${encodeURIComponent('😀')}`,
  `/d/${encodeURIComponent('بيتزا.com')}`,
  '/d/acme.com',
  '/d/free-shop.com',
  `/d/${LONGEST_LABEL}.international`,
  // Refused: not a name, and not a supported TLD.
  `/n/${encodeURIComponent(`<script>${'a'.repeat(245)}`)}`,
  '/d/acme.acme',
  '/status',
]
const REFERENCE_PAGES = [
  '/docs?q=proxy',
  '/docs/checkDomainsLegacy',
  '/docs/errors/payment_required',
  '/docs/guides/going-live',
]

suite('the pages, in a browser', { skip }, () => {
  let pages: PageBrowser
  before(async () => {
    pages = await startPageBrowser(program)
  })
  after(() => pages?.stop())

  for (const path of PAGES) {
    test(`${decodeURIComponent(path).slice(0, 40)} is readable and reachable in every look`, async () => {
      await pages.visit(path, { viewport: { width: 1280, height: 900 }, bypassCSP: true }, async (page) => {
        await assertKeyboard(page, path)
        await assertLooks(page, path)
      })
    })
  }

  test('the reference is readable and reachable in every look', async () => {
    await pages.visit('/docs', { viewport: { width: 1280, height: 900 }, bypassCSP: true }, async (page) => {
      await assertKeyboard(page, '/docs')
      await assertLooks(page, '/docs')
      for (const path of REFERENCE_PAGES) {
        await page.goto(pages.service.url + path)
        await page.locator('html.js').waitFor({ state: 'attached' })
        // The results of a search are links among links, as on /docs.
        if (!path.includes('?')) await assertKeyboard(page, path)
        await assertLooks(page, path, { known: '#contents' })
      }
    })
  })

  test('the navigation of the reference can be skipped, on a phone and at a desk', async () => {
    await pages.visit('/docs/checkDomains', {}, async (page) => {
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.reload()
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
        const where = `['aside', '#main'].filter((part) => document.activeElement.closest(part))`
        assert.deepEqual(await page.evaluate(where), ['#main'], `at ${width} pixels`)
      }
    })
  })

  test('answers take the places of the tiles without a script', async () => {
    await pages.visit('/n/acme', { javaScriptEnabled: false, viewport: { width: 1280, height: 900 } }, async (page) => {
      const tiles = page.locator('li.tile:visible')
      assert.equal(await tiles.count(), 20)
      assert.equal(await page.getByText('asking', { exact: true }).filter({ visible: true }).count(), 0)
      assert.match(await page.title(), /^acme: \d+ of 20 free/)
      assert.equal(await page.locator('.card').count(), 5)
    })
  })

  test('nothing moves while answers arrive', async () => {
    for (const width of [390, 1280]) {
      const options = { viewport: { width, height: 900 }, initScript: COUNT_SHIFTS }
      await pages.visit('/n/slow-shop', options, async (page) => {
        assert.equal(await page.evaluate('window.shifts'), 0, `at ${width} pixels`)
      })
    }
  })

  test('Enter leads to the page too, with a script and without, and Back comes back', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await pages.visit('/', { javaScriptEnabled }, async (page) => {
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
    await pages.visit('/', {}, async (page) => {
      await page.fill('input[name=q]', 'acme.com')
      await page.waitForURL('**/d/acme.com')
      await page.goBack()
      assert.equal(new URL(page.url()).pathname, '/')
      await page.keyboard.press('/')
      assert.equal(await page.evaluate("document.activeElement?.getAttribute('name')"), 'q')
    })
  })
})
