import { CREDIT_ENDPOINT } from '../../credit.ts'

/** The ledger decides whether a credit exists. */
const IS_PAID = `p.key = c.payment_key AND p.state = 'settled' AND p.endpoint = '${CREDIT_ENDPOINT}'`

/** One statement decides and reserves, so parallel draws cannot spend the same balance. */
const DRAW = `
  INSERT INTO credit_draws (credit, key, fingerprint, owner, state, lease_until, created_at, endpoint, micros, balance)
  SELECT c.id, :key, :fingerprint, :owner, 'reserved', :leaseUntil, :now, :endpoint, :micros,
    c.bought - c.spent - c.reserved - :micros
  FROM credits c JOIN payments p ON ${IS_PAID} AND p.lost_at IS NULL
  WHERE c.token_hash = :tokenHash AND c.bought - c.spent - c.reserved >= :micros
  ON CONFLICT (credit, key) WHERE key IS NOT NULL DO NOTHING
  RETURNING balance`

const FIND = `
  SELECT c.bought, c.spent, c.reserved, p.lost_at, d.fingerprint, d.lease_until, d.status, d.body
  FROM credits c JOIN payments p ON ${IS_PAID} LEFT JOIN credit_draws d ON d.credit = c.id AND d.key = :key
  WHERE c.token_hash = :tokenHash`

const OUTSTANDING = `
  SELECT coalesce(sum(c.bought - c.spent), 0) AS micros
  FROM credits c INDEXED BY credits_not_spent JOIN payments p ON ${IS_PAID} AND p.lost_at IS NULL WHERE c.spent < c.bought`

export const CREDIT_QUERIES = {
  draw: DRAW,
  find: FIND,
  secretOf: `
    SELECT token_hash, salt, redeem_hash FROM credits WHERE payment_key = :paymentKey AND salt IS NOT NULL`,
  outstanding: OUTSTANDING,
} as const

/** `endpoint` is compared, because a released payment may be claimed again for something else. */
const ATTACH = `
  INSERT INTO credits (payment_key, token_hash, salt, redeem_hash, bought, created_at)
  SELECT key, :tokenHash, :salt, :redeemHash, micros, :now FROM payments
  WHERE key = :paymentKey AND owner = :owner AND state = 'claimed' AND endpoint = '${CREDIT_ENDPOINT}'
  ON CONFLICT (payment_key) DO UPDATE SET token_hash = excluded.token_hash, salt = excluded.salt,
    redeem_hash = excluded.redeem_hash, bought = excluded.bought, created_at = excluded.created_at`

const DELETE_ANSWERS = `
  UPDATE credit_draws SET key = NULL, fingerprint = '', status = NULL, body = NULL WHERE owner IN (
    SELECT owner FROM credit_draws INDEXED BY credit_draws_with_answer WHERE body IS NOT NULL AND spent_at < :before LIMIT :limit
  )`

/** From then on the token cannot be derived again. Each credit looks up its own payment: a list of all would grow with the ledger. */
const DELETE_SALTS = `
  UPDATE credits SET salt = NULL, redeem_hash = NULL WHERE salt IS NOT NULL AND created_at < :before
    AND EXISTS (SELECT 1 FROM payments WHERE key = payment_key AND state = 'settled' AND settled_at < :before)`

const DELETE_NEVER_PAID = `
  DELETE FROM credits WHERE salt IS NOT NULL AND created_at < :before
    AND NOT EXISTS (SELECT 1 FROM payments WHERE key = payment_key AND endpoint = '${CREDIT_ENDPOINT}')`

export const CREDIT_WRITES = {
  attach: ATTACH,
  confirm: `
    UPDATE credit_draws SET state = 'spent', spent_at = :now, status = :status, body = :body
    WHERE owner = :owner AND state = 'reserved'`,
  giveBack: `DELETE FROM credit_draws WHERE owner = :owner AND state = 'reserved'`,
  deleteExpired: `
    DELETE FROM credit_draws INDEXED BY credit_draws_reserved WHERE state = 'reserved' AND lease_until < :now`,
  deleteAnswers: DELETE_ANSWERS,
  deleteSalts: DELETE_SALTS,
  deleteNeverPaid: DELETE_NEVER_PAID,
} as const
