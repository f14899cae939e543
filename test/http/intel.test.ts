import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { request } from 'undici'
import type { Standing } from '../../src/intel/standing.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { hasReceipt } from '../support/paid-world.ts'
import { captureOf, JPEG, type IntelDoor, startIntelDoor } from './intel.fixture.ts'

suite('GET /v1/intel', () => {
  let door: IntelDoor
  let upstreams: IntelDoor['upstreams']
  before(async () => {
    door = await startIntelDoor()
    upstreams = door.upstreams
  })
  after(() => door.stop())
  beforeEach(() => door.reset())

  test('without payment no page is visited', async () => {
    const { status, body } = await door.get('/v1/intel?domain=shop.example')
    assert.deepEqual([status, (body as { error: string }).error], [402, 'payment_required'])
    assert.deepEqual([door.checked, door.visited], [['shop.example'], []])
  })

  test('an available name has three fields and is not visited', async () => {
    upstreams.standing = async () => ({ state: 'available' })
    // No browser is needed.
    upstreams.hasRoom = () => false
    upstreams.ready = () => Promise.reject(new UpstreamError('not_configured', 'there is no browser on this machine'))
    const reply = await door.buyIntel('free.example')
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, { domain: 'free.example', available: true, parked: false })
    assert.ok(hasReceipt(reply))
    assert.deepEqual(door.visited, [])
  })

  test('a registered name has all fields, and its screenshot is at the given URL', async () => {
    upstreams.hosting = { nameservers: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], addresses: [] }
    upstreams.visit = async (host) =>
      captureOf(host, { finalUrl: `https://${host}/lander`, hops: [`https://${host}/`, `https://${host}/lander`] })
    const { status, body, text } = await door.buyIntel('shop.example')
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

  test('tells other capabilities which page it saw, and with which signals', async () => {
    await door.buyIntel('shop.example')
    assert.deepEqual([door.pages.length, door.pages[0]?.domain], [1, 'shop.example'])
    assert.equal(door.pages[0]?.url, 'https://shop.example/')
    assert.ok(door.pages[0].signals.includes('for_sale'))
  })

  test('an ordinary page is not parked, with a confidence', async () => {
    const html = `<!doctype html><title>Harbour Bakery</title>${'<p>We bake bread in the old harbour every morning.</p>'.repeat(30)}`
    upstreams.visit = async (host) =>
      captureOf(host, { html, firstBody: html, title: 'Harbour Bakery', text: 'We bake bread.' })
    const body = (await door.buyIntel('bakery.example')).body as Record<string, unknown>
    assert.equal(body['parked'], false)
    assert.ok(Number(body['parked_confidence']) < 0.2)
    assert.ok('screenshot_url' in body && 'final_url' in body && !('error' in body))
  })

  test('a reserved name is not available, and is visited like any other', async () => {
    upstreams.standing = async () => ({ state: 'reserved' })
    const { body } = await door.buyIntel('shop.example')
    assert.deepEqual([(body as { available: boolean }).available, (body as { parked: boolean }).parked], [false, true])
  })

  test('the registry is queried once for each response', async () => {
    const { send } = await door.pay('/v1/intel?domain=shop.example')
    door.checked.length = 0
    const standings: Standing[] = [{ state: 'registered' }, { state: 'available' }]
    upstreams.standing = async () => standings.shift()!
    const { body } = await send()
    assert.deepEqual([(body as { available: boolean }).available, door.checked], [false, ['shop.example']])
  })

  test('a paid response is returned again, even without a browser', async () => {
    const { send } = await door.pay('/v1/intel?domain=shop.example')
    const first = await send()
    upstreams.ready = () => Promise.reject(new UpstreamError('not_configured', 'there is no browser on this machine'))
    const second = await send()
    assert.deepEqual([second.status, second.text], [200, first.text])
  })
})
