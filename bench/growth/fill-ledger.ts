import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { mkdirSync, statSync } from 'node:fs'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { CREDIT_ENDPOINT } from '../../src/payments/credit.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'

const BOUGHT = 10n ** 15n
const TOKEN_HASH = 'a'.repeat(64)

/**
 * A ledger with this many entries of either kind. They are written by SQL, because each real payment waits for the disk;
 * the operations that are measured go through the ledger itself.
 */
export async function openFilledLedger(folder: string, { payments, draws }: { payments: number; draws: number }) {
  mkdirSync(folder, { recursive: true })
  const ledger = sqliteLedger({ folder, clock })
  const [key, owner] = ['credit', 'owner']
  const details = { scheme: 'x402', payer: '0x', endpoint: CREDIT_ENDPOINT, micros: BOUGHT }
  await ledger.claim({ key, fingerprint: '', owner, leaseMs: 60_000, details, payment: '' })
  await ledger.credits.attach({ paymentKey: key, owner, tokenHash: TOKEN_HASH, salt: 'salt', redeemHash: undefined })
  await ledger.compute(key, owner, { status: 200, body: '{}' })
  await ledger.settle(key, owner, { transaction: '0x', headers: [] })
  const path = join(folder, 'payments.sqlite')
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000')
  const time = Math.floor(clock.now())
  // A payment a second by a thousand payers, the oldest first.
  db.prepare(
    `INSERT INTO payments (key, fingerprint, state, owner, lease_until, created_at, scheme, payer, endpoint, micros,
       payment, status, body, settled_at, tx, headers, delivered_at, rechecks)
     WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < :count)
     SELECT 'x402:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:' || hex(randomblob(20)) || ':' || at, hex(randomblob(32)),
       'settled', 'o' || at, 0, :time - (:count - at) * 1000, 'x402', 'payer' || (at % 1000), 'paidEcho', 50000,
       '', 200, NULL, :time - (:count - at) * 1000 - 60000, hex(randomblob(32)), '[]', :time, 2
     FROM n WHERE :count > 0`,
  ).run({ count: payments, time })
  db.prepare(
    `INSERT INTO credit_draws (owner, credit, key, fingerprint, state, lease_until, created_at, spent_at, endpoint, micros, balance)
     WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < :count)
     SELECT printf('%013d', :time - :count + at) || hex(randomblob(8)), 1, NULL, '', 'spent', 0, :time - :count + at,
       :time - :count + at, 'paidEcho', 50000, 0
     FROM n WHERE :count > 0`,
  ).run({ count: draws, time })
  db.close()
  return { ledger, tokenHash: TOKEN_HASH, diskBytes: statSync(path).size }
}
