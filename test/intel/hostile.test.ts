// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Capture } from '../../src/intel/browser.ts'
import { SiteError } from '../../src/intel/site-error.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { createChromium } from '../../src/intel/sources/chromium.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { BYTES, html, NOWHERE, page, RESPONSES, SCRIPTS, STUCK } from '../support/hostile-cases.ts'
import { type Lure, NAVIGATIONS, SUBRESOURCES, WITHOUT_PROOF } from '../support/hostile-pages.ts'
import { CONTROL, type HostileWeb, type RawSite, type Site, startHostileWeb } from '../support/hostile-web.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')

const AT_ONCE = 4
/** Number of attacks that share one page, because a visit is the expensive part. */
const KINDS_ON_A_PAGE = 6
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const forever = new AbortController().signal

/** Names whose addresses are the attack. */
const PRIVATE_NAMES: Record<string, readonly string[]> = {
  'loopback.example': ['127.0.0.1'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'six.example': ['::1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'tunnel.example': ['2002:7f00:1::'],
  'link.example': ['169.254.169.254'],
  'rebinding.example': ['127.0.0.1'],
}

let web: HostileWeb
/** With long timeouts. */
let patient: Browser
/** With short timeouts, for pages that never end. */
let hasty: Browser

const url = (authority: string) => `http://${authority}:${web.canaryPort}/`
const spellings = () =>
  [
    '127.0.0.1',
    'localhost',
    'localhost.',
    'app.localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    'user:word@127.0.0.1',
    ...Object.keys(PRIVATE_NAMES),
  ].map(url)

let count = 0
/** Visits a new host with this site, and checks that nothing leaked and that the final URL is a visited host. */
async function attack(site: Site, { browser = patient, prefix = 'evil' } = {}): Promise<Capture | null> {
  const host = `${prefix}${++count}.example`
  web.add(host, site)
  return checked(await visit(browser, host))
}

async function attackRaw(site: RawSite): Promise<Capture | null> {
  const host = `raw${++count}.example`
  await web.addRaw(host, site)
  return checked(await visit(hasty, host))
}

/** Null if the visit fails. */
const visit = (browser: Browser, host: string): Promise<Capture | null> =>
  browser.visit(host, forever).catch((error: unknown) => {
    assert.ok(error instanceof SiteError || error instanceof UpstreamError, String(error))
    return null
  })

function checked(capture: Capture | null): Capture | null {
  assert.equal(web.leaks(), 0, 'a request reached the forbidden port')
  if (capture) assert.match(capture.finalUrl, /^https?:\/\/((secure|evil|raw)\d+|plain)\.example\//)
  return capture
}

/** On a busy machine a page may count as settled before its script has navigated: then visit it again. */
async function lureAway({ status = 200, headers = {}, html = '' }: Lure, isAway: (capture: Capture | null) => boolean) {
  for (let visits = 1; ; visits += 1) {
    const capture = await attack((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    })
    if (visits === 4 || isAway(capture)) return capture
  }
}

async function attackUntilShown(site: Site): Promise<Capture | null> {
  for (let visits = 1; ; visits += 1) {
    const capture = await attack(site, { browser: hasty })
    if (capture !== null || visits === 4) return capture
  }
}

async function assertStillWorks(browser: Browser): Promise<void> {
  assert.equal(web.leaks(), 0, 'a request reached the forbidden port')
  // On a busy machine a single visit may time out; a broken browser always does.
  let plain = await visit(browser, 'plain.example')
  for (let visits = 1; plain === null && visits < 5; visits += 1) plain = await visit(browser, 'plain.example')
  assert.equal(plain?.text, 'A plain page.', 'the browser no longer renders a plain page')
}

/** Runs the cases, a few at a time, and then visits a plain page to see that the browser still works. */
function group<Case>(
  title: string,
  cases: Readonly<Record<string, Case>>,
  { browser, run }: { browser: () => Browser; run: (one: Case, name: string) => Promise<void> },
): void {
  test(title, { concurrency: AT_ONCE }, async (t) => {
    await Promise.all(Object.entries(cases).map(([name, one]) => t.test(name, () => run(one, name))))
    await assertStillWorks(browser())
  })
}

suite('hostile pages', { skip }, () => {
  before(async () => {
    web = await startHostileWeb()
    web.add('plain.example', html('<!doctype html><title>Plain</title><p>A plain page.'))
    const needs = {
      program,
      clock: systemClock,
      random: secureRandom,
      log: silent,
      resolve: async (host: string) => PRIVATE_NAMES[host] ?? [],
      reach: (host: string, port: number) => web.reach(host, port),
    }
    // The canary's port is allowed: only its address is forbidden.
    const common = {
      sandbox: process.getuid?.() !== 0,
      lowPriority: false,
      concurrent: AT_ONCE,
      queue: 100,
      ports: [80, 443, web.canaryPort],
    }
    patient = await createChromium({ ...needs, options: { ...common, timeoutMs: 60_000, settleMs: 3000 } })
    hasty = await createChromium({
      ...needs,
      options: { ...common, timeoutMs: 6000, pictureMs: 4000, settleMs: 500, maxBytes: 4_000_000 },
    })
    await Promise.all([patient.ready(forever), hasty.ready(forever)])
  })
  after(async () => {
    await Promise.all([patient.close(), hasty.close()])
    await web.close()
  })

  group('no subresource request reaches a private address, in any spelling', pagesOf(SUBRESOURCES), {
    browser: () => patient,
    async run(pieces) {
      const isUntried = ([name]: Piece) => !WITHOUT_PROOF.has(name) && web.tried(pathOf(name)) === 0
      // On a busy machine a page may count as settled before its last script has run: then visit it again.
      for (let [visits, left] = [1, pieces]; left.length > 0; visits += 1, left = pieces.filter(isUntried)) {
        assert.ok(visits <= 4, `never requested: ${left.map(([name]) => name).join(', ')}`)
        // Each kind has its own path, because the browser may not repeat a request that failed.
        const body = left.flatMap(([name, piece]) =>
          [`http://${CONTROL}/`, ...spellings()].map((url) => piece(url + pathOf(name))),
        )
        const capture = await attack(html(page(body.join('\n'))))
        assert.equal(capture?.title, 'Hostile')
        assert.match(capture.text, /still here/)
      }
    },
  })

  const away = ['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'https://[fd00::1]/']
  test('an HTTP redirect to a private address in any spelling ends the visit without a capture', async () => {
    const location =
      (target: string): Site =>
      (_request, response) =>
        void response.writeHead(302, { location: target }).end()
    const targets = [...spellings(), ...away]
    await Promise.all(targets.map(async (target) => assert.equal(await attack(location(target)), null, target)))
    await assertStillWorks(patient)
  })

  group('a navigation to a private address ends the visit without a capture', NAVIGATIONS, {
    browser: () => patient,
    async run(make) {
      for (const target of [url('127.0.0.1'), url('rebinding.example')]) {
        const capture = await lureAway(make(target), (capture) => capture === null)
        assert.equal(capture, null, target)
      }
    },
  })

  group('a navigation to another public host is followed, and the capture has both hops', NAVIGATIONS, {
    browser: () => patient,
    async run(make) {
      const capture = await lureAway(make('http://plain.example/'), (capture) => capture?.text === 'A plain page.')
      assert.equal(capture?.finalUrl, 'http://plain.example/')
      assert.equal(capture.hops.length, 2)
      assert.equal(capture.hops[1], 'http://plain.example/')
      assert.equal(capture.text, 'A plain page.')
    },
  })

  test('a private host is not visited, in any spelling', async () => {
    for (const host of ['127.0.0.1', 'localhost', '0x7f000001', '[::1]', ...Object.keys(PRIVATE_NAMES)]) {
      assert.equal(await visit(patient, host), null, host)
      assert.equal(await visit(patient, `${host}:${web.canaryPort}`), null, host)
    }
    assert.equal(web.leaks(), 0)
  })

  group('a navigation to a forbidden target captures the page itself or nothing', NOWHERE, {
    browser: () => hasty,
    async run(ways, target) {
      for (const name of ways) {
        const { status = 200, headers = {}, html: body = '' } = NAVIGATIONS[name]!(target)
        const capture = await attack(
          (_request, response) => {
            response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(page(body))
          },
          { browser: hasty },
        )
        if (capture) assert.equal(capture.text, 'still here')
      }
    },
  })

  group('the browser survives every hostile script', SCRIPTS, {
    browser: () => hasty,
    async run(code) {
      const capture = await attack(html(page(`<script>${code}</script>`)), { browser: hasty })
      if (capture) {
        assert.match(capture.text, /^still here/)
        assert.equal(capture.title, 'Hostile')
      }
    },
  })

  group('a visit to a page that never ends times out', STUCK, {
    browser: () => hasty,
    run: async (code) => void (await attack(html(page(`<script>${code}</script>`)), { browser: hasty })),
  })

  group('a visit ends in time for every hostile response', RESPONSES, {
    browser: () => hasty,
    run: async (site) => void (await attack(site, { browser: hasty })),
  })

  group('a visit ends in time for every malformed response', BYTES, {
    browser: () => hasty,
    run: async (bytes) => void (await attackRaw((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))),
  })

  test('a page that never finishes loading is captured as far as it loaded', async () => {
    const drip: Site = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(page(''))
      const timer = setInterval(() => response.write('<i>drip</i>'), 100)
      response.once('close', () => clearInterval(timer))
    }
    const capture = await attackUntilShown(drip)
    assert.match(capture?.text ?? '', /^still here/)
    assert.match(capture?.firstBody ?? '', /^<!doctype html><title>Hostile/)
    assert.deepEqual([...(capture?.screenshot ?? [])].slice(0, 3), [0xff, 0xd8, 0xff])
  })

  test('a page above the byte limit is truncated and captured', async () => {
    const long: Site = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(page(''))
      response.end('<!-- -->'.repeat(1_000_000))
    }
    const capture = await attackUntilShown(long)
    assert.match(capture?.text ?? '', /^still here/)
    assert.ok((capture?.html.length ?? Infinity) <= 1_048_576)
    assert.ok((capture?.firstBody.length ?? Infinity) <= 524_288)
  })

  test('a service worker ends with the visit, and reaches no private address', async () => {
    const worker = `for (const url of ${JSON.stringify([`http://${CONTROL}/worker`, ...spellings()])}) fetch(url, { mode: 'no-cors' }).catch(() => {})`
    const body = page(
      `<script>ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/worker.js')</script>`,
    )
    const site: Site = (request, response) =>
      request.url === '/worker.js'
        ? html(worker, { 'content-type': 'text/javascript' })(request, response)
        : html(body)(request, response)
    const capture = await attack(site, { prefix: 'secure' })
    await assertStillWorks(patient)
    assert.equal(capture?.text, 'still here')
    assert.match(capture.finalUrl, /^https:/)
  })
})

const pathOf = (name: string) => encodeURIComponent(name)

type Piece = readonly [name: string, piece: (url: string) => string]

/** Groups a few kinds per page; the key lists their names. */
function pagesOf(kinds: Readonly<Record<string, Piece[1]>>): Record<string, readonly Piece[]> {
  const all = Object.entries(kinds)
  const pages = Array.from({ length: Math.ceil(all.length / KINDS_ON_A_PAGE) }, (_, at) =>
    all.slice(at * KINDS_ON_A_PAGE, (at + 1) * KINDS_ON_A_PAGE),
  )
  return Object.fromEntries(pages.map((pieces) => [pieces.map(([name]) => name).join(', '), pieces]))
}
