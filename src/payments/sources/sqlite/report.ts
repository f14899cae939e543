import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** One payment, for bookkeeping. */
export type ReportedPayment = {
  /** When it was settled, or first seen if it is not; milliseconds since the epoch. */
  readonly time: number
  readonly endpoint: string
  readonly rail: string
  /** Millionths of a dollar. */
  readonly micros: bigint
  readonly transaction: string | null
  /** Null if the ledger does not have it. */
  readonly gasWei: string | null
  readonly state: string
}

/** Payments from `from` up to, but not including, `to`; milliseconds since the epoch. */
export type ReportRange = { readonly from: number; readonly to: number }

type Row = {
  readonly time: bigint
  readonly endpoint: string
  readonly scheme: string
  readonly micros: bigint
  readonly tx: string | null
  readonly gas: string | null
  readonly state: string
}

/**
 * Reads the payments of a ledger file, in the order in which they began. The file is opened for reading only, so a running
 * service is not disturbed. Throws an Error with a sentence if it cannot be read.
 */
export function* readPayments(path: string, { from, to }: ReportRange): Generator<ReportedPayment> {
  if (!existsSync(path)) throw new Error(`There is no payment ledger at ${path}; see ONOMA_DATA_DIR.`)
  const db = openReadOnly(path)
  try {
    const columns = db.prepare('PRAGMA table_info(payments)').all()
    const gas = columns.some(({ name }) => name === 'gas_wei') ? 'CAST(gas_wei AS TEXT)' : 'NULL'
    const statement = db.prepare(`
      SELECT coalesce(settled_at, created_at) AS time, endpoint, scheme, micros, tx, ${gas} AS gas, state FROM payments
      WHERE coalesce(settled_at, created_at) >= :from AND coalesce(settled_at, created_at) < :to ORDER BY rowid`)
    statement.setReadBigInts(true)
    for (const row of statement.iterate({ from, to }) as Iterable<Row>) {
      const { endpoint, scheme: rail, micros, tx: transaction, gas: gasWei, state } = row
      yield { time: Number(row.time), endpoint, rail, micros, transaction, gasWei, state }
    }
  } finally {
    db.close()
  }
}

function openReadOnly(path: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { readOnly: true })
    // Reads the header: opening alone does not.
    db.prepare('SELECT 1 FROM payments LIMIT 1').all()
    return db
  } catch (error) {
    throw new Error(`The payment ledger ${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}
