import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAX_OPEN_PAYMENTS } from '../../src/payments/ledger.ts'
import { type CrashWorld, NOW, startCrashWorld } from '../support/crash-world.ts'
import type { PaidProcess } from '../support/paid-processes.ts'
import type { HoldPoint } from '../support/paid-server.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'
import type { PaymentHeaders, Wallet } from '../support/paid-wallets.ts'
import { mustBeRefused } from '../support/paid-world.ts'

/** Longer than anybody may hold a payment. */
const LEASE_MS = 120_000
const RAILS = [
  ['x402', 'base', payX402],
  ['MPP', 'tempo', payMpp],
] as const
type Rail = (typeof RAILS)[number]

/** Where the process is killed, and what reserves the payer's money then: nothing, a lease, or a saved answer. */
type Kill = { readonly at: HoldPoint; readonly fails?: boolean; readonly keeps: 'nothing' | 'lease' | 'answer' }

const KILLS: readonly Kill[] = [
  { at: 'before claim', keeps: 'nothing' },
  { at: 'after claim', keeps: 'lease' },
  { at: 'in work', keeps: 'lease' },
  { at: 'before compute', keeps: 'lease' },
  { at: 'after compute', keeps: 'answer' },
  { at: 'before settle', keeps: 'answer' },
  { at: 'before release', fails: true, keeps: 'lease' },
  { at: 'after release', fails: true, keeps: 'nothing' },
]

/** After the crash the payer sends the same payment, or signs another one. */
type Held = {
  readonly name: string
  readonly kill: Kill
  readonly rail: Rail
  readonly use: 'same' | 'other'
  readonly path: string
  /** Holds the price of one answer. */
  readonly wallet: Wallet
  readonly headers: PaymentHeaders
}

describe('kill -9 while the balance of a payer is reserved, beside a second process with the same ledger', () => {
  const held: Held[] = []
  const crowd: { rail: Rail; wallet: Wallet }[] = []
  let world: CrashWorld
  let beside: PaidProcess
  let later: PaidProcess

  /** Another payment of the wallet, for another request. */
  async function payAgain(shop: PaidProcess, [name, , pay]: Rail, wallet: Wallet) {
    const path = `/v1/goods/new ${name} ${wallet.address.slice(2, 12)}`
    return shop.get(path, await pay(await shop.get(path), wallet, world.clock))
  }
  const left = ({ rail: [, chain], wallet }: Pick<Held, 'rail' | 'wallet'>) =>
    world.chains[chain].balanceOf(wallet.address)
  const of = (use: Held['use'], ...keeps: readonly Kill['keeps'][]) =>
    held.filter((each) => each.use === use && keeps.includes(each.kill.keeps))

  before(async () => {
    world = await startCrashWorld()
    const holds = Object.fromEntries(KILLS.map(({ at }, index) => [String(index), at]))
    const fails = KILLS.flatMap((kill, index) => (kill.fails ? [String(index)] : []))
    const dying = await world.start({ holds: { ...holds, crowd: 'after claim' }, fails })
    beside = await world.start()
    for (const [index, kill] of KILLS.entries()) {
      for (const rail of RAILS) {
        for (const use of ['same', 'other'] as const) {
          const path = `/v1/goods/${index} ${rail[0]} ${use}`
          const wallet = fundedWallet(world.chains, QUICK)
          const headers = await rail[2](await dying.get(path), wallet, world.clock)
          held.push({ name: `${kill.at}, ${rail[0]}, ${use}`, kill, rail, use, path, wallet, headers })
        }
      }
    }
    const requests = held.map(({ path, headers }) => ({ path, headers }))
    for (const rail of RAILS) {
      const wallet = fundedWallet(world.chains)
      crowd.push({ rail, wallet })
      for (let at = 0; at < MAX_OPEN_PAYMENTS; at++) {
        const path = `/v1/goods/crowd ${rail[0]} ${at}`
        requests.push({ path, headers: await rail[2](await dying.get(path), wallet, world.clock) })
      }
    }
    await world.killWhileHeld(dying, requests)
  })
  after(() => world.stop())

  test('at once the money is still reserved, unless nothing was claimed or all was given back', async () => {
    for (const { name, rail, wallet } of of('other', 'lease', 'answer')) {
      mustBeRefused(await payAgain(beside, rail, wallet), 'payment-insufficient', name)
    }
    for (const { name, rail, wallet } of of('other', 'nothing')) {
      assert.equal((await payAgain(beside, rail, wallet)).status, 200, name)
    }
    for (const { rail, wallet } of crowd) {
      mustBeRefused(await payAgain(beside, rail, wallet), 'payment-insufficient', rail[0])
    }
  })

  test('the payment itself is asked to wait by the process beside, and is never refused', async () => {
    for (const { name, path, headers } of of('same', 'lease')) {
      const reply = await beside.get(path, headers)
      assert.equal(reply.status, 503, `${name}: ${reply.text}`)
    }
  })

  test('after the lease the same payment buys its answer, for one charge', async () => {
    later = await world.start({ ledgerNow: NOW + LEASE_MS })
    for (const each of of('same', 'nothing', 'lease', 'answer')) {
      const reply = await later.get(each.path, each.headers)
      assert.deepEqual([reply.status, left(each)], [200, 0n], `${each.name}: ${reply.text}`)
    }
  })

  test('after the lease the money is free for another payment, and the first one buys nothing more', async () => {
    for (const each of of('other', 'lease')) {
      const reply = await payAgain(later, each.rail, each.wallet)
      assert.deepEqual([reply.status, left(each)], [200, 0n], `${each.name}: ${reply.text}`)
      assert.equal((await later.get(each.path, each.headers)).status, 402, each.name)
    }
    for (const { rail, wallet } of crowd) assert.equal((await payAgain(later, rail, wallet)).status, 200, rail[0])
  })

  test('a saved answer keeps its money reserved until it is paid for: its payment may be on the chain', async () => {
    for (const each of of('other', 'answer')) {
      mustBeRefused(await payAgain(later, each.rail, each.wallet), 'payment-insufficient', each.name)
      const reply = await later.get(each.path, each.headers)
      assert.deepEqual([reply.status, left(each)], [200, 0n], `${each.name}: ${reply.text}`)
    }
  })
})
