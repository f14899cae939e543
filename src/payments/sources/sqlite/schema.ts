import type { DatabaseSync } from 'node:sqlite'
import { CREDIT_MIGRATION } from './credit-schema.ts'

/** Stored in the file to tell it from the files of other programs ("Onom"). */
const APPLICATION_ID = 0x4f6e6f6d

/**
 * The migration at index n leads from version n to n + 1. A migration only adds, because an instance of the previous
 * version may still use the file. Invariants are CHECK constraints here, not only code.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE payments (
    key TEXT PRIMARY KEY NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'computed', 'settled')),
    owner TEXT,
    lease_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    scheme TEXT NOT NULL,
    payer TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    micros INTEGER NOT NULL CHECK (micros >= 0),
    payment TEXT NOT NULL,
    status INTEGER,
    body TEXT,
    settled_at INTEGER,
    tx TEXT,
    headers TEXT,
    CHECK ((state = 'claimed') = (status IS NULL)),
    CHECK (state <> 'claimed' OR body IS NULL),
    CHECK (state <> 'computed' OR body IS NOT NULL),
    CHECK ((state = 'settled') = (settled_at IS NOT NULL AND tx IS NOT NULL AND headers IS NOT NULL))
  ) STRICT;
  CREATE INDEX payments_not_settled ON payments (lease_until) WHERE state <> 'settled';
  CREATE INDEX payments_with_answer ON payments (settled_at) WHERE state = 'settled' AND body IS NOT NULL;
  `,
  // `sent` holds transaction hashes separated by spaces. `token` is a SHA-256 in hexadecimal.
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
  INSERT INTO meta (name, value) VALUES ('id', lower(hex(randomblob(16))));
  ALTER TABLE payments ADD COLUMN sent TEXT;
  ALTER TABLE payments ADD COLUMN token TEXT;
  ALTER TABLE payments ADD COLUMN delivered_at INTEGER;
  ALTER TABLE payments ADD COLUMN rechecks INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE payments ADD COLUMN lost_at INTEGER;
  CREATE INDEX payments_by_payer ON payments (payer, settled_at);
  CREATE INDEX payments_by_settlement ON payments (settled_at) WHERE state = 'settled';
  `,
  // `paid_in`: hash of the transaction that made the payment before it was claimed. `wei` is NULL until the cost is known,
  // and text because it can exceed 64 bits. A transaction outlives its payment: a failed one costs gas, too.
  `
  ALTER TABLE payments ADD COLUMN slot TEXT;
  ALTER TABLE payments ADD COLUMN name TEXT;
  ALTER TABLE payments ADD COLUMN paid_in TEXT;
  ALTER TABLE payments ADD COLUMN recheck_until INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX payments_by_slot ON payments (slot) WHERE slot IS NOT NULL AND state <> 'settled';
  CREATE INDEX payments_by_name ON payments (name) WHERE name IS NOT NULL;
  CREATE TABLE transactions (
    hash TEXT PRIMARY KEY NOT NULL,
    payment TEXT NOT NULL,
    sender TEXT NOT NULL,
    nonce INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,
    wei TEXT
  ) STRICT;
  CREATE INDEX transactions_unpriced ON transactions (sent_at) WHERE wei IS NULL;
  `,
  CREDIT_MIGRATION,
  // Without those that are done: otherwise each look reads all payments of an hour.
  `CREATE INDEX payments_to_recheck ON payments (settled_at) WHERE state = 'settled' AND rechecks < 2;`,
]

/** The version of the file; -1 if another program wrote it. */
export function schemaVersion(db: DatabaseSync): number {
  const read = (name: string) => db.prepare(`PRAGMA ${name}`).get()?.[name]
  return read('application_id') === APPLICATION_ID ? Number(read('user_version')) : -1
}

/** Migrates the file to the latest version, in one transaction; once if several instances start together. */
export function migrate(db: DatabaseSync, steps: readonly string[] = MIGRATIONS): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const step of steps.slice(Math.max(0, schemaVersion(db)))) db.exec(step)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
