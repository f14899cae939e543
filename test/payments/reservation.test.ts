import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import type { Reply } from '../support/door.ts'
import { type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { type PaidProcess, startPaidProcess } from '../support/paid-processes.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'
import { mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const AUTHORIZATIONS = 200
const CHAINS = [
  ['x402', 'base', payX402],
  ['MPP', 'tempo', payMpp],
] as const

const sold = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200)
/** Transactions that were sent to a chain. */
const sent = (chains: PaidChains) => chains.asked.filter(({ method }) => method.startsWith('eth_sendRaw')).length

function mustBeInsufficient(replies: readonly Reply[]): void {
  for (const reply of replies) {
    assert.ok(reply.status === 200 || reply.status === 402, reply.text)
    if (reply.status === 402) mustBeRefused(reply, 'payment-insufficient')
  }
}

describe('a wallet that signs more than it holds', () => {
  let world: PaidWorld
  before(async () => {
    // 200 checks at once take a while on a busy machine.
    world = await startPaidWorld({ nodeMs: 60_000 })
  })
  after(() => world.stop())

  for (const [name, chain, payer] of CHAINS) {
    test(`${name}: ${AUTHORIZATIONS} payments at once from a balance for one buy one answer, and nothing fails on the chain`, async () => {
      const wallet = fundedWallet(world.chains, QUICK)
      const path = (at: number) => `/v1/goods/${name} ${at}`
      const [runs, transactions] = [world.shop.runs.length, sent(world.chains)]
      const payments = await Promise.all(
        Array.from({ length: AUTHORIZATIONS }, async (_, at) => payer(await world.get(path(at)), wallet, world.clock)),
      )
      const replies = await Promise.all(payments.map((headers, at) => world.get(path(at), headers)))
      assert.equal(sold(replies).length, 1)
      mustBeInsufficient(replies)
      assert.equal(world.shop.runs.length - runs, 1, 'work was done for nothing')
      assert.equal(sent(world.chains) - transactions, 1, 'a transaction was sent that had to fail')
      assert.equal(world.chains[chain].balanceOf(wallet.address), 0n)
    })
  }

  test('a wallet with enough money has at most 8 payments under way, and the rest can be sent again', async () => {
    const wallet = fundedWallet(world.chains)
    const [held, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.shop.onWork(async ({ item, tier }) => {
      await held.promise
      return { item, tier, serial: 1 }
    })
    const paths = Array.from({ length: 12 }, (_, at) => `/v1/goods/many ${at}`)
    const payments = await Promise.all(paths.map(async (path) => payX402(await world.get(path), wallet, world.clock)))
    let replied = 0
    const replies = payments.map(async (headers, at) => {
      const reply = await world.get(paths[at]!, headers)
      if (++replied === 4) refused.resolve()
      return reply
    })
    // What is refused is refused while the others are being worked on.
    await refused.promise
    held.resolve()
    const done = await Promise.all(replies)
    assert.equal(sold(done).length, 8)
    mustBeInsufficient(done)
    const again = await Promise.all(
      done.map(async (reply, at) => (reply.status === 200 ? reply : world.get(paths[at]!, payments[at]))),
    )
    assert.deepEqual([...new Set(again.map(({ status }) => status))], [200])
    assert.equal(world.paidBy(wallet), 12n * QUICK)
  })

  test('a payment whose work failed reserves nothing', async () => {
    const wallet = fundedWallet(world.chains, QUICK)
    world.shop.onWork(() => ({ error: 'site_timeout' }))
    const first = await payX402(await world.get('/v1/goods/fails'), wallet, world.clock)
    assert.equal((await world.get('/v1/goods/fails', first)).status, 200)
    world.shop.onWork(({ item, tier }) => ({ item, tier, serial: 1 }))
    const second = await payX402(await world.get('/v1/goods/works'), wallet, world.clock)
    assert.equal((await world.get('/v1/goods/works', second)).status, 200)
    assert.equal(world.chains.base.balanceOf(wallet.address), 0n)
  })
})

describe('a wallet that signs more than it holds, at three processes with one ledger', () => {
  const now = Date.UTC(2026, 10, 15, 12)
  const clock = manualClock(now)
  const folder = mkdtempSync(join(tmpdir(), 'onoma-reservation-'))
  let chains: PaidChains
  let shops: PaidProcess[] = []
  before(async () => {
    chains = await startPaidChains(clock)
    const plan = { folder, urls: chains.urls, now, ledgerNow: now, waitMs: 50 }
    shops = await Promise.all([startPaidProcess(plan), startPaidProcess(plan), startPaidProcess(plan)])
  })
  after(async () => {
    await Promise.all(shops.map((shop) => shop.kill()))
    await chains.stop()
    rmSync(folder, { recursive: true })
  })

  for (const [name, chain, payer] of CHAINS) {
    test(`${name}: ${AUTHORIZATIONS} payments at once from a balance for two buy two answers`, async () => {
      const wallet = fundedWallet(chains, 2n * QUICK)
      const path = (at: number) => `/v1/goods/${name} ${at}`
      const invited = await shops[0]!.get(path(0))
      const [runs, transactions] = [shops.flatMap((shop) => shop.runs).length, sent(chains)]
      const payments = await Promise.all(
        Array.from({ length: AUTHORIZATIONS }, async (_, at) =>
          payer(name === 'MPP' ? await shops[at % 3]!.get(path(at)) : invited, wallet, clock),
        ),
      )
      const replies = await Promise.all(payments.map((headers, at) => shops[at % 3]!.get(path(at), headers)))
      assert.equal(sold(replies).length, 2)
      mustBeInsufficient(replies)
      assert.equal(shops.flatMap((shop) => shop.runs).length - runs, 2)
      assert.equal(sent(chains) - transactions, 2)
      assert.equal(chains[chain].balanceOf(wallet.address), 0n)
    })
  }
})
