// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { hashTypedData } from 'viem'
import { sign } from 'viem/accounts'
import { type PageBrowser, startPageBrowser } from '../support/page-browser.ts'
import { assertLooks } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')

suite('the status, and payment in the browser', { skip }, () => {
  let pages: PageBrowser
  before(async () => {
    pages = await startPageBrowser(program)
  })
  after(() => pages?.stop())

  test('the status names parts, feeds with their age, and registries, without a script too', async () => {
    await fetch(`${pages.service.url}/v1/whois?domain=taken-shop.com`)
    // The feeds are fetched at the start, and the service does not wait for them.
    while (!(await (await fetch(`${pages.service.url}/v1/auctions?limit=1`)).text()).includes('last_sync'));
    await pages.visit('/status', { javaScriptEnabled: false }, async (page) => {
      for (const text of ['disk', 'keys', 'trademarks', 'source_a', 'rdap', 'Payments are simulated.'])
        await page.getByText(text, { exact: true }).first().waitFor()
      await page
        .getByText(/^\d+ (?:second|minute)s? old$/)
        .first()
        .waitFor()
      assert.match(await page.title(), /^Onoma: the service is ready$/)
    })
  })

  test('one click pays with play money, and shows the answers in place', async () => {
    await pages.visit('/d/acme.com', { bypassCSP: true }, async (page) => {
      for (const name of [/with comparable sales/, /Whether it is parked/]) {
        await page.getByRole('button', { name }).click()
        await page.locator('.bought').last().waitFor()
        await page.getByRole('button', { name }).waitFor({ state: 'detached' })
      }
      await page.getByRole('img', { name: /^From \$[\d,]+ to \$[\d,]+, most likely \$/ }).waitFor()
      const picture = page.getByRole('img', { name: 'Screenshot of acme.com' })
      await picture.waitFor()
      assert.ok(
        await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode().then(() => true)),
      )
      assert.equal(await page.getByText('· paid').count(), 2)
      await assertLooks(page, 'bought')
    })
    const { payments } = (await (await fetch(`${pages.service.url}/v1/sandbox/ledger`)).json()) as {
      payments: { endpoint: string; state: string }[]
    }
    assert.deepEqual([...new Set(payments.map(({ state }) => state))], ['settled'])
  })

  test('without a script there is no button, and the command that pays is shown', async () => {
    await pages.visit('/d/acme.com', { javaScriptEnabled: false }, async (page) => {
      assert.equal(await page.locator('[data-pay]:visible').count(), 0)
      await page.getByText(/^npx mppx '.*\/v1\/valuation\/acme\.com\?tier=full'$/).waitFor()
    })
  })

  test('a changed price, and a service that cannot be reached, cost nothing and say so', async () => {
    await pages.visit('/d/acme.com', {}, async (page) => {
      const button = page.locator('[data-pay]').first()
      await button.evaluate((found) => found.setAttribute('data-usd', '0.01'))
      await button.click()
      await page.getByText('The price has changed. Load the page again; nothing was paid.').waitFor()
      await page.context().setOffline(true)
      await button.click()
      await page.getByText('The service cannot be reached. Nothing was paid.').waitFor()
    })
  })
})

/** The account of the play money, as a wallet in the browser. */
const WALLET = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const

suite('a wallet in the browser', { skip }, () => {
  let pages: PageBrowser
  before(async () => {
    pages = await startPageBrowser(program)
  })
  after(() => pages?.stop())

  const inject = (answers: string) =>
    `window.ethereum = { request: ({ method, params }) => window.answer(method, params), ${answers} }`

  test('is asked for a signature that the service accepts, on the right chain', async () => {
    const asked: string[] = []
    await pages.visit('/d/acme.com', { initScript: inject('') }, async (page) => {
      await page.exposeFunction('answer', async (method: string, params: readonly string[]) => {
        asked.push(method)
        if (method === 'eth_requestAccounts') return [WALLET.address]
        if (method === 'eth_chainId') return '0x1'
        if (method !== 'eth_signTypedData_v4') return null
        const typed = JSON.parse(params[1]!) as Parameters<typeof hashTypedData>[0]
        return sign({ hash: hashTypedData(typed), privateKey: WALLET.key, to: 'hex' })
      })
      // As if the money were real: the button has no play wallet, and the 402 does not say that it is simulated.
      await page.route('**/v1/valuation/**', async (route) => {
        const response = await route.fetch()
        const headers = { ...response.headers() }
        delete headers['x-payments-mode']
        await route.fulfill({ response, headers })
      })
      const button = page.locator('[data-pay]').first()
      await button.evaluate((found) => found.removeAttribute('data-play'))
      await button.click()
      await page.getByText('· paid').waitFor()
      assert.deepEqual(asked, [
        'eth_requestAccounts',
        'eth_chainId',
        'wallet_switchEthereumChain',
        'eth_signTypedData_v4',
      ])
    })
  })

  test('that refuses to sign pays nothing, and the button can be used again', async () => {
    await pages.visit('/d/acme.com', { initScript: inject('') }, async (page) => {
      await page.exposeFunction('answer', () => {
        throw new Error('User rejected the request.')
      })
      const button = page.locator('[data-pay]').first()
      await page.route('**/v1/valuation/**', async (route) => {
        const response = await route.fetch()
        const headers = { ...response.headers() }
        delete headers['x-payments-mode']
        await route.fulfill({ response, headers })
      })
      await button.evaluate((found) => found.removeAttribute('data-play'))
      await button.click()
      await page.getByText('User rejected the request.').waitFor()
      assert.equal(await button.isEnabled(), true)
    })
  })
})
