import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { ApiError } from '../../src/kernel/errors.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { FAULT_POINTS, type FaultPoint, faultyLedger } from '../support/faulty-ledger.ts'
import { CUT } from '../support/paid-chains.ts'
import { openShop, QUICK } from '../support/paid-shop.ts'
import { fundedWallet, PAYERS, payMpp, payX402 } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused, startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'
const CHAINS = [
  ['x402', payX402],
  ['MPP', payMpp],
] as const
/** Longer than anybody may hold a payment. */
const LEASE_MS = 120_000

describe('books that cannot be written', () => {
  /** How a request ends whose ledger fails at a point of it, and whether the money has moved by then. */
  const ends: Record<FaultPoint, { status: number; isPaid: boolean }> = {
    'before find': { status: 503, isPaid: false },
    'after find': { status: 503, isPaid: false },
    'before claim': { status: 503, isPaid: false },
    'after claim': { status: 503, isPaid: false },
    'before compute': { status: 503, isPaid: false },
    'after compute': { status: 503, isPaid: false },
    // Only x402 has a transaction of ours to write down.
    'before sending': { status: 503, isPaid: false },
    'after sending': { status: 503, isPaid: false },
    // It is paid, so it is given out.
    'before settle': { status: 200, isPaid: true },
    'after settle': { status: 200, isPaid: true },
    'before delivered': { status: 200, isPaid: true },
    'after delivered': { status: 200, isPaid: true },
    // What the caller has to know is why they were needed, and not that they failed.
    'before release': { status: 404, isPaid: false },
    'after release': { status: 404, isPaid: false },
    'before yield': { status: 503, isPaid: true },
    'after yield': { status: 503, isPaid: true },
  }
  for (const at of FAULT_POINTS) {
    test(`${at}: nobody is told to pay again, and in the end the answer is there for one charge`, async (t) => {
      for (const [name, payer] of CHAINS.filter(([each]) => each === 'x402' || !at.endsWith('sending'))) {
        const world = await startPaidWorld({ ledger: (own) => faultyLedger(own, [{ at, how: 'throw' }]) })
        t.after(world.stop)
        const { wallet, headers, send } = await world.pay(payer, PATH)
        if (at.endsWith('release')) {
          world.shop.onWork(() => {
            throw new ApiError('domain_not_found', 'There is none.')
          })
        }
        if (at.endsWith('yield')) {
          world.chains.onLine(async ({ method }, ask) => {
            const answer = await ask()
            if (!method.startsWith('eth_sendRaw')) return answer
            world.chains.onLine(() => Promise.reject(CUT))
            throw CUT
          })
        }
        const first = await send()
        const { status, isPaid } = ends[at]
        assert.deepEqual([name, first.status, hasReceipt(first)], [name, status, status === 200], first.text)
        if (status === 503) assert.match(first.text, /the same request/)
        assert.equal(world.paidBy(wallet), isPaid ? QUICK : 0n)
        world.chains.onLine()
        world.shop.onWork(({ item, tier }) => ({ item, tier, serial: 2 }))
        // Where it was already paid, time does not matter; where not, an MPP payment has expired by now.
        world.clock.advance(LEASE_MS)
        const second = await send()
        if (!isPaid && name === 'MPP') mustBeRefused(second, 'payment-expired')
        else assert.equal(second.status, 200, second.text)
        assert.equal(world.paidBy(wallet), second.status === 200 ? QUICK : 0n)
        mustBeRefused(await world.get('/v1/goods/other', headers), /invalid-challenge|payment-expired/)
      }
    })
  }
})

describe('the clock of the service', () => {
  /** A shop whose clock is wrong, on chains whose clock is right. */
  async function openWrong(t: TestContext, minutes: number) {
    const world = await startPaidWorld()
    t.after(world.stop)
    const { clock, chains, ledger } = world
    const wrong = { ...clock, now: () => clock.now() + minutes * 60_000 }
    const shop = await openShop({ urls: chains.urls, clock: wrong, ledger })
    t.after(shop.stop)
    return { world, shop, wrong }
  }

  for (const minutes of [10, -10]) {
    test(`${minutes} minutes off: what a right clock signs is refused, and nothing is charged`, async (t) => {
      const { world, shop } = await openWrong(t, minutes)
      for (const [, payer] of PAYERS) {
        const { wallet, headers } = await world.pay(payer, PATH)
        mustBeRefused(await shop.get(PATH, headers), /payment-expired|verification-failed/)
        assert.deepEqual([world.paidBy(wallet), shop.runs.length], [0n, 0])
      }
    })

    test(`${minutes} minutes off: what a clock signs that is wrong by as much is refused by the chain`, async (t) => {
      const { world, shop, wrong } = await openWrong(t, minutes)
      for (const [, payer] of PAYERS) {
        const wallet = fundedWallet(world.chains)
        const headers = await payer(await shop.get(PATH), wallet, wrong)
        mustBeRefused(await shop.get(PATH, headers), /payment-expired|verification-failed/)
        assert.deepEqual([world.paidBy(wallet), shop.runs.length], [0n, 0])
      }
    })
  }

  test('ten minutes slow: an x402 payment that has expired on the chain when it is ready is not taken', async (t) => {
    const { world, shop } = await openWrong(t, -10)
    const wallet = fundedWallet(world.chains)
    shop.onWork(({ item, tier }) => {
      world.clock.advance(400_000)
      return { item, tier, serial: 1 }
    })
    const headers = await payX402(await shop.get(PATH), wallet, world.clock, { validAfter: 0n })
    mustBeRefused(await shop.get(PATH, headers), 'payment-expired')
    assert.deepEqual([world.paidBy(wallet), shop.runs.length], [0n, 1])
  })

  test('ten minutes apart in two services with one ledger: one charge, and one answer is given out', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-books-'))
    const world = await startPaidWorld()
    const { clock, chains } = world
    const fast = { ...clock, now: () => clock.now() + 600_000 }
    const ledgers = [clock, fast].map((own) => sqliteLedger({ folder, clock: own }))
    // Only the ledgers differ: what a wrong clock does to a payment stands above.
    const shops = await Promise.all(ledgers.map((ledger) => openShop({ urls: chains.urls, clock, ledger })))
    t.after(async () => {
      await Promise.all([world, ...shops].map((each) => each.stop()))
      for (const ledger of ledgers) ledger.close()
      rmSync(folder, { recursive: true })
    })
    const [slowShop, fastShop] = shops as [(typeof shops)[0], (typeof shops)[0]]
    for (const [name, payer] of CHAINS) {
      const { wallet, headers } = await world.pay(payer, PATH)
      // The second takes the payment away from the first, whose time seems to be over long ago.
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      slowShop.onWork(async ({ item, tier }) => {
        begun.resolve()
        await held.promise
        return { item, tier, serial: 1 }
      })
      const first = slowShop.get(PATH, headers)
      await begun.promise
      const second = await fastShop.get('/v1/goods/other', headers)
      held.resolve()
      assert.deepEqual([name, second.status], [name, 200])
      assert.equal((await first).status, 503)
      mustBeRefused(await slowShop.get(PATH, headers), 'invalid-challenge')
      assert.equal(world.paidBy(wallet), QUICK)
    }
  })
})

describe('recovery', () => {
  test('a payment that can no longer be parsed does not block the recovery of others', async (t) => {
    const world = await startPaidWorld()
    t.after(world.stop)
    const { clock, chains, ledger, shop } = world
    const details = { scheme: 'x402', payer: '0x', endpoint: 'goods', micros: QUICK }
    const claim = { key: 'old', fingerprint: 'old', owner: 'old', leaseMs: 1, details, payment: 'from another time' }
    await ledger.claim(claim)
    await ledger.compute('old', 'old', { status: 200, body: '{}' })
    const paid = await world.pay(payX402, PATH)
    chains.onLine(async ({ method }, ask) => {
      const answer = await ask()
      if (!method.startsWith('eth_sendRaw')) return answer
      chains.onLine(() => Promise.reject(CUT))
      throw CUT
    })
    assert.equal((await paid.send()).status, 503)
    chains.onLine()
    clock.advance(1000)
    assert.equal(await shop.gate.recover(new AbortController().signal), 1)
    const entry = (await ledger.list(10)).find(({ state }) => state === 'settled')
    assert.equal(entry?.details.payer, paid.wallet.address.toLowerCase())
  })
})
