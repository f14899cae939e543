import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { balanceOf, type Credit, type CreditStore, type Draw, type DrawResult, isHeld } from '../credit.ts'
import { ANSWER_TTL_MS } from './retention.ts'
import { createBatch } from './sqlite/batch.ts'
import { runUnlocked } from './sqlite/busy.ts'
import { CREDIT_QUERIES, CREDIT_WRITES } from './sqlite/credit-statements.ts'

/** Answers per pruning statement. Other work runs between two statements. */
const PRUNE_BATCH_SIZE = 200

type Needs = { readonly db: DatabaseSync; readonly clock: Clock }
type Values = Record<string, SQLInputValue>

export type PrunableCredits = CreditStore & {
  /** Deletes old answers and salts, and ends expired reservations. Returns how many rows were changed. */
  prune(now: number): Promise<number>
  close(): void
}

/**
 * Credits in the file of the ledger. `db` is a connection of their own that does not wait for the disk: after a power cut
 * the last draws may be missing, which gives them back to the client. Nothing is lost when only the process ends.
 */
export function sqliteCredits({ db, clock }: Needs): PrunableCredits {
  const prepared = new Map<string, StatementSync>()
  for (const sql of [...Object.values(CREDIT_QUERIES), ...Object.values(CREDIT_WRITES)]) {
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    prepared.set(sql, statement)
  }
  const now = () => Math.floor(clock.now())
  // `all` and never `get`: see the ledger.
  const query = (name: keyof typeof CREDIT_QUERIES, values: Values = {}) =>
    prepared.get(CREDIT_QUERIES[name])!.all(values)
  const change = (name: keyof typeof CREDIT_WRITES, values: Values): number =>
    Number(prepared.get(CREDIT_WRITES[name])!.run(values).changes)
  const batch = createBatch(db)
  const write = (name: keyof typeof CREDIT_WRITES, values: Values) => batch.run(() => change(name, values))

  function find(tokenHash: string, key: string | undefined): Credit | undefined {
    const [row] = query('find', { tokenHash, key: key ?? null }) as [CreditRow?]
    return row && parseCredit(row)
  }

  function draw({ tokenHash, key, fingerprint, owner, leaseMs, endpoint, micros }: Draw): DrawResult {
    for (;;) {
      const time = now()
      const values = { tokenHash, key: key ?? null, fingerprint, owner, endpoint, micros, now: time }
      const [drawn] = query('draw', { ...values, leaseUntil: time + leaseMs }) as [{ balance: bigint }?]
      if (drawn) return { drawn: true, balance: drawn.balance }
      const credit = find(tokenHash, key)
      const isDecided = !credit || credit.isLost || (credit.prior && isHeld(credit.prior, time))
      if (isDecided) return { drawn: false, credit }
      // Reservations of requests that a crash ended may be what is missing, or hold the key.
      const isFreed = change('deleteExpired', { now: time }) > 0
      if (!isFreed && balanceOf(credit) < micros) return { drawn: false, credit }
    }
  }

  return {
    attach: async ({ paymentKey, owner, tokenHash, salt, redeemHash = null }) =>
      (await write('attach', { paymentKey, owner, tokenHash, salt, redeemHash, now: now() })) === 1,
    secretOf: (paymentKey) =>
      runUnlocked(() => {
        const [row] = query('secretOf', { paymentKey }) as [SecretRow?]
        return row && { tokenHash: row.token_hash, salt: row.salt, redeemHash: row.redeem_hash ?? undefined }
      }),
    find: (tokenHash, key) => runUnlocked(() => find(tokenHash, key)),
    draw: (wish) => batch.run(() => draw(wish)),
    async confirm(owner, answer) {
      const { status = null, body = null } = answer ?? {}
      return (await write('confirm', { owner, status, body, now: now() })) === 1
    },
    giveBack: async (owner) => void (await write('giveBack', { owner })),
    outstanding: () => runUnlocked(() => (query('outstanding') as [{ micros: bigint }])[0].micros),
    async prune(at) {
      const before = Math.floor(at) - ANSWER_TTL_MS
      let touched = await write('deleteExpired', { now: Math.floor(at) })
      touched += await write('deleteNeverPaid', { before })
      touched += await write('deleteSalts', { before })
      for (let last = PRUNE_BATCH_SIZE; last === PRUNE_BATCH_SIZE && db.isOpen; await setImmediate()) {
        last = await write('deleteAnswers', { before, limit: PRUNE_BATCH_SIZE })
        touched += last
      }
      return touched
    },
    close() {
      if (!db.isOpen) return
      batch.flush()
      db.close()
    },
  }
}

type CreditRow = {
  readonly bought: bigint
  readonly spent: bigint
  readonly reserved: bigint
  readonly lost_at: bigint | null
  readonly fingerprint: string | null
  readonly lease_until: bigint | null
  readonly status: bigint | null
  readonly body: string | null
}
type SecretRow = { readonly token_hash: string; readonly salt: string; readonly redeem_hash: string | null }

const parseCredit = ({
  bought,
  spent,
  reserved,
  lost_at,
  fingerprint,
  lease_until,
  status,
  body,
}: CreditRow): Credit => ({
  bought,
  spent,
  reserved,
  isLost: lost_at !== null,
  prior:
    fingerprint === null
      ? undefined
      : {
          fingerprint,
          leaseUntil: Number(lease_until),
          answer: status === null || body === null ? undefined : { status: Number(status), body },
        },
})
