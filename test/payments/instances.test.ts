import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BaseChain, startBaseChain } from '../../sandbox/money/base-chain.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { CHEAP_ETHER } from '../../src/payments/sources/x402/x402.fixture.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { openShop, PAY_TO, QUICK, type Shop } from '../support/paid-shop.ts'
import { newWallet, payX402 } from '../support/paid-wallets.ts'
import { mustBeRefused } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'

describe("three instances with a ledger each and one recipient, before Circle's contract", () => {
  let chain: BaseChain
  let shops: Shop[]
  before(async () => {
    chain = await startBaseChain()
    shops = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const key = newWallet()
        await chain.fuel(key.address, 10n ** 18n)
        const urls = { base: chain.url, tempo: 'http://127.0.0.1:1' }
        const ledger = memoryLedger({ clock: systemClock })
        return openShop({ urls, ledger, clock: systemClock, key: key.key, gasCap: CHEAP_ETHER })
      }),
    )
  })
  after(async () => {
    await Promise.all(shops.map((shop) => shop.stop()))
    await chain.stop()
  })
  async function pay() {
    const wallet = newWallet()
    await chain.fund(wallet.address, QUICK)
    return payX402(await shops[0]!.get(PATH), wallet, systemClock)
  }

  test('one x402 payment sent to all at once buys one answer', async () => {
    const [before, headers] = [await chain.balanceOf(PAY_TO), await pay()]
    // All have done the work before any of them settles.
    const ready = Promise.withResolvers<void>()
    let working = 0
    for (const shop of shops) {
      shop.onWork(async ({ item, tier }) => {
        if (++working === shops.length) ready.resolve()
        await ready.promise
        return { item, tier, serial: 1 }
      })
    }
    const replies = await Promise.all(shops.map((shop) => shop.get(PATH, headers)))
    const refused = replies.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 2, replies.map(({ text }) => text).join('\n'))
    for (const reply of refused) mustBeRefused(reply, 'invalid-challenge')
    assert.equal((await chain.balanceOf(PAY_TO)) - before, QUICK)
  })

  test('one after the other it buys one answer, also with a copy of the request that was answered', async () => {
    for (const shop of shops) shop.onWork(({ item, tier }) => ({ item, tier, serial: 1 }))
    const headers = await pay()
    assert.equal((await shops[0]!.get(PATH, headers)).status, 200)
    for (const shop of shops.slice(1)) mustBeRefused(await shop.get(PATH, headers), 'invalid-challenge')
  })
})
