import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, suite, test } from 'node:test'
import { SITE_PROBLEMS, SiteError, type SiteProblem } from '../../src/intel/site-error.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { hasReceipt } from '../support/paid-world.ts'
import { captureOf, type IntelDoor, startIntelDoor } from './intel.fixture.ts'

suite('failures of GET /v1/intel', () => {
  let door: IntelDoor
  let upstreams: IntelDoor['upstreams']
  before(async () => {
    door = await startIntelDoor()
    upstreams = door.upstreams
  })
  after(() => door.stop())
  beforeEach(() => door.reset())

  const failures: [string, () => Error, string][] = [
    ['a browser that fails', () => new UpstreamError('unavailable', 'crashed'), 'screenshot_service_unavailable'],
    ...Object.keys(SITE_PROBLEMS).map((problem): [string, () => Error, string] => [
      `a site with the problem ${problem}`,
      () => new SiteError(problem as SiteProblem),
      problem,
    ]),
  ]
  for (const [what, error, code] of failures) {
    test(`${what}: the response says so and is not charged, and the payment buys one later response`, async () => {
      // Even if the name servers alone would be enough: a verdict needs a page.
      upstreams.hosting = { nameservers: ['ns1.sedoparking.com'], addresses: [] }
      upstreams.visit = () => Promise.reject(error())
      const { wallet, send } = await door.pay('/v1/intel?domain=shop.example')
      for (let time = 0; time < 2; time++) {
        const reply = await send()
        assert.equal(reply.status, 200)
        assert.deepEqual(reply.body, { domain: 'shop.example', available: false, parked: false, error: code })
        assert.ok(!hasReceipt(reply))
        assert.equal(reply.headers.get('cache-control'), 'no-store')
        assert.equal(door.paidBy(wallet), 0n)
      }
      upstreams.visit = async (host) => captureOf(host)
      const sold = await send()
      assert.ok(hasReceipt(sold) && 'parked_confidence' in (sold.body as object))
      assert.deepEqual([(await send()).text, door.paidBy(wallet)], [sold.text, 50_000n])
      assert.equal((await send('/v1/intel?domain=other.example')).status, 402)
    })
  }

  test('a missing browser, or one that does not start, is 503 before payment is requested', async () => {
    const failures = [
      [new UpstreamError('not_configured', 'there is no browser on this machine'), /no browser/, null],
      [new UpstreamError('unavailable', 'the browser does not start'), /does not start/, '30'],
    ] as const
    for (const [error, sentence, retryAfter] of failures) {
      upstreams.ready = () => Promise.reject(error)
      const { status, body, headers } = await door.get('/v1/intel?domain=shop.example')
      const { error: code, message } = body as { error: string; message: string }
      assert.deepEqual([status, code, headers.get('retry-after')], [503, 'service_unavailable', retryAfter])
      assert.match(message, sentence)
      assert.ok(!headers.has('payment-required') && !headers.has('www-authenticate'))
    }
    assert.deepEqual(door.visited, [])
  })

  const unknown = {
    timeout: [/did not answer in time/, '5'],
    rate_limited: [/rate limited/, '30'],
    upstream_error: [/could not answer/, '30'],
  } as const
  for (const [reason, [sentence, retryAfter]] of Object.entries(unknown)) {
    test(`an unknown registration status (${reason}) is 503 before payment is requested, and is not charged after it`, async () => {
      const { wallet, send } = await door.pay('/v1/intel?domain=shop.example')
      upstreams.standing = async () => ({ state: 'unknown', reason: reason as keyof typeof unknown })
      for (const reply of [await door.get('/v1/intel?domain=shop.example'), await send()]) {
        const { error, message } = reply.body as { error: string; message: string }
        assert.deepEqual(
          [reply.status, error, reply.headers.get('retry-after')],
          [503, 'service_unavailable', retryAfter],
        )
        assert.match(message, sentence)
        assert.ok(!reply.headers.has('payment-required') && !hasReceipt(reply))
      }
      assert.deepEqual([door.visited, door.paidBy(wallet)], [[], 0n])
      upstreams.standing = async () => ({ state: 'registered' })
      assert.ok(hasReceipt(await send()))
    })
  }

  test('if the screenshot cannot be stored, only its URL is missing', async () => {
    const blocked = door.screenshotFolder
    rmSync(blocked, { recursive: true, force: true })
    writeFileSync(blocked, 'a file where the folder should be')
    try {
      const { status, body } = await door.buyIntel('shop.example')
      assert.equal(status, 200)
      const fields = Object.keys(body as object)
      assert.ok(!fields.includes('screenshot_url') && !fields.includes('error'))
      assert.equal((body as { parked: boolean }).parked, true)
      assert.deepEqual(door.warnings, ['A screenshot could not be stored.'])
    } finally {
      rmSync(blocked)
    }
  })

  test('a full browser queue is 503 before payment is requested', async () => {
    upstreams.hasRoom = () => false
    const reply = await door.get('/v1/intel?domain=shop.example')
    assert.deepEqual([reply.status, (reply.body as { error: string }).error], [503, 'service_unavailable'])
    assert.ok(Number(reply.headers.get('retry-after')) > 0)
    assert.ok(!reply.headers.has('payment-required'))
    assert.deepEqual(door.visited, [])
  })

  test('a queue that fills up after payment is 503, and is not charged', async () => {
    // Room when the price is quoted and when the payment arrives, but not when the visit starts.
    const room = [true, true, false]
    upstreams.hasRoom = () => room.shift()!
    const reply = await door.buyIntel('shop.example')
    assert.equal(reply.status, 503)
    assert.ok(!hasReceipt(reply))
    assert.deepEqual(door.visited, [])
  })

  test('a registry timeout is 503, and is not charged', async () => {
    upstreams.standing = () => Promise.reject(new UpstreamError('timeout', 'the registry did not answer in time'))
    const reply = await door.buyIntel('shop.example')
    assert.deepEqual([reply.status, (reply.body as { error: string }).error], [503, 'service_unavailable'])
    assert.ok(!hasReceipt(reply))
    assert.deepEqual(door.visited, [])
  })
})
