// needs: chromium
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { assertLooks } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')
const log = { debug() {}, info() {}, warn() {}, error() {} }

const listen = async (server: Server): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A proxy that passes an answer on when all of it has arrived. */
const createBufferingProxy = (target: string): Server =>
  createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    incoming.pipe(
      request(new URL(url, target), { method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const body = Buffer.concat(chunks)
          const { 'transfer-encoding': _, ...rest } = answer.headers
          outgoing.writeHead(answer.statusCode!, { ...rest, 'content-length': body.length }).end(body)
        })
      }),
    )
  })

/** Nothing is set up but the registries, and the registry of .com does not answer for names with `stuck` in them. */
suite('a service with everything off, behind bad connections', { skip }, () => {
  let folder: string
  let names: Names
  let service: Service
  let browser: Browser
  let registry: Server
  /** Queries that reached the registry and got no answer; `ended` is resolved when the service gives one up. */
  const stuck: { readonly domain: string; readonly ended: Promise<unknown> }[] = []
  let onStuck: () => void = () => {}
  /** Every query that reached the registry of .com. */
  const seen: string[] = []
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-interruptions-'))
    names = await startNames({ seed: 3 })
    registry = createServer((incoming, outgoing) => {
      const domain = incoming.url!.split('/').at(-1)!
      seen.push(domain)
      if (domain.includes('stuck')) {
        stuck.push({ domain, ended: once(outgoing, 'close') })
        return onStuck()
      }
      outgoing.writeHead(404, { 'content-type': 'application/rdap+json' })
      outgoing.end(JSON.stringify({ errorCode: 404, title: 'Not Found' }))
    })
    const url = await listen(registry)
    const bootstrap = JSON.parse(readFileSync(names.settings['ONOMA_RDAP_BOOTSTRAP']!, 'utf8')) as {
      services: [string[], string[]][]
    }
    const services = bootstrap.services.map(([tlds, urls]) => [tlds, tlds.includes('com') ? [`${url}/`] : urls])
    writeFileSync(join(folder, 'rdap.json'), JSON.stringify({ ...bootstrap, services }))
    const config = loadConfig({
      ...names.settings,
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      // Queries to servers on this machine are for the sandbox; play money needs an address on this machine, too.
      ONOMA_SANDBOX: 'on',
      ONOMA_PUBLIC_URL: 'https://names.example',
      ONOMA_RATE_LIMIT: '1000',
      ONOMA_DATA_DIR: join(folder, 'data'),
      ONOMA_RDAP_BOOTSTRAP: join(folder, 'rdap.json'),
    })
    service = await startService(config, { log, timeoutScale: 100 })
    // Loads the code of the pages.
    await (await fetch(`${service.url}/n/free-shop`)).text()
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    await service?.stop({ lingerMs: 0, graceMs: 0 })
    registry?.closeAllConnections()
    registry?.close()
    await names?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const visit = async (
    url: string,
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(url)
    await use(page)
    assert.deepEqual(problems, [])
    await context.close()
  }
  /** In the order of the DOM they are as they arrived. */
  const tilesOf = async (page: Page): Promise<string[]> =>
    (await page.locator('li.tile:visible').allInnerTexts()).toSorted()

  test('every page works, and says what is off and how to switch it on', async () => {
    await visit(`${service.url}/n/free-shop`, { bypassCSP: true }, async (page) => {
      assert.equal((await tilesOf(page)).length, 20)
      await page.getByText('ONOMA_AUCTIONS').first().waitFor()
      await page.getByText('onoma trademark fetch').first().waitFor()
      await assertLooks(page, 'a name with everything off')
      await page.goto(`${service.url}/d/free-shop.com`)
      assert.equal(await page.locator('[data-pay]').count(), 0, 'nothing is sold')
      await assertLooks(page, 'a domain with everything off')
      await page.goto(`${service.url}/status`)
      await assertLooks(page, 'the status with everything off')
    })
  })

  test('behind a proxy that buffers, the page is complete, with a script and without', async () => {
    const proxy = createBufferingProxy(service.url)
    const url = await listen(proxy)
    const seen: string[][] = []
    for (const javaScriptEnabled of [true, false])
      await visit(`${url}/n/free-shop`, { javaScriptEnabled }, async (page) => {
        assert.equal(await page.getByText('asking', { exact: true }).filter({ visible: true }).count(), 0)
        assert.equal(await page.locator('.card').count(), 5)
        assert.match(await page.title(), /^free-shop: \S/)
        seen.push(await tilesOf(page))
      })
    assert.equal(seen[0]!.length, 20)
    assert.deepEqual(seen[0], seen[1])
    proxy.closeAllConnections()
    proxy.close()
  })

  test('Back during a stream ends what the service does for it', async () => {
    await visit(`${service.url}/bulk`, { javaScriptEnabled: false }, async (page) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      onStuck = resolve
      await page.fill('#names', 'free-stuck.com')
      await page.getByRole('button', { name: 'Check the list' }).click({ noWaitAfter: true })
      await promise
      await page.locator('.rows').waitFor({ state: 'attached' })
      await page.goBack()
      // Its timeout is a hundred times the usual one: only the disconnect ends it.
      await Promise.all(stuck.map(({ ended }) => ended))
      assert.equal(new URL(page.url()).pathname, '/bulk')
      assert.equal(await page.locator('.rows').count(), 0)
    })
  })

  test('Back while the page of a name arrives ends its lookups', async () => {
    await visit(`${service.url}/`, { javaScriptEnabled: false }, async (page) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = stuck.length
      onStuck = resolve
      await page.fill('input[name=q]', 'free-stuckback')
      await page.keyboard.press('Enter')
      await promise
      await page.locator('li.tile').first().waitFor()
      await page.goBack()
      // Its timeout is a hundred times the usual one: the disconnect ends it, or at last the deadline of the dossier.
      await Promise.all(stuck.slice(before).map(({ ended }) => ended))
      assert.equal(new URL(page.url()).pathname, '/')
    })
  })

  test('two tabs of one name share the lookups, and both are complete', async () => {
    const context = await browser.newContext()
    const [first, second] = [await context.newPage(), await context.newPage()]
    const before = seen.length
    await Promise.all([first.goto(`${service.url}/n/free-twotabs`), second.goto(`${service.url}/n/free-twotabs`)])
    for (const page of [first, second]) {
      assert.equal((await tilesOf(page)).length, 20)
      assert.match(await page.title(), /^free-twotabs: \S/)
    }
    assert.deepEqual(seen.slice(before), ['free-twotabs.com'], 'the registry of .com is asked once')
    await context.close()
  })

  test('two tabs of one name are independent, and show the same', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const [first, second] = [await context.newPage(), await context.newPage()]
    await Promise.all([first.goto(`${service.url}/n/taken-tabs`), second.goto(`${service.url}/n/taken-tabs`)])
    for (const page of [first, second]) await page.locator('html.js').waitFor({ state: 'attached' })
    const all = await tilesOf(second)
    assert.deepEqual(await tilesOf(first), all)
    await first.getByRole('link', { name: 'free', exact: true }).click()
    assert.equal(new URL(first.url()).search, '?state=free')
    assert.equal(new URL(second.url()).search, '')
    assert.deepEqual(await tilesOf(second), all)
    await context.close()
  })
})
