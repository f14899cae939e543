import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { type BaseChain, startBaseChain } from '../../sandbox/money/base-chain.ts'
import { manualClock, systemClock } from '../../src/kernel/clock.ts'
import { CHEAP_ETHER } from '../../src/payments/sources/x402/x402.fixture.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { openShop, PAY_TO, QUICK, type Shop } from '../support/paid-shop.ts'
import { newWallet, payX402, type Wallet } from '../support/paid-wallets.ts'

const PATH = '/v1/goods/a'
const ABI = parseAbi(['function transfer(address to, uint256 value)'])
const NEVER = new AbortController().signal

describe('a settled payment that a reorganization drops from the chain', () => {
  const clock = manualClock(Date.now())
  const ledger = memoryLedger({ clock })
  let chain: BaseChain
  let shop: Shop
  const key = newWallet()
  before(async () => {
    chain = await startBaseChain()
    await chain.fuel(key.address, 10n ** 18n)
    const urls = { base: chain.url, tempo: 'http://127.0.0.1:1' }
    shop = await openShop({ urls, ledger, clock: systemClock, key: key.key, gasCap: CHEAP_ETHER })
  })
  after(async () => {
    await shop.stop()
    await chain.stop()
  })
  const earned = () => chain.balanceOf(PAY_TO)
  /** Buys something; returns how to take the chain back to the moment before. */
  async function buy(): Promise<{ wallet: Wallet; undo(): Promise<void> }> {
    const wallet = newWallet()
    await chain.fund(wallet.address, QUICK)
    await chain.fuel(wallet.address, 10n ** 18n)
    const headers = await payX402(await shop.get(PATH), wallet, systemClock)
    const snapshot = await chain.rpc('evm_snapshot', [])
    assert.equal((await shop.get(PATH, headers)).status, 200)
    return { wallet, undo: async () => void (await chain.rpc('evm_revert', [snapshot])) }
  }
  const entryOf = async ({ address }: Wallet) =>
    (await ledger.list(100)).find(({ details }) => details.payer === address.toLowerCase())!

  test('one that is still there is looked up twice and left alone', async () => {
    const { wallet } = await buy()
    const had = await earned()
    const posts: number[] = []
    for (const ageMs of [1000, 60_000, 60_000, 300_000, 300_000]) {
      clock.advance(ageMs)
      const before = chain.posts()
      assert.equal(await shop.gate.recheck(NEVER), 0)
      posts.push(chain.posts() - before)
    }
    assert.deepEqual(posts, [0, 1, 0, 1, 0], 'each time its receipt, and nothing else')
    assert.equal(await earned(), had)
    assert.equal((await entryOf(wallet)).isLost, false)
  })

  test('it is settled again', async () => {
    const had = await earned()
    const { wallet, undo } = await buy()
    await undo()
    assert.equal(await earned(), had)
    clock.advance(60_001)
    assert.equal(await shop.gate.recheck(NEVER), 0)
    assert.equal(await earned(), had + QUICK)
    const { state, isLost } = await entryOf(wallet)
    assert.deepEqual([state, isLost], ['settled', false])
  })

  test('where its payer has spent the money meanwhile, it is reported', async () => {
    const had = await earned()
    const { wallet, undo } = await buy()
    await undo()
    const data = encodeFunctionData({ abi: ABI, args: [key.address, QUICK] })
    const fees = { gas: 200_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    const transaction = { type: 'eip1559', chainId: 8453, nonce: 0, to: chain.usdc as Hex, data, ...fees } as const
    await chain.rpc('eth_sendRawTransaction', [await wallet.account.signTransaction(transaction)])
    clock.advance(60_001)
    assert.equal(await shop.gate.recheck(NEVER), 1)
    assert.equal(await earned(), had)
    assert.equal((await entryOf(wallet)).isLost, true)
    assert.ok(shop.lines.some((line) => line.includes('no longer on the chain and cannot be taken again')))
    // A node that was wrong, or a payer who has money again: the second look finds the payment.
    await chain.fund(wallet.address, QUICK)
    clock.advance(300_001)
    assert.equal(await shop.gate.recheck(NEVER), 0)
    assert.equal(await earned(), had + QUICK)
    assert.equal((await entryOf(wallet)).isLost, false)
  })

  test('while no node answers it stays to be looked up', async () => {
    const { wallet } = await buy()
    clock.advance(60_001)
    const blind = await openShop({
      urls: { base: 'http://127.0.0.1:1', tempo: 'http://127.0.0.1:1' },
      ledger,
      clock: systemClock,
    })
    assert.equal(await blind.gate.recheck(NEVER), 0)
    await blind.stop()
    const before = chain.posts()
    assert.equal(await shop.gate.recheck(NEVER), 0)
    assert.ok(chain.posts() > before)
    assert.equal((await entryOf(wallet)).isLost, false)
  })
})
