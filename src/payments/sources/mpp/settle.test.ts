import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Receipt } from 'mppx'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseUsd } from '../../../kernel/money.ts'
import type { RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import type { PaymentProblem } from '../../scheme.ts'
import { createTestScheme, neverAborted, PAYER, paymentFor, RECIPIENT, refused, OFFER } from './mpp.fixture.ts'

suite('settling a payment of MPP', () => {
  test('moves the money once and hands out a receipt that mppx reads', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.verify(neverAborted())
    const { transaction, headers } = await payment.settle(neverAborted())
    assert.equal(headers[0], 'Payment-Receipt')
    assert.deepEqual(Receipt.deserialize(headers[1]!), {
      method: 'tempo',
      reference: transaction,
      status: 'success',
      timestamp: '2026-11-15T12:00:00.000Z',
    })
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    assert.deepEqual(world.requests.at(-1), ['eth_sendRawTransactionSync'])
    assert.deepEqual(await payment.settle(neverAborted()), { transaction, headers }, 'and again: it is known already')
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
  })

  test('waits for the block itself where the node does not', async () => {
    const world = createTestScheme()
    let looks = 0
    world.intercept(async ({ method }, ask) => {
      if (method === 'eth_sendRawTransactionSync') return { ok: false, code: -32_601, message: 'no such method' }
      if (method === 'eth_getTransactionReceipt' && looks++ < 3) return { ok: true, result: null }
      return ask()
    })
    await (await paymentFor(world)).settle(neverAborted())
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    assert.equal(looks, 4)
    await (await paymentFor(world)).settle(neverAborted())
    assert.equal(world.requests.flat().filter((method) => method === 'eth_sendRawTransactionSync').length, 1)
  })

  test('is refused where the payer has nothing left, and withheld for good', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.verify(neverAborted())
    const drain = await paymentFor(world, { amount: 1_000_000n, offer: { ...OFFER, price: parseUsd('1') } })
    await drain.settle(neverAborted())
    await assert.rejects(payment.settle(neverAborted()), refused('verification-failed', /failed on the chain/))
    await assert.rejects(payment.recover(neverAborted()), refused('verification-failed', /failed on the chain/))
    assert.equal(world.chain.balanceOf(RECIPIENT), 1_000_000n)
  })

  test('is refused where it failed in a block, however that is found out', async () => {
    const ways: [string, RpcOutcome][] = [
      ['eth_sendRawTransaction', { ok: true, result: `0x${'11'.repeat(32)}` }],
      ['eth_sendRawTransaction', { ok: false, code: -32_000, message: 'insufficient funds' }],
      ['eth_sendRawTransactionSync', { ok: false, code: -32_000, message: 'already known' }],
      ['eth_sendRawTransactionSync', { ok: false, code: 4, message: 'not in a block in time' }],
    ]
    for (const [having, answer] of ways) {
      const world = createTestScheme()
      const payment = await paymentFor(world, { key: `0x${'43'.repeat(32)}` })
      world.intercept(async ({ method }, ask) => {
        if (!method.startsWith('eth_send')) return ask()
        if (method !== having) return { ok: false, code: -32_601, message: 'no such method' }
        await ask()
        return answer
      })
      await assert.rejects(payment.settle(neverAborted()), refused('verification-failed', /failed on the chain/))
    }
  })

  test('is refused where the node says a plain no', async () => {
    const world = createTestScheme()
    const rows: [string, PaymentProblem][] = [
      ['insufficient funds for gas * price + value', 'payment-insufficient'],
      ["Expiring nonce 'valid_before' 1 exceeds max allowed 2 (must be within 30s)", 'verification-failed'],
      ['invalid chain ID', 'verification-failed'],
      ['max fee per gas less than block base fee', 'verification-failed'],
    ]
    for (const [message, problem] of rows) {
      const payment = await paymentFor(world)
      world.intercept(async ({ method }, ask) =>
        method.startsWith('eth_send') ? { ok: false, code: -32_000, message } : ask(),
      )
      await assert.rejects(payment.settle(neverAborted()), refused(problem, /./))
    }
  })

  test('an unknown error message of the node is not a refusal: the outcome is open', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    for (const message of ['boom', 'already known', 'transaction expired']) {
      world.intercept(async ({ method }, ask) =>
        method.startsWith('eth_send') ? { ok: false, code: -32_000, message } : ask(),
      )
      await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    }
    assert.equal(await payment.recover(neverAborted()), null, 'and it can be tried again')
  })

  test('does not believe a receipt of another transaction, or one that does not show the transfer', async () => {
    const lies: ((receipt: Record<string, unknown>) => object)[] = [
      (receipt) => ({ ...receipt, transactionHash: `0x${'11'.repeat(32)}` }),
      (receipt) => ({ ...receipt, logs: [] }),
      (receipt) => ({ ...receipt, logs: (receipt['logs'] as object[]).map((log) => ({ ...log, data: '0x01' })) }),
      (receipt) => ({ ...receipt, logs: (receipt['logs'] as object[]).map((log) => ({ ...log, address: PAYER })) }),
    ]
    for (const lie of lies) {
      const world = createTestScheme()
      const payment = await paymentFor(world)
      world.intercept(async ({ method }, ask) => {
        const outcome = await ask()
        const isReceipt = outcome.ok && /Sync$|Receipt$/.test(method) && outcome.result !== null
        return isReceipt ? { ok: true, result: lie(outcome.result as Record<string, unknown>) } : outcome
      })
      await assert.rejects(payment.settle(neverAborted()), UpstreamError)
      world.intercept((_call, ask) => ask())
      assert.ok(await payment.recover(neverAborted()), 'the truth comes out later')
    }
  })

  test('says that it does not know when its time is up', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const stop = new AbortController()
    world.intercept(async ({ method }, ask) => {
      const outcome = await ask()
      if (method.startsWith('eth_send')) stop.abort()
      return method.startsWith('eth_send') ? { ok: true, result: null } : outcome
    })
    await assert.rejects(payment.settle(stop.signal), UpstreamError)
    world.intercept((_call, ask) => ask())
    assert.ok(await payment.recover(neverAborted()))
  })
})
