import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { payByX402 } from '../../examples/pay-x402.ts'
import { iana } from '../../sandbox/iana.ts'
import { names } from '../../sandbox/names/names.ts'
import { pages } from '../../sandbox/pages.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { quiet } from '../support/simulated-payments.ts'

suite('GET /v1/intel of a complete service without a browser', () => {
  let world: World
  let folder: string
  let service: Service
  before(async () => {
    world = await startWorld([iana, names, pages])
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-intel-service-'))
    const config = loadConfig({
      ...world.settings,
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_DATA_DIR: folder,
      ONOMA_CHROMIUM: join(folder, 'there-is-none'),
    })
    service = await startService(config, { log: quiet })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = async (domain: string) => {
    const response = await fetch(`${service.url}/v1/intel?domain=${domain}`)
    const { error, message } = (await response.json()) as { error: string; message: string }
    return { status: response.status, headers: response.headers, error, message }
  }

  const closed: [string, RegExp, string | null][] = [
    [
      'broken-shop.com',
      /The registration of broken-shop\.com could not be checked: its registry could not answer/,
      '30',
    ],
    ['throttled-shop.org', /its registry has rate limited us/, '30'],
    ['taken-parked-shop.com', /no browser on this server/, null],
    ['reserved-shop.com', /no browser on this server/, null],
  ]
  for (const [domain, sentence, retryAfter] of closed) {
    test(`${domain} is 503 before payment is requested, and the message says why`, async () => {
      const { status, headers, error, message } = await ask(domain)
      assert.deepEqual([status, error, headers.get('retry-after')], [503, 'service_unavailable', retryAfter], message)
      assert.match(message, sentence)
      assert.ok(!headers.has('payment-required') && !headers.has('www-authenticate'))
    })
  }

  test('an unsupported TLD is 400 with the same body as for valuation', async () => {
    const { status, error, message } = await ask('shop.notatld')
    assert.deepEqual([status, error], [400, 'invalid_domain'])
    assert.match(message, /\.notatld is not supported; GET \/v1\/tlds/)
    const valued = await fetch(`${service.url}/v1/valuation/shop.notatld`)
    assert.deepEqual([valued.status, await valued.json()], [status, { error, message }])
  })

  test('an available name needs no browser and is charged', async () => {
    assert.equal((await ask('free-shop.com')).status, 402)
    const { privateKey: key } = service.payments.simulated!.wallet
    const answer = await payByX402({ url: `${service.url}/v1/intel?domain=free-shop.com`, key, print() {} })
    assert.deepEqual(answer, { domain: 'free-shop.com', available: true, parked: false })
  })
})
