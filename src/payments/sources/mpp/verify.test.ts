import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Hex, PaymentProblem } from '../../scheme.ts'
import {
  challengeOf,
  createTestScheme,
  credentialFor,
  disconnect,
  headersOf,
  neverAborted,
  OFFER,
  PAYER,
  paymentFor,
  RECIPIENT,
  refused,
  signTransfer,
} from './mpp.fixture.ts'

suite('checking a payment of MPP', () => {
  test('asks once, and changes nothing', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.verify(neverAborted())
    await payment.verify(neverAborted())
    assert.deepEqual(world.requests, [
      ['eth_getTransactionReceipt', 'eth_call', 'eth_call'],
      ['eth_getTransactionReceipt', 'eth_call', 'eth_call'],
    ])
    assert.equal(world.chain.balanceOf(RECIPIENT), 0n)
  })

  test('refuses a signature of somebody else, asking nobody', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world, { key: `0x${'43'.repeat(32)}` })
    const headers = headersOf({ ...credential, source: `did:pkh:eip155:4217:${PAYER}` })
    const payment = world.scheme.parse(headers, OFFER)!
    await assert.rejects(payment.verify(neverAborted()), refused('verification-failed', /not signed by the payer/))
    assert.deepEqual(world.requests, [])
  })

  test('refuses what has expired, expires too soon, lives too long or is not valid yet, asking nobody', async () => {
    const world = createTestScheme()
    const now = Math.floor(world.clock.now() / 1000)
    const rows: [Record<string, number>, PaymentProblem, RegExp][] = [
      [{ validBefore: now }, 'payment-expired', /has expired/],
      [{ validBefore: now + 5 }, 'payment-expired', /too soon/],
      [{ validBefore: now + 61 }, 'verification-failed', /too long: it must end within 60 seconds/],
      [{ validAfter: now + 5 }, 'verification-failed', /not valid yet/],
    ]
    for (const [fields, problem, words] of rows) {
      const payment = await paymentFor(world, { fields })
      await assert.rejects(payment.verify(neverAborted()), refused(problem, words))
    }
    assert.deepEqual(world.requests, [])
  })

  test('refuses a challenge that has expired though the transaction has not', async () => {
    const world = createTestScheme()
    const challenge = challengeOf(world.scheme)
    world.clock.advance(5 * 60_000)
    const signature = await signTransfer(world.clock.now(), { challengeId: challenge.id })
    const source = `did:pkh:eip155:4217:${PAYER}`
    const headers = headersOf({ challenge, payload: { type: 'transaction', signature }, source })
    const payment = world.scheme.parse(headers, OFFER)!
    await assert.rejects(payment.verify(neverAborted()), refused('payment-expired', /has expired/))
  })

  test('can still be read when it has expired: its answer may be waiting', async () => {
    const world = createTestScheme()
    const headers = headersOf(await credentialFor(world))
    const before = world.scheme.parse(headers, OFFER)!
    world.clock.advance(10 * 60_000)
    assert.equal(world.scheme.parse(headers, OFFER)!.key, before.key)
  })

  test('refuses a payer whose balance is too small', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world, { key: `0x${'43'.repeat(32)}` })
    await assert.rejects(payment.verify(neverAborted()), refused('payment-insufficient', /too little money/))
  })

  test('takes what is on the chain already, and settles it without another charge: the payer may have sent it', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const { transaction } = await payment.settle(neverAborted())
    await payment.verify(neverAborted())
    assert.equal((await payment.settle(neverAborted())).transaction, transaction)
    assert.equal(world.chain.balanceOf(RECIPIENT), OFFER.price)
    const poor = await paymentFor(world, { key: `0x${'43'.repeat(32)}` })
    await assert.rejects(poor.settle(neverAborted()))
    await assert.rejects(poor.verify(neverAborted()), refused('verification-failed', /failed on the chain/))
  })

  test('says what the token says', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const rows: [Hex, RegExp][] = [
      ['0xab35696f', /paused/],
      ['0x', /would fail/],
      ['0xdeadbeef', /would fail/],
    ]
    for (const [data, words] of rows) {
      world.intercept(async ({ method, params }, ask) => {
        const isTrial = method === 'eth_call' && 'calls' in (params[0] as object)
        return isTrial ? { ok: false, code: 3, message: 'execution reverted', data } : ask()
      })
      await assert.rejects(payment.verify(neverAborted()), refused('verification-failed', words))
    }
  })

  test('is not refused for the troubles of a node', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    world.intercept(disconnect)
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
    world.intercept(async () => ({ ok: false, code: -32_603, message: 'internal error' }))
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
    world.intercept(async () => ({ ok: true, result: 'nonsense' }))
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
  })
})
