import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
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
