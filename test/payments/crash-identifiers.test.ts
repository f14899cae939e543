import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CrashWorld, NOW, startCrashWorld } from '../support/crash-world.ts'
import type { PaidProcess } from '../support/paid-processes.ts'
import type { HoldPoint } from '../support/paid-server.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, paidBy, payX402 } from '../support/paid-wallets.ts'
import type { PaymentHeaders, Wallet } from '../support/paid-wallets.ts'

/** Longer than anybody may hold a payment. */
const LEASE_MS = 120_000

/** Where the process is killed, and whether the payment is in the ledger then, and with it its name. */
const KILLS: readonly { readonly at: HoldPoint; readonly isClaimed: boolean }[] = [
  { at: 'before claim', isClaimed: false },
  { at: 'after claim', isClaimed: true },
  { at: 'in work', isClaimed: true },
  { at: 'after compute', isClaimed: true },
  { at: 'before settle', isClaimed: true },
  { at: 'after settle', isClaimed: true },
]

type Paid = {
  readonly at: HoldPoint
  readonly isClaimed: boolean
  readonly id: string
  readonly path: string
  readonly wallet: Wallet
  readonly headers: PaymentHeaders
}

describe('kill -9 while a payment with a payment identifier is served', () => {
  const paid: Paid[] = []
  let world: CrashWorld
  let beside: PaidProcess

  const sign = async (shop: PaidProcess, path: string, wallet: Wallet, id: string) => {
    const extensions = { 'payment-identifier': { info: { required: false, id } } }
    // The client chose a token, so that an answer it never read can be fetched.
    const token = { 'payment-token': 't'.repeat(43) }
    return { ...(await payX402(await shop.get(path), wallet, world.clock, { whole: { extensions } })), ...token }
  }

  before(async () => {
    world = await startCrashWorld()
    const dying = await world.start({ holds: Object.fromEntries(KILLS.map(({ at }, index) => [String(index), at])) })
    beside = await world.start()
    for (const [index, kill] of KILLS.entries()) {
      const [path, id] = [`/v1/goods/${index} named`, `order_number_000${index}`]
      const wallet = fundedWallet(world.chains)
      paid.push({ ...kill, id, path, wallet, headers: await sign(dying, path, wallet, id) })
    }
    await world.killWhileHeld(dying, paid)
  })
  after(() => world.stop())

  test('a client that signs anew under the name is not charged a second time by the process beside', async () => {
    for (const { at, id, path, wallet } of paid.filter(({ isClaimed }) => isClaimed)) {
      const again = await beside.get(path, await sign(beside, path, wallet, id))
      assert.equal(again.status, 409, `${at}: ${again.text}`)
      assert.ok(paidBy(world.chains, wallet) <= QUICK, at)
    }
  })

  test('after the lease the payment itself buys its answer, for one charge, and its name stays taken', async () => {
    const later = await world.start({ ledgerNow: NOW + LEASE_MS })
    for (const { at, id, path, wallet, headers } of paid) {
      const first = await later.get(path, headers)
      assert.equal(first.status, 200, `${at}: ${first.text}`)
      assert.equal((await later.get(path, headers)).text, first.text, at)
      assert.equal((await later.get(path, await sign(later, path, wallet, id))).status, 409, at)
      assert.equal(paidBy(world.chains, wallet), QUICK, at)
    }
  })
})
