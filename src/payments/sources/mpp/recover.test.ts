import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Hex } from '../../scheme.ts'
import {
  createTestScheme,
  disconnect,
  KEY,
  LEDGER_ID,
  neverAborted,
  paymentFor,
  REALM,
  RECIPIENT,
  refused,
  SECRET,
} from './mpp.fixture.ts'
import { createMpp } from './scheme.ts'

suite('recovering a payment of MPP', () => {
  test('finds a payment whose answer was lost, also from what another process wrote down', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    world.intercept(async ({ method }, ask) => {
      await ask()
      return method.startsWith('eth_send') ? disconnect() : ask()
    })
    await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    world.intercept((_call, ask) => ask())
    const other = createMpp({
      realm: REALM,
      secrets: [SECRET],
      ledgerId: LEDGER_ID,
      recipient: KEY.slice(0, 42) as Hex,
      ...world,
    })
    const settlement = await other.restore(payment.stored).recover(neverAborted())
    assert.equal(settlement?.headers[0], 'Payment-Receipt')
    assert.deepEqual(settlement, await payment.settle(neverAborted()), 'and settling again does no harm')
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    world.clock.advance(10 * 60_000)
    assert.ok(await payment.recover(neverAborted()), 'also long after it expired')
  })

  test('can be settled again while it is valid, is unknown for a while, and refused when its time has passed', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    assert.equal(await payment.recover(neverAborted()), null)
    world.clock.advance(25_000)
    await assert.rejects(payment.recover(neverAborted()), UpstreamError)
    await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    assert.ok(!world.requests.flat().some((method) => method.startsWith('eth_send')), 'what is too late is not sent')
    world.clock.advance(31_000)
    await assert.rejects(payment.recover(neverAborted()), refused('payment-expired', /has expired/))
    await assert.rejects(payment.settle(neverAborted()), refused('payment-expired', /has expired/))
  })

  test('is not given up on the word of a node that lags behind', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const late = `0x${Math.floor(world.clock.now() / 1000).toString(16)}`
    world.clock.advance(60_000)
    world.intercept(async ({ method }, ask) => {
      const outcome = await ask()
      const isBlock = outcome.ok && method === 'eth_getBlockByNumber'
      return isBlock ? { ok: true, result: { ...(outcome.result as object), timestamp: late } } : outcome
    })
    await assert.rejects(payment.recover(neverAborted()), UpstreamError)
  })

  test('fails as the node does', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    world.intercept(disconnect)
    await assert.rejects(payment.recover(neverAborted()), UpstreamError)
  })
})
