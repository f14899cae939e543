import {
  MAX_OPEN_PAYMENTS,
  MAX_RECHECK_AGE_MS,
  RECHECK_AGES_MS,
  RECHECK_LEASE_MS,
  SETTLED_RESERVE_MS,
} from '../../ledger.ts'
import { COLUMNS } from './rows.ts'

const IS_OWNER = 'key = :key AND owner = :owner'

/** An entry with a saved answer keeps its details and payment; only its owner and lease change. */
const CLAIMED_COLUMNS = ['scheme', 'payer', 'endpoint', 'micros', 'payment', 'slot', 'name', 'paid_in', 'token']
const overwriteUnlessComputed = CLAIMED_COLUMNS.map(
  (column) => `${column} = iif(state = 'claimed', excluded.${column}, ${column})`,
)

const IS_OTHER = 'payer = :payer AND scheme = :scheme AND key <> :key'

/**
 * The payer's other open payments of the scheme: how much money they need, and how many are not settled. Two ranges of
 * the index `payments_by_payer`, because a payer's settled payments become many.
 */
const RESERVED = `
  SELECT coalesce(sum(micros), 0) AS reserved, coalesce(sum(is_open), 0) AS open FROM (
    SELECT micros, 1 AS is_open FROM payments
    WHERE ${IS_OTHER} AND settled_at IS NULL AND (state <> 'claimed' OR lease_until >= :now)
    UNION ALL
    SELECT micros, 0 FROM payments WHERE ${IS_OTHER} AND settled_at > :now - ${SETTLED_RESERVE_MS}
  )`

/** Another payment under the name. One that was claimed and left does not count: its work may have failed. */
const NAMED = `
  SELECT key FROM payments WHERE name = :name AND key <> :key AND (state <> 'claimed' OR lease_until >= :now) LIMIT 1`

/** Another payment with the same nonce that is being worked on. */
const SAME_SLOT = `
  SELECT key FROM payments WHERE slot = :slot AND state <> 'settled' AND key <> :key AND lease_until >= :now LIMIT 1`

/**
 * One statement decides about the payment, its nonce, its name and the payer's money, so two claims can neither spend the
 * same balance nor use the same nonce or name.
 */
const CLAIM = `
  INSERT INTO payments (key, fingerprint, state, owner, lease_until, created_at, ${CLAIMED_COLUMNS.join(', ')})
  SELECT :key, :fingerprint, 'claimed', :owner, :leaseUntil, :now,
    :scheme, :payer, :endpoint, :micros, :payment, :slot, :name, :paidIn, :token
  WHERE NOT EXISTS (${NAMED}) AND NOT EXISTS (${SAME_SLOT})
    AND (:balance IS NULL
      OR EXISTS (SELECT 1 FROM (${RESERVED}) WHERE reserved <= :balance - :micros AND open < ${MAX_OPEN_PAYMENTS}))
  ON CONFLICT (key) DO UPDATE SET
    fingerprint = excluded.fingerprint, owner = excluded.owner, lease_until = excluded.lease_until, ${overwriteUnlessComputed.join(', ')}
  WHERE state <> 'settled' AND lease_until < :now AND (state = 'claimed' OR fingerprint = excluded.fingerprint)
  RETURNING status, body`

// Names the index, because SQLite would otherwise scan the whole table, which grows without limit. The first condition
// on the state repeats the one of the partial index.
const UNSETTLED = `
  SELECT ${COLUMNS} FROM payments INDEXED BY payments_not_settled
  WHERE state <> 'settled' AND state = 'computed' AND lease_until < :now
  ORDER BY rowid LIMIT :limit`

const DELETE_EXPIRED_CLAIMS = `
  DELETE FROM payments INDEXED BY payments_not_settled
  WHERE state <> 'settled' AND state = 'claimed' AND lease_until < :before AND paid_in IS NULL`

const DELETE_ANSWERS = `
  UPDATE payments SET body = NULL, headers = '[]', payment = '' WHERE rowid IN (
    SELECT rowid FROM payments INDEXED BY payments_with_answer
    WHERE state = 'settled' AND body IS NOT NULL AND settled_at < :before LIMIT :limit
  )`

/** Leasing the entry and returning it is one statement, so two instances do not check the same entry. */
const DUE_RECHECKS = `
  UPDATE payments SET recheck_until = :now + ${RECHECK_LEASE_MS} WHERE rowid IN (
    SELECT rowid FROM payments INDEXED BY payments_to_recheck
    WHERE state = 'settled' AND rechecks < ${RECHECK_AGES_MS.length} AND settled_at > :now - ${MAX_RECHECK_AGE_MS}
      AND recheck_until < :now AND (${RECHECK_AGES_MS.map((ageMs, checks) => `(rechecks = ${checks} AND settled_at < :now - ${ageMs})`).join(' OR ')})
    LIMIT :limit
  ) RETURNING ${COLUMNS}`

const RECHECKED = 'rechecks = rechecks + 1, recheck_until = 0'

/** Statements that return rows. */
export const QUERIES = {
  claim: CLAIM,
  reserved: RESERVED,
  find: `SELECT ${COLUMNS} FROM payments WHERE key = :key`,
  unsettled: UNSETTLED,
  list: `SELECT ${COLUMNS} FROM payments ORDER BY rowid DESC LIMIT :limit`,
  dueRechecks: DUE_RECHECKS,
  named: NAMED,
  sameSlot: SAME_SLOT,
  unpriced: `
    SELECT hash, sender, nonce, sent_at FROM transactions INDEXED BY transactions_unpriced
    WHERE wei IS NULL ORDER BY sent_at LIMIT :limit`,
  id: `SELECT value FROM meta WHERE name = 'id'`,
} as const

/** Statements that return the number of changed rows. */
export const WRITES = {
  compute: `UPDATE payments SET state = 'computed', status = :status, body = :body WHERE ${IS_OWNER} AND state = 'claimed'`,
  sending: `
    UPDATE payments SET sent = iif(sent IS NULL, '', sent || ' ') || :transaction WHERE ${IS_OWNER} AND state = 'computed'`,
  settle: `
    UPDATE payments SET state = 'settled', tx = :transaction, headers = :headers, token = coalesce(:token, token), settled_at = :now
    WHERE ${IS_OWNER} AND state = 'computed'`,
  delivered: `
    UPDATE payments SET delivered_at = :now WHERE key = :key AND state = 'settled' AND delivered_at IS NULL`,
  release: `DELETE FROM payments WHERE ${IS_OWNER} AND state <> 'settled'`,
  yield: `UPDATE payments SET lease_until = 0, owner = NULL WHERE ${IS_OWNER} AND state <> 'settled'`,
  moved: `UPDATE payments SET tx = :transaction, lost_at = NULL, ${RECHECKED} WHERE key = :key AND state = 'settled'`,
  lost: `UPDATE payments SET lost_at = :now, ${RECHECKED} WHERE key = :key AND state = 'settled'`,
  recheckAgain: `UPDATE payments SET recheck_until = 0 WHERE key = :key`,
  send: `
    INSERT INTO transactions (hash, payment, sender, nonce, sent_at) VALUES (:hash, :key, :sender, :nonce, :now)
    ON CONFLICT (hash) DO NOTHING`,
  spent: `UPDATE transactions SET wei = :wei WHERE hash = :hash`,
  deleteAnswers: DELETE_ANSWERS,
  deleteExpiredClaims: DELETE_EXPIRED_CLAIMS,
} as const
