import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/kernel/errors.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fromBase64, fundedWallet, PAYERS, payMpp, payX402, payX402v1 } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'
import { errorOf, exchangeBytes, statusOf } from '../support/wire.ts'

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')

/** What payments travel in, each with its way to write JSON. */
const ENVELOPES: [string, (value: unknown) => Record<string, string>][] = [
  ['PAYMENT-SIGNATURE', (value) => ({ 'payment-signature': base64(value) })],
  ['X-PAYMENT', (value) => ({ 'x-payment': base64(value) })],
  [
    'Authorization',
    (value) => ({ authorization: `Payment ${Buffer.from(base64(value), 'base64').toString('base64url')}` }),
  ],
]

describe('what is no payment is refused in a sentence', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())
  const send = (headers: Record<string, string>) => world.get('/v1/goods/a', headers)
  /** Refused without a run, and without a line about it at any level but that of every answer. */
  const mustBeNothing = async (headers: Record<string, string>, hint: string) => {
    const [lines, asked] = [world.shop.lines.length, world.chains.asked.length]
    const reply = await send(headers)
    // x402 asks for 400, MPP for 402.
    if ('authorization' in headers) mustBeRefused(reply, 'malformed-credential', hint)
    else assert.deepEqual([reply.status, (reply.body as { error: string }).error], [400, 'invalid_request'], hint)
    assert.equal(world.runsOf('a'), 0)
    assert.equal(world.chains.asked.length, asked, 'a node was asked')
    assert.deepEqual(
      world.shop.lines.slice(lines).filter((line) => !line.includes('"Answered."')),
      [],
    )
  }

  for (const [name, write] of ENVELOPES) {
    test(`${name}: not JSON, or not an object, or without what it needs`, async () => {
      for (const value of ['', '{', 'null', '[]', '"0x"', '7', '{}', '{"__proto__":{}}', '\u0000', '['.repeat(2000)]) {
        await mustBeNothing(write(value), value.slice(0, 20))
      }
      for (const payload of [null, [], 'x', {}, { authorization: null }, { type: 'transaction' }]) {
        await mustBeNothing(write({ x402Version: 2, challenge: {}, payload }), JSON.stringify(payload))
      }
    })

    test(`${name}: of 9 KB`, () => mustBeNothing(write({ x402Version: 2, padding: 'x'.repeat(6800) }), '9 KB'))
  }

  test('not base64', async () => {
    for (const text of ['*', '%%%', 'e30', 'e30==', 'e3 0=', 'é', '=']) {
      await mustBeNothing({ 'payment-signature': text }, text)
      await mustBeNothing({ 'x-payment': text }, text)
    }
    for (const text of ['Payment', 'Payment *', 'Payment a b', 'payment e30=']) {
      await mustBeNothing({ authorization: text }, text)
    }
  })

  test('x402: invalid numbers, signatures that are too long, and fields of another type', async () => {
    const good = fromBase64(
      (await payX402(await send({}), fundedWallet(world.chains), world.clock))['payment-signature']!,
    ) as { payload: { authorization: object; signature: string } }
    const withPart = (part: object) => ({ ...good, payload: { ...good.payload, ...part } })
    const numbers = ['1e3', '-1', '+1', '0x4e20', '20000.0', '20_000', ' 20000', '', '９', '9'.repeat(21), 20_000, null]
    for (const value of numbers) {
      for (const field of ['value', 'validAfter', 'validBefore']) {
        const authorization = { ...good.payload.authorization, [field]: value }
        await mustBeNothing({ 'payment-signature': base64(withPart({ authorization })) }, `${field} ${String(value)}`)
      }
    }
    for (const signature of [`0x${'11'.repeat(4097)}`, '0x', good.payload.signature.slice(0, -1), {}, ['0x']]) {
      await mustBeNothing({ 'payment-signature': base64(withPart({ signature })) }, 'signature')
    }
    for (const x402Version of [1, 3, '2', null]) {
      await mustBeNothing({ 'payment-signature': base64({ ...good, x402Version }) }, `version ${String(x402Version)}`)
    }
  })

  test('headers of 20 KB are not even read', async () => {
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'Authorization']) {
      const raw = `GET /v1/goods/a HTTP/1.1\r\nHost: x\r\n${name}: Payment ${'A'.repeat(20_000)}\r\n\r\n`
      const answer = await exchangeBytes(world.shop.port, raw)
      assert.deepEqual([statusOf(answer), errorOf(answer)], [431, 'invalid_request'])
    }
  })

  test('whatever stands in the headers, there is an answer, it is not 5xx, and it is not the goods', async () => {
    const invited = await send({})
    const wallet = fundedWallet(world.chains)
    const good = await Promise.all(PAYERS.map(([, payer]) => payer(invited, wallet, world.clock)))
    const names = ['payment-signature', 'x-payment', 'authorization']
    const damaged = fc
      .tuple(fc.constantFrom(...good), fc.nat(2000), fc.nat(6), fc.stringMatching(/^[\w+/=-]{0,6}$/))
      .map(([headers, at, length, put]) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, text]) => {
            const from = 8 + (at % (text.length - 8))
            return [name, text.slice(0, from) + put + text.slice(from + length)]
          }),
        ),
      )
    const invented = fc.dictionary(fc.constantFrom(...names), fc.stringMatching(/^[\x21-\x7e]{1,60}$/))
    const isUntouched = (headers: object) => good.some((each) => JSON.stringify(each) === JSON.stringify(headers))
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, invented), async (headers) => {
        if (isUntouched(headers)) return
        const { status, text } = await send(headers)
        assert.ok(status === 402 || status === 400, `${status} ${text}`)
      }),
      { numRuns: 300, seed: 20_261_115 },
    )
    assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [0n, 0])
  })
})

describe('at the door', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())

  test('two payments at once are refused as they are, and neither is taken', async () => {
    const invited = await world.get('/v1/goods/both')
    const wallet = fundedWallet(world.chains)
    const [second, first, mpp] = await Promise.all(
      [payX402, payX402v1, payMpp].map((payer) => payer(invited, wallet, world.clock)),
    )
    const both = await world.get('/v1/goods/both', { ...second, ...mpp })
    assert.deepEqual([both.status, (both.body as { error: string }).error], [400, 'invalid_request'])
    assert.equal((await world.get('/v1/goods/both', { ...first, ...mpp })).status, 400)
    assert.equal((await world.get('/v1/goods/both', { ...first, ...second })).status, 400)
    const garbage = await world.get('/v1/goods/both', { ...second, authorization: 'Payment garbage' })
    assert.equal(garbage.status, 400)
    assert.deepEqual([world.paidBy(wallet), world.runsOf('both')], [0n, 0])
    const withKey = await world.get('/v1/goods/both', { ...second, authorization: 'Bearer not-a-payment' })
    assert.deepEqual([withKey.status, world.paidBy(wallet)], [200, QUICK])
  })

  test('a 402 asks no node, however many there are', async () => {
    const before = world.chains.asked.length
    await Promise.all(Array.from({ length: 50 }, (_, at) => world.get(`/v1/goods/${at}?tier=full`)))
    assert.equal(world.chains.asked.length, before)
  })

  test('HEAD is told the price, and a payment that comes with it stays good', async () => {
    const { wallet, headers, send } = await world.pay(payX402, '/v1/goods/head')
    const head = await world.get('/v1/goods/head', headers, { method: 'HEAD' })
    assert.deepEqual([head.status, head.text, hasReceipt(head)], [402, '', false])
    assert.ok(head.headers.has('payment-required'))
    assert.deepEqual([world.paidBy(wallet), world.runsOf('head')], [0n, 0])
    assert.equal((await send()).status, 200)
  })

  test('wrong parameters are told before money is asked for, and a payment that comes with them stays good', async () => {
    const unpaid = await world.get('/v1/goods/a?tier=best')
    assert.deepEqual([unpaid.status, (unpaid.body as { error: string }).error], [400, 'invalid_parameter'])
    const { wallet, headers, send } = await world.pay(payX402, '/v1/goods/a?tier=quick')
    assert.equal((await world.get('/v1/goods/a?tier=best', headers)).status, 400)
    assert.equal(world.paidBy(wallet), 0n)
    assert.equal((await send()).status, 200)
  })

  test('what cannot be served now is not for sale', async () => {
    const { wallet, headers, send } = await world.pay(payX402, '/v1/goods/shut')
    world.shop.onReady(() => {
      throw new ApiError('service_unavailable', 'Closed for today.')
    })
    for (const sent of [{}, headers]) assert.equal((await world.get('/v1/goods/shut', sent)).status, 503)
    assert.deepEqual([world.paidBy(wallet), world.runsOf('shut')], [0n, 0])
    world.shop.onReady(() => {})
    assert.equal((await send()).status, 200)
  })

  test('no payment is ever in a line of the log, taken or refused, whole or in parts', async () => {
    world.shop.onWork(() => {
      throw new Error('it broke')
    })
    const sent = await Promise.all(PAYERS.map(([, payer]) => world.pay(payer, '/v1/goods/log')))
    for (const { send } of sent) assert.equal((await send()).status, 500)
    world.chains.onLine(() => Promise.reject(new Error('no line')))
    for (const { send } of sent) assert.equal((await send()).status, 503)
    world.chains.onLine()
    world.shop.onWork(({ item, tier }) => ({ item, tier, serial: 0 }))
    for (const { send } of sent) assert.equal((await send()).status, 200)
    const log = world.shop.lines.join('')
    assert.match(log, /it broke/)
    for (const { headers } of sent) {
      const [text = ''] = Object.values(headers)
      const bare = text.replace(/^Payment /, '')
      const hidden = [bare.slice(0, 40), bare.slice(-40), ...secretsOf(fromBase64(bare))]
      for (const secret of hidden) assert.ok(!log.includes(secret), secret)
    }
  })
})

/** Signatures, which must not be repeated in a response. */
function secretsOf(payment: unknown): string[] {
  const { payload } = payment as { payload: { signature: string } }
  return [payload.signature.slice(2, 66), payload.signature.slice(-66)]
}

/** The same payment with its signature or its form spoilt. */
function unsigned(headers: Record<string, string>): Record<string, string>[] {
  const [name, text] = Object.entries(headers)[0]!
  const bare = text.replace(/^Payment /, '')
  const payment = fromBase64(bare) as { payload: { signature: string } }
  const { signature } = payment.payload
  const at = Math.floor(signature.length / 2)
  const changed = `${signature.slice(0, at)}${signature[at] === '1' ? '2' : '1'}${signature.slice(at + 1)}`
  const forged = Buffer.from(JSON.stringify({ ...payment, payload: { ...payment.payload, signature: changed } }))
  const write = (encoded: string) => ({ [name]: text.startsWith('Payment ') ? `Payment ${encoded}` : encoded })
  return [write(forged.toString(text === bare ? 'base64' : 'base64url')), write('e30='), write(bare.slice(0, 40))]
}

describe('the rate limit', () => {
  test('counts requests without a valid payment against the rate limit, and no paid request', async (t) => {
    const world = await startPaidWorld({ rateLimit: 6 })
    t.after(world.stop)
    const wallets = await Promise.all(Array.from({ length: 3 }, () => world.pay(payX402, '/v1/goods/a')))
    for (const { send } of wallets) for (let time = 0; time < 4; time++) assert.equal((await send()).status, 200)
    const left = () => world.get('/v1/goods/a', { 'x-payment': 'garbage' })
    for (let time = 0; time < 3; time++) assert.equal((await left()).status, 400)
    assert.equal((await left()).status, 429)
    assert.equal((await world.get('/v1/goods/a')).status, 429)
  })

  test('counts payments that buy nothing: in the limit, and once that is used up in one of their own', async (t) => {
    const world = await startPaidWorld({ rateLimit: 3 })
    t.after(world.stop)
    const works: [number, () => unknown][] = [
      [
        503,
        () => {
          throw new ApiError('service_unavailable', 'Not now.')
        },
      ],
      [200, () => ({ error: 'site_timeout' })],
    ]
    for (const [status, work] of works) {
      world.clock.advance(60_000)
      world.shop.onWork(work)
      const { wallet, send } = await world.pay(payX402, '/v1/goods/a')
      const statuses: number[] = []
      for (let time = 0; time < 7; time++) statuses.push((await send()).status)
      assert.deepEqual(statuses, [status, status, status, status, status, 429, 429])
      assert.equal(world.paidBy(wallet), 0n)
    }
  })

  test('refuses no signed payment of a client that has used it up, and takes nothing from it for one', async (t) => {
    const world = await startPaidWorld({ rateLimit: 4 })
    t.after(world.stop)
    for (const [name, payer] of PAYERS) {
      world.clock.advance(60_000)
      const { wallet, headers, send } = await world.pay(payer, '/v1/goods/a')
      for (let time = 0; time < 3; time++) assert.equal((await world.get('/v1/goods/a')).status, 402)
      assert.equal((await world.get('/v1/goods/a')).status, 429)
      for (let time = 0; time < 6; time++) {
        const reply = await send()
        assert.deepEqual([name, reply.status, hasReceipt(reply)], [name, 200, true], reply.text)
        assert.match(reply.headers.get('ratelimit')!, /r=0;/)
      }
      assert.equal(world.paidBy(wallet), QUICK)
      // Neither a payment nobody signed nor one for less is a way round.
      const [runs, asked] = [world.shop.runs.length, world.chains.asked.length]
      for (const sent of [...unsigned(headers), { ...headers, 'x-payment': 'e30=' }]) {
        assert.equal((await world.get('/v1/goods/b', sent)).status, 429, JSON.stringify(sent))
      }
      assert.equal((await world.get('/v1/goods/b?tier=full', headers)).status, 429)
      assert.deepEqual([world.shop.runs.length, world.chains.asked.length], [runs, asked])
    }
  })

  test('counts a payment while it is looked at, and gives that back when it has bought something', async (t) => {
    const world = await startPaidWorld({ rateLimit: 3 })
    t.after(world.stop)
    const { send } = await world.pay(payX402, '/v1/goods/a')
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.shop.onWork(async ({ item, tier }) => {
      begun.resolve()
      await go.promise
      return { item, tier, serial: 1 }
    })
    const paid = send()
    await begun.promise
    assert.match((await world.get('/v1/goods/a')).headers.get('ratelimit')!, /r=0;/)
    assert.equal((await world.get('/v1/goods/a')).status, 429)
    go.resolve()
    assert.match((await paid).headers.get('ratelimit')!, /r=1;/)
    assert.equal((await world.get('/v1/goods/a')).status, 402)
    assert.equal((await world.get('/v1/goods/a')).status, 429)
  })
})
