import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { type CrashWorld, NOW, startCrashWorld } from '../support/crash-world.ts'
import type { PaidProcess } from '../support/paid-processes.ts'
import type { HoldPoint } from '../support/paid-server.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, paidBy, payMppPush } from '../support/paid-wallets.ts'
import type { PaymentHeaders, Wallet } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused } from '../support/paid-world.ts'

/** Longer than anybody may hold a payment, and longer than a challenge is valid. */
const LATER_MS = 10 * 60_000

type Kill = {
  readonly name: string
  readonly at: HoldPoint
  /** Its work throws, or its answer carries `error`. */
  readonly fails?: 'throws' | 'error'
}

const KILLS: readonly Kill[] = [
  { name: 'before the ledger is asked', at: 'before find' },
  { name: 'before the transfer is looked up', at: 'before verify' },
  { name: 'after the transfer was found', at: 'before claim' },
  { name: 'after the claim', at: 'after claim' },
  { name: 'in the work', at: 'in work' },
  { name: 'after the work', at: 'before compute' },
  { name: 'after the answer was saved', at: 'after compute' },
  { name: 'after the receipt was made', at: 'after taking' },
  { name: 'before the receipt is saved', at: 'before settle' },
  { name: 'before the answer is given out', at: 'after settle' },
  { name: 'before the delivery is written down', at: 'before delivered' },
  { name: 'before failed work leaves the payer owed', at: 'before yield', fails: 'throws' },
  { name: 'after failed work left the payer owed', at: 'after yield', fails: 'throws' },
  { name: 'before an answer that carries error leaves the payer owed', at: 'before yield', fails: 'error' },
  { name: 'after an answer that carries error left the payer owed', at: 'after yield', fails: 'error' },
]
/** Whether its answer is saved when the process ends. */
const isSaved = ({ at }: Kill) =>
  ['after compute', 'after taking', 'before settle', 'after settle', 'before delivered'].includes(at)
/** Whether it is claimed and its lease runs when the process ends. */
const isLeased = ({ at }: Kill) => ['after claim', 'in work', 'before compute', 'before yield'].includes(at)

type Paid = { readonly kill: Kill; readonly path: string; readonly wallet: Wallet; readonly headers: PaymentHeaders }

describe('kill -9 while a client that has paid already (push) waits for its answer', () => {
  const paid: Paid[] = []
  let world: CrashWorld
  let beside: PaidProcess

  const statesByPayer = async () => {
    const ledger = sqliteLedger(world)
    const entries = await ledger.list(1000)
    ledger.close()
    return new Map(entries.map(({ details, state }) => [details.payer, state]))
  }
  const failing = (how: Kill['fails']) => KILLS.flatMap((kill, index) => (kill.fails === how ? [String(index)] : []))

  before(async () => {
    world = await startCrashWorld()
    const holds = Object.fromEntries(KILLS.map(({ at }, index) => [String(index), at]))
    const dying = await world.start({ holds, fails: failing('throws'), errors: failing('error') })
    beside = await world.start({ fails: failing('throws'), errors: failing('error') })
    for (const [index, kill] of KILLS.entries()) {
      const path = `/v1/goods/${index} push`
      const wallet = fundedWallet(world.chains)
      paid.push({
        kill,
        path,
        wallet,
        headers: await payMppPush(world.chains)(await dying.get(path), wallet, world.clock),
      })
    }
    await world.killWhileHeld(dying, paid)
  })
  after(() => world.stop())

  test('the process beside answers what it can, asks to wait for the rest, and never to pay again', async () => {
    for (const { kill, path, headers } of paid) {
      const { status, text } = await beside.get(path, headers)
      // A saved answer is held by the lease of the dead process until the payment is in the books.
      const isHeld = isLeased(kill) || (isSaved(kill) && !['after settle', 'before delivered'].includes(kill.at))
      const failed = kill.fails === 'throws' ? 404 : 200
      assert.equal(status, isHeld ? 503 : kill.fails ? failed : 200, `${kill.name}: ${text}`)
    }
  })

  test('a client without an answer is owed one: the ledger keeps the payment', async () => {
    const books = await statesByPayer()
    for (const { kill, wallet } of paid) {
      const expected = kill.fails || isLeased(kill) ? 'claimed' : /computed|settled/
      assert.match(books.get(wallet.address.toLowerCase()) ?? 'missing', new RegExp(expected), kill.name)
    }
  })

  test('later everybody has one answer for one payment, though all challenges have expired', async () => {
    const times = { now: NOW + LATER_MS, ledgerNow: NOW + LATER_MS }
    const shops = await Promise.all([world.start(times), world.start(times)])
    await shops[0].recover()
    for (const { kill, path, wallet, headers } of paid) {
      // Both processes at once: one works, the other waits for it.
      const [first, second] = await Promise.all(shops.map((shop) => shop.get(path, headers)))
      assert.deepEqual([first!.status, second!.text], [200, first!.text], `${kill.name}: ${first!.text}`)
      assert.ok(hasReceipt(first!) && hasReceipt(second!), kill.name)
      mustBeRefused(await shops[1].get(`${path} other`, headers), 'invalid-challenge', kill.name)
      assert.equal(paidBy(world.chains, wallet), QUICK, kill.name)
    }
    const sent = world.chains.asked.filter(({ method }) => method.startsWith('eth_sendRaw'))
    assert.deepEqual(sent, [], 'a push payment is never sent by us')
    for (const state of (await statesByPayer()).values()) assert.equal(state, 'settled')
  })
})
