import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../src/kernel/errors.ts'
import type { Ledger } from '../../src/payments/ledger.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { openShop, QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'
import { hasReceipt, startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'
/** Longer than anybody may hold a payment, and shorter than one that was taken can be fetched with the payment alone. */
const LEASE_MS = 120_000
const WRITES = ['claim', 'compute', 'sending', 'resending', 'spent', 'settle', 'delivered', 'release', 'yield'] as const
type Write = (typeof WRITES)[number]

/** From this write on, the disk is full. */
function fullFrom<Kind extends Ledger>(ledger: Kind, first: Write): Kind {
  let isFull = false
  const guarded = WRITES.map((name) => {
    const write = ledger[name] as (...args: unknown[]) => Promise<unknown>
    const act = async (...args: unknown[]) => {
      isFull ||= name === first
      if (isFull) throw new UpstreamError('unavailable', 'the payment ledger cannot be written')
      return write(...args)
    }
    return [name, act]
  })
  return { ...ledger, ...(Object.fromEntries(guarded) as object) }
}

suite('a disk that is full from one write on, until the service is started again', () => {
  /** What the client gets, and whether the money has moved. */
  const CASES = [
    ['claim', 503, false],
    ['compute', 503, false],
    ['sending', 503, false],
    ['settle', 200, true],
    ['delivered', 200, true],
  ] as const
  for (const [first, status, isPaid] of CASES) {
    for (const [name, payer] of [['x402', payX402] as const, ['MPP', payMpp] as const]) {
      if (name === 'MPP' && first === 'sending') continue
      test(`${name}, from ${first} on: one charge, and the answer is found again`, async (t) => {
        const folder = mkdtempSync(join(tmpdir(), 'onoma-full-'))
        const world = await startPaidWorld()
        const { clock, chains, paidBy } = world
        const ledger = sqliteLedger({ folder, clock })
        const shared = { urls: chains.urls, clock, key: `0x${'77'.repeat(32)}` as const }
        const full = await openShop({ ...shared, ledger: fullFrom(ledger, first) })
        t.after(async () => {
          await Promise.all([world, full].map((each) => each.stop()))
          ledger.close()
          rmSync(folder, { recursive: true })
        })
        const wallet = fundedWallet(chains)
        const headers = await payer(await full.get(PATH), wallet, clock)
        const reply = await full.get(PATH, headers)
        assert.deepEqual([reply.status, hasReceipt(reply), paidBy(wallet)], [status, isPaid, isPaid ? QUICK : 0n])
        // The client insists while the disk is full: it is never told to pay again.
        if (status === 503) assert.equal((await full.get(PATH, headers)).status, 503)

        const restarted = await openShop({ ...shared, ledger })
        t.after(restarted.stop)
        // MPP's transaction would have expired after a lease.
        const isLeased = first !== 'claim'
        if (isLeased) clock.advance(LEASE_MS)
        await restarted.gate.recover(new AbortController().signal)
        // Recovery holds what it could not settle for a moment.
        if (isLeased) clock.advance(6_000)
        const again = await restarted.get(PATH, headers)
        if (isLeased && !isPaid && name === 'MPP') assert.equal(again.status, 402)
        else assert.deepEqual([again.status, hasReceipt(again)], [200, true], again.text)
        assert.equal(paidBy(wallet), again.status === 200 ? QUICK : 0n)
        assert.equal((await restarted.get('/v1/goods/other', headers)).status, 402)
      })
    }
  }
})

test('SQLite itself without room: the transaction of a payment is not sent unless both of its records fit', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-full-'))
  const world = await startPaidWorld()
  const { clock, chains, paidBy } = world
  const ledger = sqliteLedger({ folder, clock })
  const shop = await openShop({ urls: chains.urls, clock, ledger })
  const path = join(folder, 'payments.sqlite')
  const db = new DatabaseSync(path)
  t.after(async () => {
    await Promise.all([world, shop].map((each) => each.stop()))
    db.close()
    ledger.close()
    rmSync(folder, { recursive: true })
  })
  // The second record of the pair fails as SQLite fails when the disk is full.
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON transactions BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
  const wallet = fundedWallet(chains)
  const headers = await payX402(await shop.get(PATH), wallet, clock)
  assert.equal((await shop.get(PATH, headers)).status, 503)
  assert.deepEqual((await ledger.list(1))[0]?.sent, [], 'neither record was written')
  assert.equal(
    chains.asked.some(({ method }) => method === 'eth_sendRawTransaction'),
    false,
  )
  db.exec('DROP TRIGGER full')
  assert.equal((await shop.get(PATH, headers)).status, 200)
  assert.equal(paidBy(wallet), QUICK)
})
