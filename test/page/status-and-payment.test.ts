// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
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

  test('a refused payment says why, costs nothing, and the button can be used again', async () => {
    await pages.visit('/d/acme.com', {}, async (page) => {
      const button = page.locator('[data-pay]').first()
      const status = page.locator('.pay [role=status]').first()
      const refuse = async (pattern: string, answer: { status: number; contentType?: string; body?: string }) => {
        await page.route(pattern, (route) => route.fulfill(answer))
        await button.click()
        await page.locator('[data-pay]').first().and(page.locator(':enabled')).waitFor()
        await page.unroute(pattern)
        return status.innerText()
      }
      const problem = (message: string) => ({ contentType: 'application/json', body: JSON.stringify({ message }) })
      // The service cannot sell at the moment, or a proxy answers in its place.
      const closed = problem('Payments are not possible now; try again later.')
      assert.equal(
        await refuse('**/v1/valuation/**', { status: 503, ...closed }),
        'Payments are not possible now; try again later. Nothing was charged.',
      )
      const page502 = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }
      assert.equal(await refuse('**/v1/valuation/**', page502), 'The service answered 502. Nothing was charged.')
      assert.equal(await refuse('**/v1/sandbox/wallet', page502), 'The service answered 502. Nothing was paid.')
      // Nothing of the page is lost, and the next click pays.
      assert.match(await page.locator('.offer').first().innerText(), /npx mppx/)
      await button.click()
      await page.getByText('· paid').waitFor()
    })
  })

  test('a payment whose outcome is not known is sent again, and is paid once', async () => {
    const settled = async () =>
      ((await (await fetch(`${pages.service.url}/v1/sandbox/ledger`)).json()) as { payments: unknown[] }).payments
        .length
    const before = await settled()
    await pages.visit('/d/acme.com', {}, async (page) => {
      await page.clock.install()
      const sent = new Set<string>()
      let isLost = true
      await page.route('**/v1/valuation/**', async (route) => {
        const signature = route.request().headers()['payment-signature']
        if (signature === undefined) return route.continue()
        sent.add(signature)
        // The service is paid; its answer is lost at a proxy.
        const response = await route.fetch()
        if (isLost) return route.fulfill({ status: 504, contentType: 'text/html', body: 'Gateway timeout' })
        return route.fulfill({ response })
      })
      const button = page.locator('[data-pay]').first()
      await button.click()
      // The page waits between its attempts, by the clock of the browser.
      for (let second = 0; second < 60 && (await button.isDisabled()); second++) await page.clock.runFor(1000)
      await page.getByText('It is not known whether the payment was made.').waitFor()
      isLost = false
      await button.click()
      await page.getByText('· paid').waitFor()
      assert.equal(sent.size, 1, 'one payment was signed')
    })
    assert.equal((await settled()) - before, 1)
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

  test('with too little money is told so, and keeps what it has', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await pages.visit('/d/acme.com', { initScript: inject('') }, async (page) => {
      await page.exposeFunction('answer', async (method: string, params: readonly string[]) => {
        if (method === 'eth_requestAccounts') return [account.address]
        if (method === 'eth_chainId') return '0x2105'
        return account.signTypedData(JSON.parse(params[1]!) as Parameters<typeof account.signTypedData>[0])
      })
      await page.route('**/v1/valuation/**', async (route) => {
        const response = await route.fetch()
        const headers = { ...response.headers() }
        delete headers['x-payments-mode']
        await route.fulfill({ response, headers })
      })
      const button = page.locator('[data-pay]').first()
      await button.evaluate((found) => found.removeAttribute('data-play'))
      await button.click()
      await page.getByText('The account has less USDC than the price. Nothing was charged.').waitFor()
      assert.equal(await button.isEnabled(), true)
      assert.equal(await page.locator('.bought').count(), 0)
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
