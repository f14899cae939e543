import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import {
  type Claim,
  type ClaimResult,
  type LedgerEntry,
  MAX_OPEN_PAYMENTS,
  type PaymentDetails,
  type RecheckOutcome,
  type SentTransaction,
  type Shortage,
} from '../ledger.ts'
import { ANSWER_TTL_MS, isClaimable, type PrunableLedger, redactFor } from './retention.ts'
import { createBatch } from './sqlite/batch.ts'
import { runUnlocked } from './sqlite/busy.ts'
import { connectForCredits, openLedgerFile, openLedgerFileInThread } from './sqlite/file.ts'
import { parseAnswer, parseEntry, parseUnpriced, type Row, type UnpricedRow } from './sqlite/rows.ts'
import { type PrunableCredits, sqliteCredits } from './sqlite-credits.ts'
import { QUERIES, WRITES } from './sqlite/statements.ts'

type Needs = { readonly folder: string; readonly clock: Clock }
type Values = Record<string, SQLInputValue>

const FILE_NAME = 'payments.sqlite'
const LATER = { mayWait: true }
/** Entries per pruning statement. Other work runs between two statements. */
const PRUNE_BATCH_SIZE = 200
/** SQLite's integers have 64 bits, and balances up to 256. */
const MAX_BALANCE = 2n ** 62n

/**
 * The ledger in `payments.sqlite` in the folder, for one or several instances on one machine. Every write is committed
 * when its call returns, and outlives the process. A power cut ends all instances: what must outlive that is the answer
 * that money is about to be taken for, since the chain tells the rest. So only `compute` waits for the disk, and a claim
 * of a payment whose money may have moved already. SQLite runs synchronously, so each call is a few statements, prepared
 * once; a lock of another process is waited for without blocking.
 */
export function sqliteLedger({ folder, clock }: Needs): PrunableLedger {
  const path = join(folder, FILE_NAME)
  const db = openLedgerFile(path)
  try {
    return createLedger(path, db, clock)
  } catch (error) {
    db.close()
    throw error
  }
}

/** The same, opened without blocking the service. */
export async function openSqliteLedger({ folder, clock }: Needs): Promise<PrunableLedger> {
  const path = join(folder, FILE_NAME)
  const db = await openLedgerFileInThread(path)
  try {
    return await runUnlocked(() => createLedger(path, db, clock))
  } catch (error) {
    db.close()
    throw error
  }
}

function createLedger(path: string, db: DatabaseSync, clock: Clock): PrunableLedger {
  const credits = openCredits(path, clock)
  const prepared = new Map<string, StatementSync>()
  for (const sql of [...Object.values(QUERIES), ...Object.values(WRITES)]) {
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    prepared.set(sql, statement)
  }
  const now = () => Math.floor(clock.now())
  // `all` and never `get`, even for one row: `get` returns before the statement is committed and does not report a failed
  // commit (full disk), so a claim that was never written would look successful.
  const query = (name: keyof typeof QUERIES, values: Values = {}) => prepared.get(QUERIES[name])!.all(values)
  const entries = (name: 'find' | 'unsettled' | 'list' | 'dueRechecks', values: Values): LedgerEntry[] =>
    (query(name, values) as Row[]).map(parseEntry)
  const batch = createBatch(db)
  const change = (name: keyof typeof WRITES, values: Values): number =>
    Number(prepared.get(WRITES[name])!.run(values).changes)
  const write = (name: keyof typeof WRITES, values: Values): Promise<number> => batch.run(() => change(name, values))
  const [{ value: id } = { value: '' }] = query('id') as [{ value: string }?]

  function claim(wish: Claim): ClaimResult {
    const { key, fingerprint, owner, leaseMs, details, payment, slot = null, name = null, paidIn = null } = wish
    const values = { key, fingerprint, owner, ...detailColumns(details), payment, slot, name, paidIn }
    const balance = wish.balance === undefined ? null : min(wish.balance, MAX_BALANCE)
    for (;;) {
      const time = { now: now(), leaseUntil: Math.ceil(clock.now() + leaseMs) }
      const [won] = query('claim', { ...values, ...time, token: wish.tokenHash ?? null, balance })
      if (won !== undefined) return { won: true, answer: parseAnswer(won as Row) }
      const [entry] = entries('find', { key })
      if (entry !== undefined && !isClaimable(entry, fingerprint, time.now)) {
        return { won: false, entry: redactFor(fingerprint, entry) }
      }
      const shortOf = findShortage(wish, balance, time.now)
      if (shortOf) return { won: false, entry: undefined, shortOf }
      // Released between the statements: try again.
    }
  }

  /** What a claim lacks; the claim itself has checked the same. */
  function findShortage({ key, details, slot, name }: Claim, balance: bigint | null, at: number): Shortage | undefined {
    if (name !== undefined && query('named', { key, name, now: at }).length > 0) return 'name'
    if (slot !== undefined && query('sameSlot', { key, slot, now: at }).length > 0) return 'nonce'
    if (balance === null) return undefined
    const { payer, scheme, micros } = details
    const [row] = query('reserved', { key, payer, scheme, now: at }) as [{ reserved: bigint; open: bigint }]
    if (row.reserved + micros > balance) return 'balance'
    return row.open >= MAX_OPEN_PAYMENTS ? 'open payments' : undefined
  }

  /** Both writes or none. */
  function send(key: string, owner: string, { hash, sender, nonce }: SentTransaction): boolean {
    db.exec('SAVEPOINT send')
    try {
      const isOwned = change('sending', { key, owner, transaction: hash }) > 0
      if (isOwned) change('send', { key, hash, sender, nonce, now: now() })
      db.exec('RELEASE send')
      return isOwned
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK TO send; RELEASE send')
      throw error
    }
  }

  /** Nobody waits for it, so it may wait for a commit of others, unless the entry is read meanwhile. */
  const delivering = new Map<string, Promise<unknown>>()
  async function delivered(key: string): Promise<void> {
    const at = now()
    const written = batch.run(() => change('delivered', { key, now: at }), LATER)
    delivering.set(key, written)
    try {
      await written
    } finally {
      delivering.delete(key)
    }
  }

  async function find(key: string): Promise<LedgerEntry | undefined> {
    const written = delivering.get(key)
    if (written) {
      batch.hurry()
      await Promise.allSettled([written])
    }
    return runUnlocked(() => entries('find', { key })[0])
  }

  return {
    id,
    credits,
    // Without a balance the money may have moved: it was paid before, or an earlier owner has saved an answer.
    claim: (wish) => batch.run(() => claim(wish), { isOnDisk: wish.balance === undefined }),
    compute: async (key, owner, { status, body }) =>
      (await batch.run(() => change('compute', { key, owner, status, body }), { isOnDisk: true })) === 1,
    sending: (key, owner, transaction) => batch.run(() => send(key, owner, transaction)),
    resending: async (key, { hash, sender, nonce }) =>
      void (await write('send', { key, hash, sender, nonce, now: now() })),
    // Otherwise it is looked up again, so it may wait.
    spent: async (hash, wei) => void (await batch.run(() => change('spent', { hash, wei: String(wei) }), LATER)),
    unpriced: (limit) => runUnlocked(() => (query('unpriced', { limit }) as UnpricedRow[]).map(parseUnpriced)),
    async settle(key, owner, { transaction, headers, tokenHash = null }) {
      const values = { transaction, headers: JSON.stringify(headers), token: tokenHash, now: now() }
      return (await write('settle', { key, owner, ...values })) === 1
    },
    delivered,
    release: async (key, owner) => void (await write('release', { key, owner })),
    yield: async (key, owner) => void (await write('yield', { key, owner })),
    find,
    findNamed: (name) =>
      runUnlocked(() => (query('named', { key: '', name, now: now() }) as { key: string }[])[0]?.key),
    unsettled: (limit) => runUnlocked(() => entries('unsettled', { now: now(), limit })),
    dueRechecks: (limit) => runUnlocked(() => entries('dueRechecks', { now: now(), limit })),
    async recheck(key: string, outcome: RecheckOutcome) {
      if (outcome === 'unknown') await write('recheckAgain', { key })
      else if (outcome === 'lost') await write('lost', { key, now: now() })
      else await write('moved', { key, transaction: outcome.transaction })
    },
    list: (limit) => runUnlocked(() => entries('list', { limit })),
    async prune(at) {
      const before = Math.floor(at) - ANSWER_TTL_MS
      let touched = await write('deleteExpiredClaims', { before })
      for (let last = PRUNE_BATCH_SIZE; last === PRUNE_BATCH_SIZE && db.isOpen; await setImmediate()) {
        last = await write('deleteAnswers', { before, limit: PRUNE_BATCH_SIZE })
        touched += last
      }
      return touched + (await credits.prune(at))
    },
    close() {
      credits.close()
      if (!db.isOpen) return
      batch.flush()
      db.close()
    },
  }
}

function openCredits(path: string, clock: Clock): PrunableCredits {
  const db = connectForCredits(path)
  try {
    return sqliteCredits({ db, clock })
  } catch (error) {
    db.close()
    throw error
  }
}

/** Exactly the named parameters of the statement: SQLite rejects unknown ones. */
const detailColumns = ({ scheme, payer, endpoint, micros }: PaymentDetails) => ({ scheme, payer, endpoint, micros })

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
