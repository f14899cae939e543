import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import { parseUsd } from '../../src/kernel/money.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { startPaidChains } from '../support/paid-chains.ts'
import { openShop, PAY_TO, QUICK, type ShopOptions } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'
import { insist, mustBeRefused, startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'
const AUTHORIZATION_STATE = '0xe94a0102'
const UNUSED = `0x${'0'.repeat(64)}`

async function open(t: TestContext) {
  const world = await startPaidWorld({ confirmTimeoutMs: 50 })
  t.after(world.stop)
  return world
}

const isState = (method: string, params: readonly unknown[]) =>
  method === 'eth_call' && String((params[0] as { data?: string }).data).startsWith(AUTHORIZATION_STATE)

test('a node that forgets a used authorization: the outcome is unknown, never a reason to pay again', async (t) => {
  const world = await open(t)
  const { wallet, send } = await world.pay(payX402, PATH)
  // The transaction is mined, and no receipt comes back.
  world.chains.onLine(({ method }, ask) => (method === 'eth_getTransactionReceipt' ? null : ask()))
  assert.equal((await send()).status, 503)
  assert.equal(world.paidBy(wallet), QUICK)
  // The first look says unused, the trial before sending says used, and the look after it unused again.
  let looks = 0
  world.chains.onLine(({ method, params }, ask) => {
    if (method === 'eth_getTransactionReceipt') return null
    return isState(method, params) && ++looks !== 2 ? UNUSED : ask()
  })
  for (let time = 0; time < 3; time++) assert.equal((await send()).status, 503)
  world.chains.onLine()
  assert.equal((await insist(send)).status, 200)
  assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [QUICK, 1])
})

test('a node that is behind the block of a failed transaction does not decide that nothing was paid', async (t) => {
  const world = await open(t)
  const { wallet, headers, send } = await world.pay(payX402, PATH)
  const stranger = await openShop({ urls: world.chains.urls, clock: world.clock, ledger: world.ledger })
  t.after(stranger.stop)
  // Somebody else hands the authorization in after our trial, so our own transaction fails.
  const [x402] = stranger.schemes
  const offer = { scope: 'goods', description: '', price: QUICK as never, url: `https://shop.example${PATH}` }
  const other = x402!.parse(headers, offer)!
  let isBehind = false
  world.chains.onLine(async ({ method, params }, ask) => {
    if (method === 'eth_sendRawTransaction' && !isBehind) {
      isBehind = true
      await other.settle(AbortSignal.timeout(5000))
    }
    if (!isBehind) return ask()
    if (isState(method, params) && params[1] === 'latest') return UNUSED
    return ask()
  })
  const reply = await send()
  assert.notEqual(reply.status, 402, reply.text)
  world.chains.onLine()
  assert.equal((await insist(send)).status, 200)
  assert.equal(world.paidBy(wallet), QUICK)
})

test('a price or recipient that changed after the challenge: the challenge is honoured until it expires', async (t) => {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const chains = await startPaidChains(clock)
  t.after(chains.stop)
  const secret = 'the same secret before and after the restart'
  const shop = async (changes: Partial<ShopOptions> = {}) => {
    const opened = await openShop({ urls: chains.urls, clock, ledger: memoryLedger({ clock }), secret, ...changes })
    t.after(opened.stop)
    return opened
  }
  const before = await shop()
  const elsewhere = '0x2222222222222222222222222222222222222222'
  const after = await shop({ payTo: elsewhere })
  const wallet = fundedWallet(chains)
  const headers = await payX402(await before.get(PATH), wallet, clock)
  assert.equal((await after.get(PATH, headers)).status, 200)
  const had = chains.base.balanceOf(elsewhere)
  assert.equal(had, 0n)
  // For another request, with another seal or too late, the requirements of today hold.
  const unused = await payX402(await before.get(PATH), wallet, clock)
  assert.equal((await after.get('/v1/goods/b', unused)).status, 402)
  const forged = await shop({ payTo: elsewhere, secret: 'the secret of somebody else altogether' })
  assert.equal((await forged.get(PATH, unused)).status, 402)
  const validBefore = BigInt(clock.now()) / 1000n + 3600n
  const late = await payX402(await before.get(PATH), wallet, clock, { validBefore })
  clock.advance(301_000)
  assert.equal((await after.get(PATH, late)).status, 402)
})

for (const [name, chain, pay] of [
  ['x402', 'base', payX402],
  ['MPP', 'tempo', payMpp],
] as const) {
  for (const [what, changes] of [
    ['the price rose', { priceOf: () => parseUsd('0.05') }],
    ['the price fell', { priceOf: () => parseUsd('0.01') }],
    ['the recipient changed', { payTo: '0x2222222222222222222222222222222222222222' }],
  ] as const) {
    test(`${name}: ${what} between challenge and repeat: the challenge that was sent holds`, async (t) => {
      const clock = manualClock(Date.UTC(2026, 10, 15, 12))
      const chains = await startPaidChains(clock)
      t.after(chains.stop)
      const ledger = memoryLedger({ clock })
      const open = async (options: Partial<ShopOptions>) => {
        const opened = await openShop({ urls: chains.urls, clock, ledger, secret: 'one secret for both', ...options })
        t.after(opened.stop)
        return opened
      }
      const [before, after] = [await open({}), await open(changes)]
      const wallet = fundedWallet(chains)
      const [first, second] = [await before.get(PATH), await before.get(PATH)]
      const reply = await after.get(PATH, await pay(first, wallet, clock))
      assert.equal(reply.status, 200, reply.text)
      assert.equal(chains[chain].balanceOf(PAY_TO), QUICK)
      // An MPP challenge is for an endpoint and a price, so another recipient does not bind it to its request.
      if (name === 'MPP' && 'payTo' in changes) return
      mustBeRefused(await after.get('/v1/goods/b', await pay(second, wallet, clock)), /.+/)
      assert.equal(chains[chain].balanceOf(PAY_TO), QUICK)
    })
  }
}
