import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { loadConfig } from '../../src/app/settings/config.ts'
import { ledgerInFile } from '../../src/app/wiring/payment-ledger.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { openShop, QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payX402 } from '../support/paid-wallets.ts'
import { hasReceipt, startPaidWorld } from '../support/paid-world.ts'

test('while another process holds the lock of the ledger, other requests are answered, and a paid one waits', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-locked-'))
  const world = await startPaidWorld()
  const { clock, chains } = world
  const ledger = sqliteLedger({ folder, clock })
  const shop = await openShop({ urls: chains.urls, clock, ledger })
  const other = new DatabaseSync(join(folder, 'payments.sqlite'))
  t.after(async () => {
    await Promise.all([shop, world].map((each) => each.stop()))
    ledger.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  const path = '/v1/goods/a'
  const wallet = fundedWallet(chains)
  const headers = await payX402(await shop.get(path), wallet, clock)
  other.exec('BEGIN IMMEDIATE')
  let isAnswered = false
  const paid = shop.get(path, headers).finally(() => {
    isAnswered = true
  })
  // The check of the payment is over and the claim waits: this answer comes from the same event loop.
  while (!chains.asked.some(({ method }) => method === 'eth_call')) await shop.get('/v1/goods/other')
  for (let request = 0; request < 20; request++) {
    assert.equal((await shop.get('/v1/goods/other')).status, 402)
    assert.equal(isAnswered, false)
  }
  other.exec('COMMIT')
  const reply = await paid
  assert.deepEqual([reply.status, hasReceipt(reply), world.paidBy(wallet)], [200, true, QUICK])
})

test('a ledger that is locked while it is opened does not stop the service: who holds the lock can let go', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-locked-'))
  const clock = manualClock()
  sqliteLedger({ folder, clock }).close()
  const other = new DatabaseSync(join(folder, 'payments.sqlite'))
  const config = { dataDir: folder, payments: { ...loadConfig({}).payments, payTo: `0x${'12'.repeat(20)}` as const } }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const slot = ledgerInFile({ config, clock, log }, new AbortController().signal)
  t.after(() => {
    slot.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  other.exec('BEGIN IMMEDIATE')
  const opening = slot.open()
  // Runs on the event loop that would be blocked.
  setImmediate(() => other.exec('COMMIT'))
  assert.deepEqual(await opening, [])
  assert.equal((await (await slot.opened).list(1)).length, 0)
})

test('a ledger that is opened while the service stops is closed again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-locked-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const ending = new AbortController()
  const config = { dataDir: folder, payments: { ...loadConfig({}).payments, payTo: `0x${'12'.repeat(20)}` as const } }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const slot = ledgerInFile({ config, clock: manualClock(), log }, ending.signal)
  const opening = slot.open()
  ending.abort()
  slot.close()
  await opening
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('-wal')),
    [],
    'the last connection removes the log when it is closed',
  )
})
