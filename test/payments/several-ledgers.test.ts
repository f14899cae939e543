import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { openShop, QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payMpp } from '../support/paid-wallets.ts'
import { mustBeRefused, startPaidWorld } from '../support/paid-world.ts'

test('MPP: instances with a ledger each sell one payment once, also when it reaches all of them at the same time', async (t) => {
  const world = await startPaidWorld()
  t.after(world.stop)
  const { clock, chains } = world
  const neighbours = await Promise.all(
    ['second', 'third'].map((ledgerId) =>
      openShop({ urls: chains.urls, clock, ledger: memoryLedger({ clock }), ledgerId }),
    ),
  )
  t.after(() => Promise.all(neighbours.map((shop) => shop.stop())))
  const wallet = fundedWallet(chains)
  const headers = await payMpp(await world.get('/v1/goods/a'), wallet, clock)
  const [own, ...others] = await Promise.all(
    [world.shop, ...neighbours].map((shop) => shop.get('/v1/goods/a', headers)),
  )
  assert.equal(own!.status, 200, own!.text)
  for (const reply of others) mustBeRefused(reply, 'invalid-challenge')
  assert.deepEqual(
    neighbours.flatMap(({ runs }) => runs),
    [],
  )
  assert.equal(world.paidBy(wallet), QUICK)
})
