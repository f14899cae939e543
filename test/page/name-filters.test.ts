// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PageBrowser, startPageBrowser } from '../support/page-browser.ts'
import { assertAccessible, assertNoSidewaysScroll, COUNT_SHIFTS } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')

suite('filters, order and keys on the page of a name', { skip }, () => {
  let pages: PageBrowser
  before(async () => {
    pages = await startPageBrowser(program)
  })
  after(() => pages?.stop())

  /** The TLDs of the tiles that are shown, as they stand on the page. */
  const shown = async (page: Page): Promise<string[]> => {
    const tiles = await page.locator('li.tile:visible').evaluateAll((found) =>
      found.map((tile) => {
        const { top, left } = (
          tile as unknown as { getBoundingClientRect(): { top: number; left: number } }
        ).getBoundingClientRect()
        return { top, left, tld: /\..+/.exec(tile.querySelector('a')!.textContent)![0] }
      }),
    )
    return tiles.toSorted((a, b) => a.top - b.top || a.left - b.left).map(({ tld }) => tld)
  }
  const words = (page: Page) => page.locator('li.tile:visible > .s').allTextContents()

  test('the server filters and orders for pages without a script, and nothing moves', async () => {
    const options = { viewport: { width: 320, height: 800 }, initScript: COUNT_SHIFTS }
    await pages.visit('/n/slow-shop?state=taken', options, async (page) => {
      assert.equal(await page.evaluate('window.shifts'), 0)
      await assertNoSidewaysScroll(page, 'filtered')
    })
    await pages.visit('/n/acme', { javaScriptEnabled: false }, async (page) => {
      const all = await shown(page)
      assert.equal(all.length, 20)
      await page.getByRole('link', { name: 'free', exact: true }).click()
      assert.equal(new URL(page.url()).search, '?state=free')
      const free = await shown(page)
      assert.ok(free.length > 0 && free.length < 20)
      assert.deepEqual(new Set(await words(page)), new Set(['free']))
      assert.deepEqual(
        free,
        all.filter((tld) => free.includes(tld)),
      )
      await page.getByRole('link', { name: 'by length' }).click()
      assert.equal(new URL(page.url()).search, '?state=free&sort=length')
      assert.deepEqual(
        await shown(page),
        free.toSorted((a, b) => a.length - b.length),
      )
      await page.getByRole('link', { name: 'reserved', exact: true }).click()
      await page.getByText('None of these domains is reserved.').waitFor()
    })
  })

  test('with a script the same happens without a request, the address is the state, and Back works', async () => {
    await pages.visit('/n/acme', {}, async (page) => {
      const all = await shown(page)
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await page.getByRole('link', { name: 'free', exact: true }).click()
      const free = await shown(page)
      assert.deepEqual(new Set(await words(page)), new Set(['free']))
      await page.getByRole('link', { name: 'by length' }).click()
      assert.equal(new URL(page.url()).search, '?state=free&sort=length')
      assert.deepEqual(
        await shown(page),
        free.toSorted((a, b) => a.length - b.length),
      )
      assert.equal(
        await page.getByRole('link', { name: 'free', exact: true }).getAttribute('aria-current'),
        'true',
        'the link of the current filter says so',
      )
      await page.goBack()
      assert.deepEqual(await shown(page), free)
      await page.goBack()
      assert.deepEqual(await shown(page), all)
      assert.deepEqual(requests, [])
      // A page that the server has filtered has all tiles, too.
      await page.goto(`${pages.service.url}/n/acme?state=free&sort=state`)
      await page.locator('html.js').waitFor({ state: 'attached' })
      await page.getByRole('link', { name: 'Every state' }).click()
      await page.getByRole('link', { name: 'Usual order' }).click()
      assert.deepEqual(await shown(page), all)
    })
  })

  test('other categories keep the filter', async () => {
    await pages.visit('/n/acme?state=free', { javaScriptEnabled: false }, async (page) => {
      await page.getByRole('link', { name: /^Food/ }).click()
      assert.equal(new URL(page.url()).search, '?set=food&state=free')
    })
  })

  test('arrows move between tiles, Enter opens one, c copies its name, and ? lists the keys', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const options = { viewport: { width: 1280, height: 900 }, permissions, bypassCSP: true }
    await pages.visit('/n/acme', options, async (page) => {
      const focused = () => page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''")
      const first = await shown(page)
      await page.keyboard.press('ArrowRight')
      assert.equal(await focused(), `/d/acme${first[0]}`)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      // Five columns at this width.
      assert.equal(await focused(), `/d/acme${first[6]}`)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowLeft')
      assert.equal(await focused(), `/d/acme${first[0]}`)
      await page.keyboard.press('c')
      await page.getByText(`Copied acme${first[0]}`).waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), `acme${first[0]}`)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await assertAccessible(page, 'the list of keys')
      await page.keyboard.press('Escape')
      assert.equal(await page.getByRole('dialog').count(), 0)
      await page.keyboard.press('/')
      await page.keyboard.type('c?/')
      assert.equal(await page.inputValue('input[name=q]'), 'c?/', 'nothing is taken from a person who types')
      await page.getByRole('button', { name: '? keys' }).click()
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await page.keyboard.press('Escape')
      await page
        .locator('main')
        .evaluate((main) => (main.ownerDocument.activeElement as unknown as { blur(): void }).blur())
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/d/acme${first[0]}`)
    })
  })
})
