import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, suite, test } from 'node:test'
import { request } from 'undici'
import type { Browser, Capture } from '../../src/intel/browser.ts'
import { intelRoutes } from '../../src/intel/routes.ts'
import { createIntel } from '../../src/intel/service.ts'
import { SITE_PROBLEMS, SiteError, type SiteProblem } from '../../src/intel/site-error.ts'
import { diskScreenshots } from '../../src/intel/sources/screenshots/disk.ts'
import type { Standing } from '../../src/intel/standing.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { pictureMount } from '../../src/surfaces/http/pictures.ts'
import { startPaidDoor } from '../support/paid-door.ts'
import { hasReceipt } from '../support/paid-world.ts'

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('what a visitor sees')])
const PARKED_HTML = '<!doctype html><title>shop.example</title><h1>shop.example is for sale</h1><p>Make an offer.</p>'

const captureOf = (host: string, changes: Partial<Capture> = {}): Capture => ({
  finalUrl: `https://${host}/`,
  hops: [`https://${host}/`],
  status: 200,
  firstBody: PARKED_HTML,
  html: PARKED_HTML,
  title: 'shop.example',
  text: 'shop.example is for sale Make an offer.',
  hosts: [host],
  screenshot: JPEG,
  loadTimeMs: 431.6,
  ...changes,
})

suite('GET /v1/intel', () => {
  let folder: string
  let door: Awaited<ReturnType<typeof startPaidDoor>>
  const visited: string[] = []
  const checked: string[] = []
  const warnings: string[] = []
  let hasRoom: () => boolean
  let ready: () => Promise<void>
  let visit: Browser['visit']
  let standing: (domain: string) => Promise<Standing>
  let hosting: { nameservers: string[]; addresses: string[] }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-intel-'))
    const screenshots = diskScreenshots({
      folder: join(folder, 'screenshots'),
      secret: () => Buffer.from('a secret'),
      maxAgeMs: 1e9,
      maxBytes: 1e9,
      clock: systemClock,
      random: secureRandom,
    })
    const intel = createIntel({
      browser: {
        hasRoom: () => hasRoom(),
        ready: () => ready(),
        visit(host, signal) {
          visited.push(host)
          return visit(host, signal)
        },
        close: async () => {},
      },
      screenshots,
      standingOf(domain) {
        checked.push(domain)
        return standing(domain)
      },
      hostingOf: async () => hosting,
      urlOf: (id) => `${door.url}/screenshots/${id}.jpg`,
      log: { debug() {}, info() {}, error() {}, warn: (_facts, sentence) => void warnings.push(sentence) },
    })
    door = await startPaidDoor(intelRoutes(intel), [pictureMount(screenshots)])
  })
  after(async () => {
    await door.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    for (const list of [visited, checked, warnings]) list.length = 0
    hasRoom = () => true
    ready = async () => {}
    visit = async (host) => captureOf(host)
    standing = async () => ({ state: 'registered' })
    hosting = { nameservers: ['ns1.hosting.example'], addresses: ['203.0.113.9'] }
  })

  const intelOf = (domain: string) => door.buy(`/v1/intel?domain=${encodeURIComponent(domain)}`)

  test('without a payment nothing is looked at', async () => {
    const { status, body } = await door.get('/v1/intel?domain=shop.example')
    assert.deepEqual([status, (body as { error: string }).error], [402, 'payment_required'])
    assert.deepEqual([checked, visited], [['shop.example'], []])
  })

  test('a free name has three fields and no visitor', async () => {
    standing = async () => ({ state: 'available' })
    // Nothing of this needs a browser.
    hasRoom = () => false
    ready = () => Promise.reject(new UpstreamError('not_configured', 'there is no browser on this machine'))
    const reply = await intelOf('free.example')
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, { domain: 'free.example', available: true, parked: false })
    assert.ok(hasReceipt(reply))
    assert.deepEqual(visited, [])
  })

  test('a name that is taken has everything, and its picture is where the answer says', async () => {
    hosting = { nameservers: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], addresses: [] }
    visit = async (host) =>
      captureOf(host, { finalUrl: `https://${host}/lander`, hops: [`https://${host}/`, `https://${host}/lander`] })
    const { status, body, text } = await intelOf('shop.example')
    assert.equal(status, 200, text)
    const { parked_confidence, parked_signals, screenshot_url, ...rest } = body as Record<string, unknown>
    assert.deepEqual(rest, {
      domain: 'shop.example',
      available: false,
      parked: true,
      final_url: 'https://shop.example/lander',
      load_time_ms: 432,
    })
    assert.ok(typeof parked_confidence === 'number' && parked_confidence > 0.9 && parked_confidence <= 1)
    assert.ok(Array.isArray(parked_signals))
    for (const signal of ['for_sale', 'parking_nameserver']) assert.ok(parked_signals.includes(signal), text)
    assert.match(String(screenshot_url), /\/screenshots\/[0-9a-f]{64}\.jpg$/)
    const picture = await request(String(screenshot_url))
    assert.deepEqual(Buffer.from(await picture.body.arrayBuffer()), JPEG)
  })

  test('an ordinary page is not parked, and says how sure that is', async () => {
    const html = `<!doctype html><title>Harbour Bakery</title>${'<p>We bake bread in the old harbour every morning.</p>'.repeat(30)}`
    visit = async (host) => captureOf(host, { html, firstBody: html, title: 'Harbour Bakery', text: 'We bake bread.' })
    const body = (await intelOf('bakery.example')).body as Record<string, unknown>
    assert.equal(body['parked'], false)
    assert.ok(Number(body['parked_confidence']) < 0.2)
    assert.ok('screenshot_url' in body && 'final_url' in body && !('error' in body))
  })

  test('a name the registry keeps back is not available, and is looked at like any other', async () => {
    standing = async () => ({ state: 'reserved' })
    const { body } = await intelOf('shop.example')
    assert.deepEqual([(body as { available: boolean }).available, (body as { parked: boolean }).parked], [false, true])
  })

  const unseen: [string, () => Error, string][] = [
    ['a browser that fails', () => new UpstreamError('unavailable', 'crashed'), 'screenshot_service_unavailable'],
    ...Object.keys(SITE_PROBLEMS).map((problem): [string, () => Error, string] => [
      `a site with the problem ${problem}`,
      () => new SiteError(problem as SiteProblem),
      problem,
    ]),
  ]
  for (const [what, error, code] of unseen) {
    test(`${what}: the answer says so, is not charged, and its payment buys one answer afterwards`, async () => {
      // Even where name servers alone would tell: a verdict is one on what was seen.
      hosting = { nameservers: ['ns1.sedoparking.com'], addresses: [] }
      visit = () => Promise.reject(error())
      const { wallet, send } = await door.pay('/v1/intel?domain=shop.example')
      for (let time = 0; time < 2; time++) {
        const reply = await send()
        assert.equal(reply.status, 200)
        assert.deepEqual(reply.body, { domain: 'shop.example', available: false, parked: false, error: code })
        assert.ok(!hasReceipt(reply))
        assert.equal(reply.headers.get('cache-control'), 'no-store')
        assert.equal(door.paidBy(wallet), 0n)
      }
      visit = async (host) => captureOf(host)
      const sold = await send()
      assert.ok(hasReceipt(sold) && 'parked_confidence' in (sold.body as object))
      assert.deepEqual([(await send()).text, door.paidBy(wallet)], [sold.text, 50_000n])
      assert.equal((await send('/v1/intel?domain=other.example')).status, 402)
    })
  }

  test('a browser that cannot look is 503 before any money is asked', async () => {
    const failures = [
      [new UpstreamError('not_configured', 'there is no browser on this machine'), /no browser/, null],
      [new UpstreamError('unavailable', 'the browser does not start'), /does not start/, '30'],
    ] as const
    for (const [error, sentence, retryAfter] of failures) {
      ready = () => Promise.reject(error)
      const { status, body, headers } = await door.get('/v1/intel?domain=shop.example')
      const { error: code, message } = body as { error: string; message: string }
      assert.deepEqual([status, code, headers.get('retry-after')], [503, 'service_unavailable', retryAfter])
      assert.match(message, sentence)
      assert.ok(!headers.has('payment-required') && !headers.has('www-authenticate'))
    }
    assert.deepEqual(visited, [])
  })

  const unknown = {
    timeout: [/did not answer in time/, '5'],
    rate_limited: [/asked too often/, '30'],
    upstream_error: [/could not answer/, '30'],
  } as const
  for (const [reason, [sentence, retryAfter]] of Object.entries(unknown)) {
    test(`a registration that is not known (${reason}) is 503 before any money is asked, and after it costs nothing`, async () => {
      const { wallet, send } = await door.pay('/v1/intel?domain=shop.example')
      standing = async () => ({ state: 'unknown', reason: reason as keyof typeof unknown })
      for (const reply of [await door.get('/v1/intel?domain=shop.example'), await send()]) {
        const { error, message } = reply.body as { error: string; message: string }
        assert.deepEqual(
          [reply.status, error, reply.headers.get('retry-after')],
          [503, 'service_unavailable', retryAfter],
        )
        assert.match(message, sentence)
        assert.ok(!reply.headers.has('payment-required') && !hasReceipt(reply))
      }
      assert.deepEqual([visited, door.paidBy(wallet)], [[], 0n])
      standing = async () => ({ state: 'registered' })
      assert.ok(hasReceipt(await send()))
    })
  }

  test('a TLD that is not supported is 400 before any money is asked, as on the other endpoints', async () => {
    standing = async () => ({ state: 'unsupported', problem: 'The TLD .notatld is not supported.' })
    const reply = await door.get('/v1/intel?domain=shop.notatld')
    assert.deepEqual(
      [reply.status, reply.body],
      [400, { error: 'invalid_domain', message: 'domain: The TLD .notatld is not supported.' }],
    )
    assert.ok(!reply.headers.has('payment-required') && !reply.headers.has('www-authenticate'))
    assert.deepEqual(visited, [])
  })

  test('the registry is asked once for one answer, and what it said then is what is sold', async () => {
    const { send } = await door.pay('/v1/intel?domain=shop.example')
    checked.length = 0
    const said: Standing[] = [{ state: 'registered' }, { state: 'available' }]
    standing = async () => said.shift()!
    const { body } = await send()
    assert.deepEqual([(body as { available: boolean }).available, checked], [false, ['shop.example']])
  })

  test('an answer that was bought is given out again, though the browser is gone by then', async () => {
    const { send } = await door.pay('/v1/intel?domain=shop.example')
    const first = await send()
    ready = () => Promise.reject(new UpstreamError('not_configured', 'there is no browser on this machine'))
    const second = await send()
    assert.deepEqual([second.status, second.text], [200, first.text])
  })

  test('a picture that cannot be kept costs the answer its address and nothing else', async () => {
    const blocked = join(folder, 'screenshots')
    rmSync(blocked, { recursive: true, force: true })
    writeFileSync(blocked, 'a file where the folder should be')
    try {
      const { status, body } = await intelOf('shop.example')
      assert.equal(status, 200)
      const fields = Object.keys(body as object)
      assert.ok(!fields.includes('screenshot_url') && !fields.includes('error'))
      assert.equal((body as { parked: boolean }).parked, true)
      assert.deepEqual(warnings, ['A screenshot could not be kept.'])
    } finally {
      rmSync(blocked)
    }
  })

  const SPELLINGS: readonly (readonly [given: string, domain: string])[] = [
    ['shop.example', 'shop.example'],
    [' Shop.Example. ', 'shop.example'],
    ['http://shop.example', 'shop.example'],
    ['HTTPS://shop.example/', 'shop.example'],
    ['https://shop.example/a/b?c=d#e', 'shop.example'],
    ['shop.example/path', 'shop.example'],
    ['shop.example?x=http://other.example', 'shop.example'],
    ['https://shop.example:443/', 'shop.example'],
    ['ftp://shop.example', 'shop.example'],
    ['www.shop.example', 'www.shop.example'],
    ['https://a.b.shop.example/x', 'a.b.shop.example'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ]
  for (const [given, domain] of SPELLINGS) {
    test(`${JSON.stringify(given)} asks about ${domain}`, async () => {
      const { status, body, text } = await intelOf(given)
      assert.equal(status, 200, text)
      assert.equal((body as { domain: string }).domain, domain)
      assert.deepEqual([new Set(checked), visited], [new Set([domain]), [domain]])
    })
  }

  test('what is no domain is refused before any money is asked', async () => {
    const refused: readonly (readonly [query: string, code: string])[] = [
      ['', 'missing_parameter'],
      ['?domain=', 'missing_parameter'],
      ['?domain=%20', 'missing_parameter'],
      ['?domain', 'missing_parameter'],
      ['?domain=shop', 'invalid_domain'],
      ['?domain=http://', 'invalid_domain'],
      ['?domain=localhost', 'invalid_domain'],
      ['?domain=127.0.0.1', 'invalid_domain'],
      ['?domain=http://127.0.0.1/', 'invalid_domain'],
      ['?domain=http://[::1]/', 'invalid_domain'],
      ['?domain=0x7f000001', 'invalid_domain'],
      ['?domain=2130706433', 'invalid_domain'],
      ['?domain=http://user:word@shop.example/', 'invalid_domain'],
      ['?domain=shop.example:8080', 'invalid_domain'],
      ['?domain=file:///etc/passwd', 'invalid_domain'],
      ['?domain=javascript:alert(1)', 'invalid_domain'],
      ['?domain=data:text/html,x', 'invalid_domain'],
      ['?domain=shop.example%0d%0aHost:%20x', 'invalid_domain'],
      ['?domain=shop.example%00', 'invalid_domain'],
      ['?domain=shop%5c.example', 'invalid_domain'],
      ['?domain=http://http://shop.example', 'invalid_domain'],
      [`?domain=${'a'.repeat(64)}.example`, 'invalid_domain'],
      [`?domain=${'a.'.repeat(200)}example`, 'invalid_domain'],
    ]
    for (const [query, code] of refused) {
      const { status, body } = await door.get(`/v1/intel${query}`)
      assert.deepEqual([status, (body as { error: string }).error], [400, code], query)
    }
    assert.deepEqual([checked, visited], [[], []])
  })

  test('where the browser has too much to do, it is 503 before any money is asked', async () => {
    hasRoom = () => false
    const reply = await door.get('/v1/intel?domain=shop.example')
    assert.deepEqual([reply.status, (reply.body as { error: string }).error], [503, 'service_unavailable'])
    assert.ok(Number(reply.headers.get('retry-after')) > 0)
    assert.ok(!reply.headers.has('payment-required'))
    assert.deepEqual(visited, [])
  })

  test('who finds the queue full after paying has not paid', async () => {
    // Room when it is asked for the price and when the payment comes, and none when it is to begin.
    const room = [true, true, false]
    hasRoom = () => room.shift()!
    const reply = await intelOf('shop.example')
    assert.equal(reply.status, 503)
    assert.ok(!hasReceipt(reply))
    assert.deepEqual(visited, [])
  })

  test('a registry that does not answer is 503, and costs nothing', async () => {
    standing = () => Promise.reject(new UpstreamError('timeout', 'the registry did not answer in time'))
    const reply = await intelOf('shop.example')
    assert.deepEqual([reply.status, (reply.body as { error: string }).error], [503, 'service_unavailable'])
    assert.ok(!hasReceipt(reply))
    assert.deepEqual(visited, [])
  })
})
