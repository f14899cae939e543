import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { PaymentDetails, Claim, ClaimResult, LedgerEntry } from '../ledger.ts'
import { ANSWER_TTL_MS, type PrunableLedger, redactFor } from './retention.ts'
import { openLedgerFile } from './sqlite/file.ts'
import { parseAnswer, COLUMNS, parseEntry, type Row } from './sqlite/rows.ts'

type Needs = { readonly folder: string; readonly clock: Clock }

/** Entries per pruning statement. Other work runs between two statements. */
const PRUNE_BATCH_SIZE = 200

/**
 * The ledger in `payments.sqlite` in the folder, for one or several instances on one machine. Every write is on the disk
 * when its call returns. SQLite runs synchronously, so each call is at most two statements, prepared once.
 */
export function sqliteLedger({ folder, clock }: Needs): PrunableLedger {
  const db = openLedgerFile(join(folder, 'payments.sqlite'))
  const prepare = (sql: string) => {
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }
  const statements = {
    claim: prepare(CLAIM),
    compute: prepare(
      `UPDATE payments SET state = 'computed', status = :status, body = :body WHERE ${IS_OWNER} AND state = 'claimed'`,
    ),
    settle: prepare(SETTLE),
    release: prepare(`DELETE FROM payments WHERE ${IS_OWNER} AND state <> 'settled'`),
    yield: prepare(`UPDATE payments SET lease_until = 0, owner = NULL WHERE ${IS_OWNER} AND state <> 'settled'`),
    find: prepare(`SELECT ${COLUMNS} FROM payments WHERE key = :key`),
    unsettled: prepare(UNSETTLED),
    list: prepare(`SELECT ${COLUMNS} FROM payments ORDER BY rowid DESC LIMIT :limit`),
    deleteAnswers: prepare(DELETE_ANSWERS),
    deleteExpiredClaims: prepare(DELETE_EXPIRED_CLAIMS),
  }
  // `all` and never `get`, even for one row: `get` returns before the statement is committed and does not report a failed
  // commit (full disk), so a claim that was never written would look successful.
  const rows = (statement: 'find' | 'unsettled' | 'list', values: Record<string, string | number>): LedgerEntry[] =>
    (statements[statement].all(values) as Row[]).map(parseEntry)
  const write = (
    statement: Exclude<keyof typeof statements, 'claim' | 'find' | 'unsettled' | 'list'>,
    values: Record<string, string | number>,
  ): number => Number(statements[statement].run(values).changes)

  function claim({ key, fingerprint, owner, leaseMs, details, payment }: Claim): ClaimResult {
    for (;;) {
      const now = Math.floor(clock.now())
      const leaseUntil = Math.ceil(now + leaseMs)
      const [won] = statements.claim.all({
        key,
        fingerprint,
        owner,
        leaseUntil,
        now,
        ...detailColumns(details),
        payment,
      })
      if (won !== undefined) return { won: true, answer: parseAnswer(won as Row) }
      const [entry] = rows('find', { key })
      if (entry !== undefined) return { won: false, entry: redactFor(fingerprint, entry) }
      // Released between the two statements: try again.
    }
  }

  return {
    claim: async (wish) => orUnavailable(() => claim(wish)),
    compute: async (key, owner, { status, body }) =>
      orUnavailable(() => write('compute', { key, owner, status, body }) === 1),
    settle: async (key, owner, { transaction, headers }) =>
      orUnavailable(() => {
        const values = { transaction, headers: JSON.stringify(headers), now: Math.floor(clock.now()) }
        return write('settle', { key, owner, ...values }) === 1
      }),
    release: async (key, owner) => void orUnavailable(() => write('release', { key, owner })),
    yield: async (key, owner) => void orUnavailable(() => write('yield', { key, owner })),
    find: async (key) => orUnavailable(() => rows('find', { key })[0]),
    unsettled: async (limit) => orUnavailable(() => rows('unsettled', { now: Math.floor(clock.now()), limit })),
    list: async (limit) => orUnavailable(() => rows('list', { limit })),
    async prune(now) {
      const before = Math.floor(now) - ANSWER_TTL_MS
      let touched = orUnavailable(() => write('deleteExpiredClaims', { before }))
      for (let last = PRUNE_BATCH_SIZE; last === PRUNE_BATCH_SIZE && db.isOpen; await setImmediate()) {
        last = orUnavailable(() => write('deleteAnswers', { before, limit: PRUNE_BATCH_SIZE }))
        touched += last
      }
      return touched
    },
    close() {
      if (db.isOpen) db.close()
    },
  }
}

/** Exactly the named parameters of the statement: SQLite rejects unknown ones. */
const detailColumns = ({ scheme, payer, endpoint, micros }: PaymentDetails) => ({ scheme, payer, endpoint, micros })

const IS_OWNER = 'key = :key AND owner = :owner'

/** An entry with a saved answer keeps its details and payment; only its owner and lease change. */
const overwriteUnlessComputed = ['scheme', 'payer', 'endpoint', 'micros', 'payment'].map(
  (column) => `${column} = iif(state = 'claimed', excluded.${column}, ${column})`,
)

const CLAIM = `
  INSERT INTO payments (key, fingerprint, state, owner, lease_until, created_at, scheme, payer, endpoint, micros, payment)
  VALUES (:key, :fingerprint, 'claimed', :owner, :leaseUntil, :now, :scheme, :payer, :endpoint, :micros, :payment)
  ON CONFLICT (key) DO UPDATE SET
    fingerprint = excluded.fingerprint, owner = excluded.owner, lease_until = excluded.lease_until, ${overwriteUnlessComputed.join(', ')}
  WHERE state <> 'settled' AND lease_until < :now AND (state = 'claimed' OR fingerprint = excluded.fingerprint)
  RETURNING status, body`

const SETTLE = `
  UPDATE payments SET state = 'settled', tx = :transaction, headers = :headers, settled_at = :now
  WHERE ${IS_OWNER} AND state = 'computed'`

// Names the index, because SQLite would otherwise scan the whole table, which grows without limit. The first condition
// on the state repeats the one of the partial index.
const UNSETTLED = `
  SELECT ${COLUMNS} FROM payments INDEXED BY payments_not_settled
  WHERE state <> 'settled' AND state = 'computed' AND lease_until < :now
  ORDER BY rowid LIMIT :limit`

const DELETE_EXPIRED_CLAIMS = `
  DELETE FROM payments INDEXED BY payments_not_settled
  WHERE state <> 'settled' AND state = 'claimed' AND lease_until < :before`

const DELETE_ANSWERS = `
  UPDATE payments SET body = NULL, headers = '[]', payment = '' WHERE rowid IN (
    SELECT rowid FROM payments INDEXED BY payments_with_answer
    WHERE state = 'settled' AND body IS NOT NULL AND settled_at < :before LIMIT :limit
  )`

/** SQLite errors are not the caller's fault: the disk is full, or another process holds the lock. */
function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error
    throw new UpstreamError('unavailable', 'the payment ledger cannot be written', { cause: error })
  }
}
