import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { type BaseChain, startBaseChain } from '../../sandbox/money/base-chain.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { CHEAP_ETHER } from '../../src/payments/sources/x402/x402.fixture.ts'
import { openShop, PAY_TO, QUICK, type Shop, type ShopOptions } from '../support/paid-shop.ts'
import { fromBase64, newWallet, payX402, type PaymentHeaders, type Wallet } from '../support/paid-wallets.ts'
import { insist, mustBeRefused } from '../support/paid-world.ts'

const ABI = parseAbi([
  'function transfer(address to, uint256 value)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const CANCEL = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

type Sent = {
  readonly payload: {
    readonly signature: Hex
    readonly authorization: Record<'value' | 'validAfter' | 'validBefore', string> & { to: Hex; nonce: Hex }
  }
}

describe("a payer with tricks, before Circle's own contract on a real chain", () => {
  const PATH = '/v1/goods/a'
  let chain: BaseChain
  let shop: Shop
  const key = newWallet()
  let onPayment = () => {}
  const reportPayments: ShopOptions['wrap'] = (scheme) => ({
    ...scheme,
    parse(headers, offer) {
      const payment = scheme.parse(headers, offer)
      if (payment) onPayment()
      return payment
    },
  })
  before(async () => {
    chain = await startBaseChain()
    shop = await open({ wrap: reportPayments })
  })
  after(async () => {
    await shop.stop()
    await chain.stop()
  })

  async function open(options: Partial<ShopOptions> = {}): Promise<Shop> {
    await chain.fuel(key.address, 10n ** 18n)
    const urls = { base: chain.url, tempo: 'http://127.0.0.1:1' }
    const ledger = memoryLedger({ clock: systemClock })
    return openShop({ urls, ledger, clock: systemClock, key: key.key, gasCap: CHEAP_ETHER, ...options })
  }
  async function pay(at = shop): Promise<{ wallet: Wallet; headers: PaymentHeaders; send(): ReturnType<Shop['get']> }> {
    const wallet = newWallet()
    await chain.fund(wallet.address, QUICK)
    await chain.fuel(wallet.address, 10n ** 18n)
    const headers = await payX402(await at.get(PATH), wallet, systemClock)
    return { wallet, headers, send: () => at.get(PATH, headers) }
  }
  /** A transaction of the payer's own. */
  async function act({ account }: Wallet, data: Hex): Promise<void> {
    const fees = { gas: 200_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    const to = chain.usdc
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 8453, nonce: 0, to, data, ...fees })
    await chain.rpc('eth_sendRawTransaction', [raw])
  }
  /** While the answer is made. */
  const meanwhile = (deed: () => Promise<void>) =>
    shop.onWork(async ({ item, tier }) => {
      await deed()
      return { item, tier, serial: 1 }
    })
  const sentIn = (headers: PaymentHeaders) => fromBase64(headers['payment-signature']!) as Sent
  const earned = () => chain.balanceOf(PAY_TO)
  const transactions = async () => Number(await chain.rpc('eth_getTransactionCount', [key.address, 'latest']))

  test('uses one payment twenty times at once: one charge, and we pay for one transaction', async () => {
    const [before, count] = [await earned(), await transactions()]
    const { send } = await pay()
    // Who comes after the payment was sent to the chain needs its token, so the work waits until all are here.
    const { promise: allAreHere, resolve } = Promise.withResolvers<void>()
    let here = 0
    onPayment = () => void (++here === 20 && resolve())
    meanwhile(() => allAreHere)
    const replies = await Promise.all(Array.from({ length: 20 }, send))
    assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal(replies[0]!.status, 200)
    assert.deepEqual([(await earned()) - before, (await transactions()) - count], [QUICK, 1])
  })

  test('empties the wallet: no answer', async () => {
    const { wallet, send } = await pay()
    const before = await earned()
    const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [key.address, QUICK] })
    meanwhile(() => act(wallet, data))
    mustBeRefused(await send(), /insufficient|verification-failed/)
    assert.equal(await earned(), before)
  })

  test('cancels the authorization: no answer', async () => {
    const { wallet, headers, send } = await pay()
    const before = await earned()
    const { nonce } = sentIn(headers).payload.authorization
    const signature = await wallet.account.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: chain.usdc },
      types: CANCEL,
      primaryType: 'CancelAuthorization',
      message: { authorizer: wallet.address, nonce },
    })
    const args = [wallet.address, nonce, signature] as const
    meanwhile(() => act(wallet, encodeFunctionData({ abi: ABI, functionName: 'cancelAuthorization', args })))
    mustBeRefused(await send(), 'verification-failed')
    assert.equal(await earned(), before)
  })

  test('hands the authorization in first: that is a payment, and it is answered', async () => {
    const { wallet, headers, send } = await pay()
    const before = await earned()
    const { signature, authorization } = sentIn(headers).payload
    const { to, value, validAfter, validBefore, nonce } = authorization
    const times = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const
    const args = [wallet.address, to, ...times, nonce, signature] as const
    meanwhile(() => act(wallet, encodeFunctionData({ abi: ABI, functionName: 'transferWithAuthorization', args })))
    assert.equal((await send()).status, 200)
    assert.equal((await earned()) - before, QUICK)
  })

  test('waits out a chain that makes no blocks: repeats, and is charged once', async (t) => {
    const impatient = await open({ confirmTimeoutMs: 300 })
    t.after(impatient.stop)
    const { wallet, send } = await pay(impatient)
    const before = await earned()
    impatient.onWork(async ({ item, tier }) => {
      await chain.setAutomine(false)
      return { item, tier, serial: 1 }
    })
    assert.equal((await send()).status, 503)
    assert.equal((await send()).status, 503)
    await chain.setAutomine(true)
    await chain.mine()
    assert.equal((await insist(send)).status, 200)
    assert.deepEqual([(await earned()) - before, await chain.balanceOf(wallet.address)], [QUICK, 0n])
  })
})
