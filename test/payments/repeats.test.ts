import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { QUICK } from '../support/paid-shop.ts'
import { payMpp, payX402, payX402v1 } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const COPIES = 380
const MINUTE_MS = 60_000

describe('a repeat of a paid request', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())
  /** Resolves when the ledger says that the payment's answer was delivered. */
  const delivered = async (payer: string) => {
    const entryOf = async () =>
      (await world.ledger.list(1000)).find(({ details }) => details.payer === payer.toLowerCase())
    while ((await entryOf())?.deliveredAt === undefined) await setImmediate()
  }

  for (const [name, payer] of [
    ['x402 version 2', payX402],
    ['x402 version 1', payX402v1],
  ] as const) {
    test(`${name}: who rebuilds the payment from the chain does not get the answer; who has its token does`, async () => {
      const path = `/v1/goods/rebuilt ${name}`
      const { wallet, headers } = await world.pay(payer, path)
      const first = await world.get(path, headers)
      const token = first.headers.get('payment-token')!
      assert.match(token, /^[\w-]{43}$/)
      await delivered(wallet.address)
      // Everything in these headers is in the settlement's call data.
      const rebuilt = await world.get(path, headers)
      mustBeRefused(rebuilt, 'invalid-challenge')
      assert.match(rebuilt.text, /Payment-Token/)
      for (const wrong of ['', 'x'.repeat(43), token.slice(0, -1)]) {
        mustBeRefused(await world.get(path, { ...headers, 'payment-token': wrong }), 'invalid-challenge')
      }
      const again = await world.get(path, { ...headers, 'payment-token': token })
      assert.deepEqual([again.status, again.text, hasReceipt(again)], [200, first.text, true])
      assert.deepEqual([world.paidBy(wallet), world.runsOf(`rebuilt ${name}`)], [QUICK, 1])
    })
  }

  test('a client that sends a token of its own can fetch an answer that was written but never read', async () => {
    const path = '/v1/goods/own token'
    const { wallet, headers } = await world.pay(payX402, path)
    const token = 'T'.repeat(43)
    const first = await world.get(path, { ...headers, 'payment-token': token })
    assert.equal(first.headers.get('payment-token'), token)
    await delivered(wallet.address)
    assert.equal((await world.get(path, { ...headers, 'payment-token': token })).text, first.text)
    mustBeRefused(await world.get(path, headers), 'invalid-challenge')
  })

  test('a token of a client that could be guessed is not used', async () => {
    const path = '/v1/goods/short token'
    const { headers } = await world.pay(payX402, path)
    const first = await world.get(path, { ...headers, 'payment-token': 'secret' })
    assert.match(first.headers.get('payment-token')!, /^[\w-]{43}$/)
  })

  test('MPP: the challenge is never published, so it fetches the answer without a token', async () => {
    const { wallet, headers } = await world.pay(payMpp, '/v1/goods/mpp')
    const first = await world.get('/v1/goods/mpp', headers)
    await delivered(wallet.address)
    assert.equal((await world.get('/v1/goods/mpp', headers)).text, first.text)
  })

  test('an answer that was lost on its way is there for the payment alone, for ten minutes', async () => {
    const path = '/v1/goods/lost'
    const { wallet, headers } = await world.pay(payX402, path)
    const leaving = new AbortController()
    // The caller leaves when the payment is being sent, which is too late to stop it.
    world.chains.onLine(async ({ method }, ask) => {
      if (method === 'eth_sendRawTransaction') {
        leaving.abort()
        world.chains.onLine()
        while (!world.shop.calls.at(-1)!.signal.aborted) await setImmediate()
      }
      return ask()
    })
    await assert.rejects(world.shop.get(path, headers, { signal: leaving.signal }))
    await world.shop.calls.at(-1)!.done
    assert.equal(world.paidBy(wallet), QUICK)
    world.clock.advance(10 * MINUTE_MS)
    const found = await world.get(path, headers)
    assert.deepEqual([found.status, hasReceipt(found)], [200, true])
    // Somebody else who fetched it does not keep its payer from fetching it.
    assert.equal((await world.get(path, headers)).text, found.text)
    world.clock.advance(1)
    mustBeRefused(await world.get(path, headers), 'invalid-challenge')
    assert.equal(world.runsOf('lost'), 1)
  })

  test('a copy that comes while the payment is on its way to the chain does not share the answer', async () => {
    const path = '/v1/goods/seen'
    const { wallet, headers } = await world.pay(payX402, path)
    const [sending, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.chains.onLine(async ({ method }, ask) => {
      if (method === 'eth_sendRawTransaction') {
        sending.resolve()
        await held.promise
      }
      return ask()
    })
    const first = world.get(path, headers)
    await sending.promise
    const { length } = world.shop.calls
    const copy = world.get(path, headers)
    while (world.shop.calls.length === length) await setImmediate()
    held.resolve()
    const { status, headers: received } = await first
    assert.deepEqual([status, received.has('payment-token')], [200, true])
    world.chains.onLine()
    const late = await copy
    assert.ok(!late.headers.has('payment-token'))
    assert.equal(world.paidBy(wallet), QUICK)
  })

  for (const [name, payer] of [
    ['x402', payX402],
    ['MPP', payMpp],
  ] as const) {
    test(`${name}: ${COPIES} copies at once ask the chain what a single one asks`, async (t) => {
      const path = '/v1/goods/copies'
      const ask = async (copies: number) => {
        const own = await startPaidWorld()
        t.after(own.stop)
        const { wallet, headers } = await own.pay(payer, path)
        own.chains.asked.length = 0
        const { length } = own.shop.calls
        // The connections of the client allow for 200 at once.
        const early = Math.min(copies, 200)
        own.shop.onWork(async ({ item, tier }) => {
          while (own.shop.calls.length < length + early) await setImmediate()
          return { item, tier, serial: 1 }
        })
        const replies = await Promise.all(Array.from({ length: copies }, () => own.get(path, headers)))
        const sold = replies.filter(({ status }) => status === 200)
        assert.ok(sold.length >= early)
        assert.equal(new Set(sold.map(({ text }) => text)).size, 1)
        assert.deepEqual([own.paidBy(wallet), own.runsOf('copies')], [QUICK, 1])
        // How often a receipt is asked for depends on the time it takes.
        return own.chains.asked.map(({ method }) => method).filter((method) => method !== 'eth_getTransactionReceipt')
      }
      assert.deepEqual(await ask(COPIES), await ask(1))
    })
  }
})
