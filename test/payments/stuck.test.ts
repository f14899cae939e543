import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { FULL } from '../support/paid-shop.ts'
import { payX402 } from '../support/paid-wallets.ts'
import { insist, startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a?tier=full'

async function open(t: TestContext) {
  const world = await startPaidWorld({ confirmTimeoutMs: 50 })
  t.after(world.stop)
  return world
}

test('a transaction that is stuck below the price of gas is replaced, and those behind it go through', async (t) => {
  const world = await open(t)
  const { base } = world.chains
  const payers = await Promise.all([1, 2, 3].map(() => world.pay(payX402, PATH)))
  base.holdBack(true)
  for (const { send } of payers) assert.equal((await send()).status, 503)
  // The base fee rises above what they bid, and stays there.
  base.setBaseFee(20_000_000n)
  base.holdBack(false)
  for (const { send } of payers) assert.equal((await send()).status, 503)
  assert.deepEqual(
    payers.map(({ wallet }) => world.paidBy(wallet)),
    [0n, 0n, 0n],
  )
  world.clock.advance(31_000)
  for (const { send } of payers) assert.equal((await insist(send)).status, 200)
  assert.deepEqual(
    payers.map(({ wallet }) => world.paidBy(wallet)),
    [FULL, FULL, FULL],
  )
  assert.equal(world.runsOf('a'), 3)
})

test('where the replaced transaction is mined instead, the payer gets the answer, and pays once', async (t) => {
  const world = await open(t)
  const { base } = world.chains
  const { wallet, send } = await world.pay(payX402, PATH)
  base.holdBack(true)
  assert.equal((await send()).status, 503)
  world.clock.advance(31_000)
  // The replacement never arrives: the node that has it says so, and mines the first.
  world.chains.onLine(async ({ method }, ask) => {
    if (method !== 'eth_sendRawTransaction') return ask()
    base.holdBack(false)
    return `0x${'ab'.repeat(32)}`
  })
  const reply = await insist(send)
  assert.deepEqual([reply.status, world.paidBy(wallet)], [200, FULL])
})

test('nobody who has left blocks the others: an expired payment is replaced by an empty transaction', async (t) => {
  const world = await open(t)
  const { base } = world.chains
  const gone = await world.pay(payX402, PATH)
  base.holdBack(true)
  assert.equal((await gone.send()).status, 503)
  base.setBaseFee(20_000_000n)
  base.holdBack(false)
  world.clock.advance(301_000)
  const next = await world.pay(payX402, PATH)
  assert.equal((await insist(next.send)).status, 200)
  assert.equal((await insist(gone.send)).status, 402)
  assert.deepEqual([world.paidBy(gone.wallet), world.paidBy(next.wallet)], [0n, FULL])
})
