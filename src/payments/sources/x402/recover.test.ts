import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeFunctionData } from 'viem'
import { ADMIN } from '../../../../sandbox/chain/accounts.ts'
import { send } from '../../../../sandbox/chain/send.ts'
import { startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { ABI, cancel, clockOffBy, refused, submit, unknownOutcome, startChainForFile } from './chain.fixture.ts'
import { BASE, BASE_USDC } from './network.ts'
import {
  createWallet,
  NEVER_ABORTED,
  openScheme,
  PAY_TO,
  parsePayment,
  PRICE,
  signAuthorization,
  v1Headers,
  v2Headers,
} from './x402.fixture.ts'

const chain = await startChainForFile()

suite('what became of a payment is told by the chain', () => {
  test('before it is taken it can be', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
  })

  test('another process finds it from what was written down', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v1Headers(await signAuthorization(await createWallet(chain))))
    const settlement = await payment.settle(NEVER_ABORTED)
    const other = await openScheme(t, chain)
    assert.deepEqual(await other.scheme.restore(payment.stored).recover(NEVER_ABORTED), settlement)
  })

  test('settled twice it is paid once', async (t) => {
    const { scheme, settler } = await openScheme(t, chain)
    const account = await createWallet(chain, 3n * PRICE)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.settle(NEVER_ABORTED), settlement)
    const other = await openScheme(t, chain)
    assert.deepEqual(await other.scheme.restore(payment.stored).settle(NEVER_ABORTED), settlement)
    assert.equal(await chain.balanceOf(account.address), 2n * PRICE)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x1')
  })

  test('where somebody else handed it in first, we are paid all the same', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payload = await signAuthorization(await createWallet(chain))
    const payment = parsePayment(scheme, v2Headers(payload))
    await payment.verify(NEVER_ABORTED)
    await submit(chain, payload)
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
  })

  test('a nonce the payer used to pay somebody else paid nothing here', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain, 2n * PRICE)
    const payload = await signAuthorization(account)
    const payment = parsePayment(scheme, v2Headers(payload))
    await payment.verify(NEVER_ABORTED)
    const had = await chain.balanceOf(PAY_TO)
    const { nonce } = payload.authorization
    await submit(chain, await signAuthorization(account, { nonce, to: account.address }))
    for (const look of [payment.settle, payment.recover]) {
      await assert.rejects(look(NEVER_ABORTED), refused('verification-failed', /cancelled|another/))
    }
    assert.equal(await chain.balanceOf(PAY_TO), had)
  })

  test('one cancelled meanwhile was not taken', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain)
    const payload = await signAuthorization(account)
    const payment = parsePayment(scheme, v2Headers(payload))
    await cancel(chain, account, payload.authorization.nonce)
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed', /cancelled/))
    await assert.rejects(payment.recover(NEVER_ABORTED), refused('verification-failed', /cancelled/))
  })

  test('a purse emptied meanwhile pays nothing, and once it is full again the same payment is good', async (t) => {
    let elapsedMs = 0
    const clock = { ...systemClock, monotonic: () => elapsedMs }
    const { scheme, settler } = await openScheme(t, chain, { clock })
    const account = await createWallet(chain)
    await chain.fuel(account.address, 10n ** 18n)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
    await payment.verify(NEVER_ABORTED)
    // The check holds for the time of one block.
    elapsedMs = 1000 * BASE.blockSeconds
    const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [ADMIN.address, PRICE] })
    await chain.rpc('hardhat_impersonateAccount', [account.address])
    await send(chain.rpc, { from: account.address, to: BASE_USDC.address, data })
    // At first nothing is sent. Once something may have been, only a receipt tells.
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('payment-insufficient', /less USDC/))
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x0')
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed', /nothing was charged/))
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    await chain.fund(account.address, PRICE)
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.balanceOf(account.address), 0n)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x2')
  })

  test('one that ran out is refused for good, but only once the chain has come so far', async (t) => {
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme } = await openScheme(t, own)
    const late = await openScheme(t, own, { clock: clockOffBy(400) })
    const { stored } = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(own))))
    await assert.rejects(late.scheme.restore(stored).recover(NEVER_ABORTED), unknownOutcome)
    await assert.rejects(late.scheme.restore(stored).settle(NEVER_ABORTED), unknownOutcome)
    await own.increaseTime(400)
    await assert.rejects(
      late.scheme.restore(stored).recover(NEVER_ABORTED),
      refused('payment-expired', /nothing was charged/),
    )
    await assert.rejects(late.scheme.restore(stored).settle(NEVER_ABORTED), refused('payment-expired'))
    await assert.rejects(scheme.restore(stored).recover(NEVER_ABORTED), refused('payment-expired'))
  })

  test('it is found days later, among thousands of blocks', async (t) => {
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme } = await openScheme(t, own)
    await own.rpc('hardhat_mine', ['0x5000', '0x2'])
    const payment = parsePayment(
      scheme,
      v2Headers(await signAuthorization(await createWallet(own), { validBefore: 99_999_999_999n })),
    )
    const settlement = await payment.settle(NEVER_ABORTED)
    await own.rpc('hardhat_mine', ['0x5000', '0x2'])
    const posts = own.posts()
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
    // Its state, a guess where to begin, the log, its receipt; not a walk through half the chain.
    assert.ok(own.posts() - posts <= 8)
  })
})
