import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { faultyLedger } from '../support/faulty-ledger.ts'
import { CUT } from '../support/paid-chains.ts'
import { openShop, QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payMppPush, payX402 } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused, startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ID = 'order_0123456789abcdef'
/** A token as a client chooses it. */
const TOKEN = { 'payment-token': 'a-token-of-the-client-that-nobody-can-guess-1' }

/** Two instances on one ledger file, or one before and one after a restart. */
async function openShops(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-shared-'))
  const world = await startPaidWorld()
  const { clock, chains } = world
  const ledgers = [sqliteLedger({ folder, clock }), sqliteLedger({ folder, clock })] as const
  const shared = { urls: chains.urls, clock, ledgerId: 'shared' }
  const [one, other] = await Promise.all([
    openShop({ ...shared, ledger: ledgers[0] }),
    openShop({ ...shared, ledger: ledgers[1] }),
  ])
  t.after(async () => {
    await Promise.all([world, one, other].map((each) => each.stop()))
    for (const ledger of ledgers) ledger.close()
    rmSync(folder, { recursive: true })
  })
  return { ...world, ledgers, one, other }
}

const named = (id: string) => ({ whole: { extensions: { 'payment-identifier': { info: { required: false, id } } } } })

suite('payment identifiers on a shared ledger', () => {
  test('payments signed anew under one identifier while the first is worked on: one is charged, the rest get 409', async (t) => {
    const { one, other, clock, chains, paidBy } = await openShops(t)
    const wallet = fundedWallet(chains)
    const shops = [one, other, one, other, one, other]
    const payments = await Promise.all(
      shops.map(async (shop) => payX402(await shop.get(PATH), wallet, clock, named(ID))),
    )
    const replies = await Promise.all(payments.map((headers, at) => shops[at]!.get(PATH, headers)))
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409],
    )
    assert.equal(paidBy(wallet), QUICK)
    assert.equal(one.runs.length + other.runs.length, 1)
  })

  test('the identifier holds at another instance, also for a wallet that has nothing left', async (t) => {
    const { one, other, clock, chains } = await openShops(t)
    const wallet = fundedWallet(chains, QUICK)
    const first = await payX402(await one.get(PATH), wallet, clock, named(ID))
    assert.equal((await one.get(PATH, first)).status, 200)
    clock.advance(MINUTE_MS)
    const second = await payX402(await other.get(PATH), wallet, clock, named(ID))
    const reply = await other.get(PATH, second)
    assert.deepEqual([reply.status, (reply.body as { error: string }).error], [409, 'payment_identifier_conflict'])
    assert.equal(other.runs.length, 0)
  })

  test('the identifier of a payment whose work failed is free again', async (t) => {
    const { one, other, clock, chains } = await openShops(t)
    const wallet = fundedWallet(chains)
    one.onWork(() => ({ error: 'site_timeout' }))
    assert.equal(hasReceipt(await one.get(PATH, await payX402(await one.get(PATH), wallet, clock, named(ID)))), false)
    assert.equal((await other.get(PATH, await payX402(await other.get(PATH), wallet, clock, named(ID)))).status, 200)
  })
})

suite('payments with one nonce on a shared ledger', () => {
  const fields = { nonceKey: 0n, nonce: 0, validBefore: undefined }

  test('exclude each other: the second is refused before any work', async (t) => {
    const { one, other, clock, chains, paidBy } = await openShops(t)
    const wallet = fundedWallet(chains)
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    one.onWork(async ({ item, tier }) => {
      begun.resolve()
      await held.promise
      return { item, tier, serial: 1 }
    })
    const first = one.get(PATH, await payMpp(await one.get(PATH), wallet, clock, { fields }))
    await begun.promise
    const second = await other.get(PATH, await payMpp(await other.get(PATH), wallet, clock, { fields }))
    held.resolve()
    mustBeRefused(second, 'verification-failed')
    assert.match(second.text, /same nonce/)
    assert.deepEqual([(await first).status, other.runs.length, paidBy(wallet)], [200, 0, QUICK])
  })

  test('a stranger who names somebody else as payer does not keep him from paying', async (t) => {
    const { one, clock, chains } = await openShops(t)
    const wallet = fundedWallet(chains)
    const [stranger, mine] = [await one.get(PATH), await one.get(PATH)]
    const source = `did:pkh:eip155:4217:${wallet.address}`
    const forged = await payMpp(stranger, fundedWallet(chains), clock, { fields, source })
    const payment = await payMpp(mine, wallet, clock, { fields })
    // The stranger's request is held before its signature is checked.
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    one.onReady(async () => {
      one.onReady(() => {})
      begun.resolve()
      await held.promise
    })
    const attack = one.get('/v1/goods/other', forged)
    await begun.promise
    assert.equal((await one.get(PATH, payment)).status, 200)
    held.resolve()
    mustBeRefused(await attack, 'verification-failed')
  })
})

suite('a payment that another instance gives up', () => {
  test('is verified before any work', async (t) => {
    const { one, ledgers, clock, chains } = await openShops(t)
    const wallet = fundedWallet(chains)
    const headers = await payX402(await one.get(PATH), wallet, clock)
    // The first instance has an answer, and does not know whether it is paid for.
    chains.onLine(({ method }, ask) => (method === 'eth_sendRawTransaction' ? Promise.reject(CUT) : ask()))
    assert.equal((await one.get(PATH, headers)).status, 503)
    chains.onLine()
    // It gives the payment up right after a second instance has seen it.
    const [entry] = await ledgers[0].list(1)
    const release = async () => {
      await ledgers[0].claim({ ...entry!, owner: 'first', leaseMs: 1 })
      await ledgers[0].release(entry!.key, 'first')
    }
    const ledger = faultyLedger(ledgers[1], [{ at: 'after find', how: release }])
    const second = await openShop({ urls: chains.urls, clock, ledger })
    t.after(second.stop)
    chains.asked.length = 0
    second.onWork(({ item, tier }) => {
      assert.ok(chains.asked.length > 0, 'work without a look at the chain')
      return { item, tier, serial: 2 }
    })
    const reply = await second.get(PATH, headers)
    assert.deepEqual([reply.status, second.runs.length], [503, 0])
    assert.equal((await second.get(PATH, headers)).status, 200)
  })
})

suite('an answer that a crash kept from its payer', () => {
  /** Paid on the chain; the ledger has the answer, and not the settlement. */
  async function crash(t: TestContext, own: Record<string, string>) {
    const shops = await openShops(t)
    const { one, clock, chains } = shops
    const wallet = fundedWallet(chains)
    const headers = { ...(await payX402(await one.get(PATH), wallet, clock)), ...own }
    chains.onLine(async ({ method }, ask) => {
      const answer = await ask()
      if (method !== 'eth_sendRawTransaction') return answer
      chains.onLine(() => Promise.reject(CUT))
      throw CUT
    })
    assert.equal((await one.get(PATH, headers)).status, 503)
    chains.onLine()
    return { ...shops, wallet, headers }
  }

  test('can be fetched with the token that the payer chose, however late', async (t) => {
    const { other, clock, wallet, headers, paidBy } = await crash(t, TOKEN)
    assert.equal(await other.gate.recover(new AbortController().signal), 1)
    clock.advance(60 * MINUTE_MS)
    const { 'payment-token': _, ...stranger } = headers as Record<string, string>
    mustBeRefused(await other.get(PATH, stranger), 'invalid-challenge')
    const reply = await other.get(PATH, headers)
    assert.deepEqual([reply.status, paidBy(wallet)], [200, QUICK], reply.text)
  })

  test('is not given to a stranger who read the payment on the chain before the payer came back', async (t) => {
    const { other, headers } = await crash(t, TOKEN)
    const { 'payment-token': _, ...stranger } = headers as Record<string, string>
    mustBeRefused(await other.get(PATH, stranger), 'invalid-challenge')
    assert.equal((await other.get(PATH, headers)).status, 200)
  })
})

test('a push payment without an answer stays in the ledger, with its transaction, until it is answered', async (t) => {
  const { one, ledgers, clock, chains } = await openShops(t)
  const wallet = fundedWallet(chains)
  const headers = await payMppPush(chains)(await one.get(PATH), wallet, clock)
  one.onWork(() => ({ error: 'site_timeout' }))
  assert.equal(hasReceipt(await one.get(PATH, headers)), false)
  clock.advance(10 * DAY_MS)
  await ledgers[1].prune(clock.now())
  const [owed] = await ledgers[1].list(1)
  assert.deepEqual([owed?.state, owed?.details.payer], ['claimed', wallet.address.toLowerCase()])
  assert.match(owed!.paidIn!, /^0x[0-9a-f]{64}$/)
  one.onWork(({ item, tier }) => ({ item, tier, serial: 2 }))
  assert.equal((await one.get(PATH, headers)).status, 200)
})
