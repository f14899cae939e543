// needs: chromium
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { metasearchBody } from '../../sandbox/engine-shapes.ts'
import { type HttpServer, serveHttp } from '../../sandbox/http-server.ts'
import { OK } from '../../sandbox/outcome.ts'
import { jsonAnswer } from '../../sandbox/play-http.ts'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')
const log = { debug() {}, info() {}, warn() {}, error() {} }

const LABEL = 'taken-quibbleworth'
const RIGHT_TO_LEFT = 'بيتزا'
/** Markup that would run, attributes that would break out, and characters that would turn the rest of a line around. */
const hostile = (where: string): string =>
  `<script>window.hit='${where}'</script>"><img src=x onerror="window.hit='${where}'">'${RIGHT_TO_LEFT}\u202Edne eht`

/** A record of the registry, as RDAP has it (RFC 9083), whose every text comes from an attacker. */
const rdapObject = (domain: string) => ({
  objectClassName: 'domain',
  ldhName: domain,
  status: ['active', hostile('status')],
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T04:05:06Z' },
    { eventAction: 'expiration', eventDate: hostile('date') },
  ],
  nameservers: [{ objectClassName: 'nameserver', ldhName: 'ns1.example.net' }],
  entities: [
    {
      objectClassName: 'entity',
      roles: ['registrar'],
      publicIds: [{ type: 'IANA Registrar ID', identifier: hostile('identifier') }],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', hostile('registrar')],
        ],
      ],
      links: [{ rel: 'about', href: "javascript:window.hit='link'", type: 'text/html' }],
    },
    {
      objectClassName: 'entity',
      roles: ['registrant'],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', hostile('owner')],
          ['org', {}, 'text', hostile('organization')],
        ],
      ],
    },
  ],
})

const MARK: TrademarkRecord = {
  serial: '70000001',
  mark: `${LABEL} ${hostile('mark')}`,
  pseudoMarks: [],
  status: '700',
  statusDate: 20200101,
  filingDate: 20190101,
  registrationDate: 20200101,
  renewalDate: null,
  transactionDate: 20200101,
  owner: hostile('mark owner'),
  goods: hostile('goods'),
  classes: ['009'],
  attorney: hostile('attorney'),
  history: [],
}

const AUCTION_COLUMNS = 'url,name,startDate,endDate,price,startPrice,renewPrice,bidCount'
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

suite('data of others is text', { skip }, () => {
  let folder: string
  let names: Names
  let service: Service
  let browser: Browser
  const servers: HttpServer[] = []
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-hostile-'))
    names = await startNames({ seed: 3 })
    const wait = async () => {}
    const registry = await serveHttp(
      ({ url }) => ({ outcome: OK, answer: jsonAnswer(rdapObject(url.pathname.split('/').at(-1)!)) }),
      { wait },
    )
    const engine = await serveHttp(
      ({ url }) => {
        const pages = [
          { title: hostile('title'), url: `https://${LABEL}.com/`, snippet: hostile('snippet') },
          { title: `${LABEL}: ${hostile('title')}`, url: "javascript:window.hit='result'", snippet: '' },
        ]
        return { outcome: OK, answer: jsonAnswer(metasearchBody(url.searchParams.get('q') ?? '', pages)) }
      },
      { wait },
    )
    servers.push(registry, engine)
    const bootstrap = JSON.parse(readFileSync(names.settings['ONOMA_RDAP_BOOTSTRAP']!, 'utf8')) as {
      services: [string[], string[]][]
    }
    const services = bootstrap.services.map(([tlds, urls]) => [
      tlds,
      tlds.includes('com') ? [`${registry.url}/`] : urls,
    ])
    writeFileSync(join(folder, 'rdap.json'), JSON.stringify({ ...bootstrap, services }))
    const inDays = (days: number) => new Date(systemClock.now() + days * 86_400_000).toISOString()
    const lots = [hostile('auction'), `${LABEL}.com`].map((name) =>
      [`javascript:window.hit='auction'`, name, inDays(-1), inDays(3), '10.00', '1.00', '13.98', '2']
        .map(quoted)
        .join(','),
    )
    writeFileSync(join(folder, 'auctions.csv'), [AUCTION_COLUMNS, ...lots, ''].join('\n'))
    await ingest(join(folder, 'index'), [recordsSource('one mark', [MARK])], { clock: systemClock })
    const config = loadConfig({
      ...names.settings,
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: 'off',
      ONOMA_DATA_DIR: join(folder, 'data'),
      ONOMA_RDAP_BOOTSTRAP: join(folder, 'rdap.json'),
      ONOMA_TRADEMARK_INDEX: join(folder, 'index'),
      ONOMA_AUCTIONS_SOURCE_A_URL: join(folder, 'auctions.csv'),
      ONOMA_AUCTIONS_SOURCE_A_PRESET: 'namecheap',
      ONOMA_ENGINE_A_KIND: 'searxng',
      ONOMA_ENGINE_A_URL: engine.url,
    })
    service = await startService(config, { log, timeoutScale: 100 })
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    await service?.stop({ lingerMs: 0, graceMs: 0 })
    for (const server of servers) await server.stop()
    await names?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('an owner, a mark, an auction and a page title with markup in them run nothing and break nothing', async () => {
    // The feed is loaded at the start, and the service does not wait for it.
    while (!(await (await fetch(`${service.url}/v1/auctions?limit=1`)).text()).includes('last_sync'));
    const context = await browser.newContext({ viewport: { width: 320, height: 700 } })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    const expected = {
      [`/d/${LABEL}.com`]: ['registrar', 'owner', 'organization', 'mark', 'mark owner'],
      [`/n/${LABEL}`]: ['title', 'mark', 'mark owner'],
    }
    // A house that lists what is not a domain is not believed: no page shows it as one.
    const listed = await (await fetch(`${service.url}/v1/auctions?limit=100`)).text()
    assert.doesNotMatch(listed, /window\.hit/)
    for (const [path, shown] of Object.entries(expected)) {
      await page.goto(service.url + path)
      await page.locator('html.js').waitFor({ state: 'attached' })
      for (const where of shown) {
        // Letter by letter, as it was sent. Search engines mark matches with tags, so tags are taken out of their titles.
        const text = where === 'title' ? `window.hit='title'" '${RIGHT_TO_LEFT} dne eht` : hostile(where)
        const whole = page.getByText(text).filter({ visible: true })
        assert.ok((await whole.count()) > 0, `${path}: ${where}`)
        assert.ok((await page.getByText(RIGHT_TO_LEFT).filter({ visible: true }).count()) > 0, `${path}: right to left`)
      }
      assert.equal(await page.evaluate('window.hit'), undefined, path)
      assert.equal(await page.locator('main img, main script, a[href^="javascript:"]').count(), 0, path)
      const [content, window] = await page.evaluate<number[]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )
      assert.ok(content! <= window!, `${path}: ${content} in ${window}`)
      // What follows an override of the direction in the same line is not turned around.
      assert.deepEqual(await page.evaluate(OPEN_OVERRIDES), [], path)
    }
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('a name from right to left keeps the words after it in their place, in the title too', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    for (const [path, name] of [
      [`/n/${RIGHT_TO_LEFT}`, RIGHT_TO_LEFT],
      [`/d/${RIGHT_TO_LEFT}.net`, `${RIGHT_TO_LEFT}.net`],
    ] as const) {
      await page.goto(service.url + encodeURI(path))
      assert.match(await page.title(), new RegExp(`^\u2068${name}\u2069: \\w`), path)
      assert.equal(await page.locator('h1 bdi').innerText(), name)
    }
    await page.goto(`${service.url}/n/${LABEL}`)
    assert.ok((await page.title()).startsWith(`${LABEL}: `), 'others have no marks in their titles')
    await context.close()
  })
})

/** Texts with a character that turns text around, which share their element with other text and are not isolated. */
const OPEN_OVERRIDES = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!/[\\u202A-\\u202E\\u2066-\\u2069]/.test(text.data)) continue
    const isolated = text.parentElement.closest('bdi, [dir=auto], title')
    if (!isolated) found.push(text.data.slice(0, 80))
  }
  return found
})()`
