// needs: chromium
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { request } from 'undici'
import { pages } from '../../sandbox/pages.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type BrowserWiring, openBrowser } from '../../src/app/wiring/browser.ts'
import { createOutbound } from '../../src/app/wiring/outbound.ts'
import { intelRoutes } from '../../src/intel/routes.ts'
import { createIntel } from '../../src/intel/service.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { pictureMount } from '../../src/surfaces/http/pictures.ts'
import { startPaidDoor } from '../support/paid-door.ts'
import { hasReceipt } from '../support/paid-world.ts'
import { serverFor } from '../support/servers/for-suites.ts'
import { quiet } from '../support/simulated-payments.ts'

const { skip, address: program } = serverFor('chromium')

type IntelBody = Record<string, unknown> & { parked_signals?: string[] }

suite('GET /v1/intel with a real browser', { skip }, () => {
  let world: World
  let folder: string
  let looking: BrowserWiring
  let door: Awaited<ReturnType<typeof startPaidDoor>>

  const open = (chromium: string): BrowserWiring =>
    openBrowser({
      config: {
        chromium,
        browserSandbox: process.getuid?.() !== 0,
        screenshots: { days: 30, megabytes: 100, s3: null },
        sandboxPages: Number(world.settings['ONOMA_SANDBOX_PAGES']),
        dataDir: folder,
      },
      outbound: createOutbound({ config: { sandbox: true, namedHosts: {} }, clock: systemClock, log: quiet }),
      clock: systemClock,
      random: secureRandom,
      log: quiet,
      resolve: () => Promise.reject(new Error('unexpected DNS lookup')),
      secret: () => Buffer.from('a secret'),
    })
  const sell = (looking: BrowserWiring) => {
    const intel = createIntel({
      ...looking,
      standingOf: async (domain) => ({ state: domain.startsWith('free') ? 'available' : 'registered' }),
      hostingOf: async () => ({ nameservers: [], addresses: [] }),
      urlOf: (id) => `${door.url}/screenshots/${id}.jpg`,
      log: quiet,
    })
    return startPaidDoor(intelRoutes(intel), [pictureMount(looking.screenshots)])
  }
  const intelOf = async (domain: string): Promise<IntelBody> => {
    const { status, body, text } = await door.buy(`/v1/intel?domain=${domain}`)
    assert.equal(status, 200, text)
    return body as IntelBody
  }

  before(async () => {
    world = await startWorld([pages])
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-looking-'))
    looking = open(program)
    door = await sell(looking)
  })
  after(async () => {
    await door.stop()
    await looking.close()
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a parked page is detected, with a screenshot', async () => {
    const { parked, parked_confidence, parked_signals = [], ...rest } = await intelOf('forsale-harbour.com')
    assert.equal(parked, true)
    assert.ok(Number(parked_confidence) > 0.9)
    assert.ok(parked_signals.includes('for_sale'))
    assert.equal(rest['final_url'], 'http://forsale-harbour.com/')
    assert.ok(Number.isInteger(rest['load_time_ms']))
    assert.ok(!('error' in rest))
    const { statusCode, headers, body } = await request(String(rest['screenshot_url']))
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/jpeg'])
    const jpeg = Buffer.from(await body.arrayBuffer())
    assert.deepEqual([...jpeg.subarray(0, 3)], [0xff, 0xd8, 0xff])
    assert.ok(jpeg.length > 3000)
  })

  test('a page that only redirects is judged by its target', async () => {
    const { parked, final_url } = await intelOf('lander-harbour.com')
    assert.deepEqual([parked, final_url], [true, 'http://lander-harbour.com/lander'])
  })

  test('an ordinary page is not parked, whether rendered by the server, by a script, or after a redirect', async () => {
    for (const name of ['shop-harbour.com', 'app-harbour.com', 'soon-harbour.com']) {
      const { parked, parked_confidence, screenshot_url } = await intelOf(name)
      assert.equal(parked, false, name)
      assert.ok(Number(parked_confidence) < 0.5 && screenshot_url !== undefined, name)
    }
    const { parked, final_url } = await intelOf('moved-harbour.com')
    assert.deepEqual([parked, final_url], [false, 'http://www.moved-harbour.com/'])
  })

  test('a page on a private address, or one that cannot be reached, is an error without a verdict', async () => {
    const problems = { 'redirect-harbour.com': 'site_not_public', 'reset-harbour.com': 'site_unreachable' }
    for (const [name, error] of Object.entries(problems)) {
      const { wallet, send } = await door.pay(`/v1/intel?domain=${name}`)
      const reply = await send()
      assert.deepEqual(reply.body, { domain: name, available: false, parked: false, error })
      assert.deepEqual([hasReceipt(reply), door.paidBy(wallet)], [false, 0n])
    }
  })

  test('a missing browser, or one that does not start, is 503 before payment is requested', async (t) => {
    for (const program of ['/nowhere/chromium', '/bin/false']) {
      const blind = open(program)
      const shop = await sell(blind)
      t.after(async () => {
        await shop.stop()
        await blind.close()
      })
      const reply = await shop.get('/v1/intel?domain=forsale-harbour.com')
      assert.deepEqual([reply.status, (reply.body as IntelBody)['error']], [503, 'service_unavailable'])
      assert.ok(!reply.headers.has('payment-required') && !reply.headers.has('www-authenticate'))
    }
  })
})
