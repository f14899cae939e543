// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { serverFor } from '../support/servers/for-suites.ts'
import { startReferenceService } from '../support/reference-service.ts'

const { skip, address: program } = serverFor('chromium')

suite('the reference in a browser', { skip }, () => {
  let service: Awaited<ReturnType<typeof startReferenceService>>
  let browser: Browser
  before(async () => {
    service = await startReferenceService()
    browser = await chromium.launch({ executablePath: program, chromiumSandbox: process.getuid?.() !== 0 })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Opens a page; what the browser refuses to load or run, or fails at, is an error. */
  const open = async (path: string, options: { javaScriptEnabled: boolean; width?: number }): Promise<Page> => {
    const { javaScriptEnabled, width = 1280 } = options
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 900 } })
    const page = await context.newPage()
    page.on('console', (message) => message.type() === 'error' && assert.fail(message.text()))
    page.on('pageerror', (error) => assert.fail(error))
    await page.goto(service.url + path)
    return page
  }
  const answerOf = (page: Page) => page.locator('[data-answer]')

  test('without a script: tabs switch, a GET opens its answer, a POST shows it, and a search is sent', async () => {
    const page = await open('/docs/checkDomains', { javaScriptEnabled: false })
    assert.equal(await page.locator('.tabs pre:visible').count(), 1)
    await page.getByText('CLI', { exact: true }).click()
    assert.match(await page.locator('.tabs pre:visible').innerText(), /^npx @onoma-names\/server check /)
    await page.getByRole('link', { name: 'Run it' }).click()
    await page.waitForURL(/\/v1\/check\?name=example&tld=com$/)
    assert.match(await page.content(), /example\.com/)

    await page.goto(`${service.url}/docs/checkBulk`)
    await page.getByRole('button', { name: 'Run it' }).click()
    await answerOf(page).getByText('Answer', { exact: true }).waitFor()
    assert.match(await answerOf(page).innerText(), /200 OK[^]*"domain": "example\.com"/)

    await page.getByRole('searchbox', { name: 'Search the reference' }).fill('rate limit')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\?q=rate\+limit$/)
    assert.equal(await page.getByRole('link', { name: 'rate_limit_exceeded' }).count(), 1)
    await page.context().close()
  })

  test('with a script: answers are shown in place, and typing filters the navigation', async () => {
    const page = await open('/docs/checkDomains', { javaScriptEnabled: true })
    await page.getByRole('link', { name: 'Run it' }).click()
    await answerOf(page).getByText('200 OK').waitFor()
    assert.match(await answerOf(page).innerText(), /^Answer, 200 OK\s+\{\s+"name": "example"/)
    assert.match(page.url(), /\/docs\/checkDomains$/)

    const items = page.locator('#contents li:visible')
    const all = await items.count()
    await page.getByRole('searchbox', { name: 'Search the reference' }).fill('trademark owner')
    assert.deepEqual(await items.allInnerTexts(), ['GET /v1/trademark/search/owner'])
    await page.getByRole('searchbox', { name: 'Search the reference' }).fill('')
    assert.equal(await items.count(), all)

    await page.goto(`${service.url}/docs/checkBulk`)
    await page.getByRole('button', { name: 'Run it' }).click()
    await answerOf(page).getByText('"checked": 1').waitFor()
    assert.match(page.url(), /\/docs\/checkBulk$/)

    // The service cannot be reached.
    await page.context().setOffline(true)
    page.removeAllListeners('console')
    await page.getByRole('button', { name: 'Run it' }).click()
    await answerOf(page).getByText('The service cannot be reached.').waitFor()
    await page.context().close()
  })
})
