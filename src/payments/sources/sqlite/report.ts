import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CREDIT_QUERIES } from './credit-statements.ts'

/** One payment, or one draw on credit (rail `credit`), for bookkeeping; or a transaction of ours that cost gas and settled none. */
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
  /** Of the ledger; `owed` if it was paid and not answered, `lost` if the chain dropped it, `gas` for gas without a payment. */
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
    for (const sql of statementsFor(db)) {
      const statement = db.prepare(sql)
      statement.setReadBigInts(true)
      for (const row of statement.iterate({ from, to }) as Iterable<Row>) {
        const { endpoint, scheme: rail, micros, tx: transaction, gas: gasWei, state } = row
        yield { time: Number(row.time), endpoint, rail, micros, transaction, gasWei, state }
      }
    }
  } finally {
    db.close()
  }
}

const DRAWS = `
  SELECT coalesce(spent_at, created_at) AS time, endpoint, 'credit' AS scheme, micros, NULL AS tx, NULL AS gas,
    iif(state = 'spent', 'drawn', state) AS state
  FROM credit_draws WHERE coalesce(spent_at, created_at) >= :from AND coalesce(spent_at, created_at) < :to ORDER BY owner`

/** Credit that was bought and is not spent now, in millionths of a dollar. */
export function readOutstandingCredit(path: string): bigint {
  const db = openReadOnly(path)
  try {
    if (!hasCredits(db)) return 0n
    const statement = db.prepare(CREDIT_QUERIES.outstanding)
    statement.setReadBigInts(true)
    return (statement.all() as [{ micros: bigint }])[0].micros
  } finally {
    db.close()
  }
}

/** A file that an older version wrote has none, and is not migrated by a report. */
const hasCredits = (db: DatabaseSync): boolean => db.prepare('PRAGMA table_info(credit_draws)').all().length > 0

/** Payments, then transactions that settled none of them, then draws on credit. A file of an older version lacks columns. */
function statementsFor(db: DatabaseSync): string[] {
  const columns = new Set(
    db
      .prepare('PRAGMA table_info(payments)')
      .all()
      .map(({ name }) => name),
  )
  const lost = columns.has('lost_at') ? 'lost_at' : 'NULL'
  const isOld = !columns.has('paid_in')
  const [paidIn, gas] = isOld ? ['NULL', 'NULL'] : ['paid_in', '(SELECT wei FROM transactions WHERE hash = tx)']
  const time = 'coalesce(settled_at, created_at)'
  const state = `iif(${lost} IS NOT NULL, 'lost', iif(state = 'claimed' AND ${paidIn} IS NOT NULL, 'owed', state))`
  const payments = `
    SELECT ${time} AS time, endpoint, scheme, micros, coalesce(tx, ${paidIn}) AS tx, ${gas} AS gas, ${state} AS state
    FROM payments WHERE ${time} >= :from AND ${time} < :to ORDER BY rowid`
  if (isOld) return [payments]
  const transactions = `
    SELECT sent_at AS time, coalesce(endpoint, '') AS endpoint, substr(t.payment, 1, instr(t.payment, ':') - 1) AS scheme,
      0 AS micros, hash AS tx, wei AS gas, 'gas' AS state
    FROM transactions AS t LEFT JOIN payments AS p ON p.key = t.payment
    WHERE wei <> '0' AND p.tx IS NOT hash AND sent_at >= :from AND sent_at < :to ORDER BY t.rowid`
  return [payments, transactions, ...(hasCredits(db) ? [DRAWS] : [])]
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
