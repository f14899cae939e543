import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Hex } from '../../scheme.ts'
import {
  credentialFor,
  createTestScheme,
  disconnect,
  headersOf,
  neverAborted,
  OFFER,
  PAYER,
  paymentFor,
  RECIPIENT,
  refused,
  signTransfer,
  transferFor,
} from './mpp.fixture.ts'
import { TEMPO_USDC } from './scheme.ts'

/** What pympp and mpp-go send: nonces in sequence and no end; other clients use a lane of their own. */
const LANES = {
  'the first lane, without an end': { nonceKey: 0n, nonce: 0, validBefore: undefined, validAfter: undefined },
  'a lane of its own': { nonceKey: 1234n, nonce: 0, validBefore: undefined },
}

suite('payments with counted nonces', () => {
  for (const [what, fields] of Object.entries(LANES)) {
    test(`${what}: pays with the next nonce, asked for in the same request`, async () => {
      const world = createTestScheme()
      const payment = await paymentFor(world, { fields })
      assert.equal(payment.expiresAt, world.clock.now() / 1000 + 300, 'the challenge ends, the transaction does not')
      await payment.verify(neverAborted())
      assert.equal(world.requests.length, 1)
      await payment.settle(neverAborted())
      assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
      const next = await paymentFor(world, { fields: { ...fields, nonce: 1 } })
      await next.verify(neverAborted())
    })

    test(`${what}: refuses a nonce that was used, or one that leaves a gap`, async () => {
      const world = createTestScheme()
      await (await paymentFor(world, { fields })).settle(neverAborted())
      for (const [nonce, words] of [
        [0, /used before/],
        [2, /not the next/],
      ] as const) {
        const payment = await paymentFor(world, { fields: { ...fields, nonce } })
        await assert.rejects(payment.verify(neverAborted()), refused('verification-failed', words))
      }
    })

    test(`${what}: is not sent when its challenge has expired, and given up only when its nonce is used`, async () => {
      const world = createTestScheme()
      const payment = await paymentFor(world, { fields })
      world.clock.advance(5 * 60_000)
      await assert.rejects(payment.verify(neverAborted()), refused('payment-expired', /has expired/))
      await assert.rejects(payment.settle(neverAborted()), UpstreamError)
      world.clock.advance(60 * 60_000)
      await assert.rejects(payment.settle(neverAborted()), UpstreamError, 'the chain would still take it')
      assert.ok(!world.requests.flat().some((method) => method.startsWith('eth_send')))
      await (await paymentFor(world, { fields })).settle(neverAborted())
      await assert.rejects(payment.recover(neverAborted()), refused('payment-expired', /has expired/))
      const other = createTestScheme({ rpc: world.rpc, clock: world.clock })
      const restored = other.scheme.restore(payment.stored)
      await assert.rejects(restored.recover(neverAborted()), refused('payment-expired', /has expired/))
    })

    test(`${what}: a lost answer is recovered, and an unknown nonce is a failure of the node`, async () => {
      const world = createTestScheme()
      const payment = await paymentFor(world, { fields })
      world.intercept(async ({ method }, ask) => {
        await ask()
        return method.startsWith('eth_send') ? disconnect() : ask()
      })
      await assert.rejects(payment.settle(neverAborted()), UpstreamError)
      world.intercept((_call, ask) => ask())
      assert.ok(await payment.recover(neverAborted()))
      const next = await paymentFor(world, { fields: { ...fields, nonce: 1 } })
      world.intercept(async ({ method, params }, ask) => {
        const isNonce = method === 'eth_getTransactionCount' || JSON.stringify(params).includes('0x4e4f4e4345')
        return isNonce ? { ok: false, code: -32_603, message: 'internal error' } : ask()
      })
      await assert.rejects(next.verify(neverAborted()), UpstreamError)
    })
  }

  test('two payments with one nonce share a slot, whatever their challenges; expiring ones have none', async () => {
    const world = createTestScheme()
    const fields = LANES['a lane of its own']
    const [first, second, next, free] = await Promise.all([
      paymentFor(world, { fields }),
      paymentFor(world, { fields }),
      paymentFor(world, { fields: { ...fields, nonce: 1 } }),
      paymentFor(world),
    ])
    assert.ok(first.slot !== undefined && first.slot === second.slot && first.slot !== next.slot)
    assert.equal(free.slot, undefined)
  })

  test('a transaction that its payer signed twice is found by its memo, though it has another hash', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const payment = world.scheme.parse(headersOf(credential), OFFER)!
    const twin = await signTransfer(world.clock.now(), {
      challengeId: credential.challenge.id,
      fields: { gas: 120_000n },
    })
    await world.chain.answer('eth_sendRawTransactionSync', [twin])
    world.clock.advance(25_000)
    assert.ok(await payment.recover(neverAborted()), 'the money is ours, so the answer is theirs')
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
  })
})

suite('payments that swap another token first', () => {
  const ABI = parseAbi([
    'function approve(address spender, uint256 amount) returns (bool)',
    'function swapExactAmountOut(address tokenIn, address tokenOut, uint128 amountOut, uint128 maxAmountIn) returns (uint128)',
  ])
  const PATH_USD: Hex = `0x20c0${'0'.repeat(36)}`
  const EXCHANGE: Hex = `0xdec0${'0'.repeat(36)}`
  const OTHER: Hex = `0x20c0${'1'.repeat(36)}`

  type Swap = { spender?: Hex; tokenIn?: Hex; tokenOut?: Hex; amountOut?: bigint; approved?: Hex; exchange?: Hex }
  const prefix = (swap: Swap = {}) => {
    const { spender = EXCHANGE, tokenIn = PATH_USD, tokenOut = TEMPO_USDC, amountOut = 50_000n } = swap
    return [
      {
        to: swap.approved ?? PATH_USD,
        data: encodeFunctionData({ abi: ABI, args: [spender, 50_500n], functionName: 'approve' }),
      },
      {
        to: swap.exchange ?? EXCHANGE,
        data: encodeFunctionData({
          abi: ABI,
          args: [tokenIn, tokenOut, amountOut, 50_500n],
          functionName: 'swapExactAmountOut',
        }),
      },
    ]
  }
  const read = async (calls: (transfer: object) => object[]) => {
    const world = createTestScheme()
    const challenge = (await credentialFor(world)).challenge
    const [transfer] = transferFor(world.clock.now(), { challengeId: challenge.id }).calls
    const signature = await signTransfer(world.clock.now(), {
      challengeId: challenge.id,
      fields: { calls: calls(transfer) },
    })
    const source = `did:pkh:eip155:4217:${PAYER}`
    const headers = headersOf({ challenge, payload: { type: 'transaction', signature }, source })
    return { world, payment: world.scheme.parse(headers, OFFER)! }
  }

  test('the approval and the swap of mppx may come before the transfer; the balance is not asked for the token', async () => {
    const { world, payment } = await read((transfer) => [...prefix(), transfer])
    const poor = async (call: { method: string; params: readonly unknown[] }, ask: () => Promise<never>) => {
      const [request] = call.params as [{ calls?: unknown[] }]
      if (request.calls) return { ok: true, result: '0x' } as never
      return call.method === 'eth_call' ? ({ ok: true, result: `0x${'0'.repeat(64)}` } as never) : ask()
    }
    world.intercept(poor as never)
    await payment.verify(neverAborted())
  })

  const rows: [string, (transfer: object) => object[]][] = [
    ['approves somebody else', (transfer) => [...prefix({ spender: PAYER }), transfer]],
    ['swaps elsewhere', (transfer) => [...prefix({ exchange: PAYER }), transfer]],
    ['buys another token', (transfer) => [...prefix({ tokenOut: OTHER }), transfer]],
    ['buys another amount', (transfer) => [...prefix({ amountOut: 1n }), transfer]],
    ['sells a token it did not approve', (transfer) => [...prefix({ approved: OTHER }), transfer]],
    ['sells our token', (transfer) => [...prefix({ tokenIn: TEMPO_USDC, approved: TEMPO_USDC }), transfer]],
    ['swaps afterwards', (transfer) => [transfer, ...prefix()]],
    ['transfers twice', (transfer) => [transfer, transfer]],
    ['swaps and transfers twice', (transfer) => [...prefix(), transfer, transfer]],
    ['only approves', (transfer) => [prefix()[0]!, transfer]],
  ]
  for (const [what, calls] of rows) {
    test(`a transaction that ${what} is refused`, () =>
      assert.rejects(read(calls), refused('verification-failed', /more than one thing|not a transfer/)))
  }

  test('a transfer without a memo is refused in words: it names no challenge', async () => {
    const transfer = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
    const data = encodeFunctionData({ abi: transfer, args: [RECIPIENT, 50_000n] })
    await assert.rejects(
      read(() => [{ to: TEMPO_USDC, data }]),
      refused('verification-failed', /use transferWithMemo/),
    )
  })
})
