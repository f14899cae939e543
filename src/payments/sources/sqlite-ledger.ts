import { join } from 'node:path'
import type { DatabaseSync, StatementSync, SQLInputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import {
  type Claim,
  type ClaimResult,
  type LedgerEntry,
  MAX_OPEN_PAYMENTS,
  type PaymentDetails,
  type RecheckOutcome,
} from '../ledger.ts'
import { ANSWER_TTL_MS, isClaimable, type PrunableLedger, redactFor } from './retention.ts'
import { runUnlocked } from './sqlite/busy.ts'
import { sqliteCredits } from './sqlite-credits.ts'
import { connectForCredits, openLedgerFile } from './sqlite/file.ts'
import { parseAnswer, parseEntry, type Row } from './sqlite/rows.ts'
import { QUERIES, WRITES } from './sqlite/statements.ts'

type Needs = { readonly folder: string; readonly clock: Clock }
type Values = Record<string, SQLInputValue>

/** Entries per pruning statement. Other work runs between two statements. */
const PRUNE_BATCH_SIZE = 200
/** SQLite's integers have 64 bits, and balances up to 256. */
const MAX_BALANCE = 2n ** 62n

/**
 * The ledger in `payments.sqlite` in the folder, for one or several instances on one machine. Every write is on the disk
 * when its call returns. SQLite runs synchronously, so each call is a few statements, prepared once; a lock of another
 * process is waited for without blocking.
 */
export function sqliteLedger({ folder, clock }: Needs): PrunableLedger {
  const path = join(folder, 'payments.sqlite')
  const db = openLedgerFile(path)
  const credits = openCredits(path, clock, db)
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
  const write = (name: keyof typeof WRITES, values: Values): Promise<number> =>
    runUnlocked(() => Number(prepared.get(WRITES[name])!.run(values).changes))
  const [{ value: id } = { value: '' }] = query('id') as [{ value: string }?]

  function claim(wish: Claim): ClaimResult {
    const { key, fingerprint, owner, leaseMs, details, payment } = wish
    const balance = wish.balance === undefined ? null : min(wish.balance, MAX_BALANCE)
    for (;;) {
      const time = { now: now(), leaseUntil: Math.ceil(clock.now() + leaseMs) }
      const [won] = query('claim', { key, fingerprint, owner, ...time, ...detailColumns(details), payment, balance })
      if (won !== undefined) return { won: true, answer: parseAnswer(won as Row) }
      const [entry] = entries('find', { key })
      if (entry !== undefined && !isClaimable(entry, fingerprint, time.now)) {
        return { won: false, entry: redactFor(fingerprint, entry) }
      }
      const shortOf = balance === null ? undefined : findShortage(key, details, balance, time.now)
      if (shortOf) return { won: false, entry: undefined, shortOf }
      // Released between the statements: try again.
    }
  }

  /** What a claim lacks; the claim itself has checked the same. */
  function findShortage(key: string, { payer, scheme, micros }: PaymentDetails, balance: bigint, at: number) {
    const [row] = query('reserved', { key, payer, scheme, now: at }) as [{ reserved: bigint; open: bigint }]
    if (row.reserved + micros > balance) return 'balance'
    return row.open >= MAX_OPEN_PAYMENTS ? 'open payments' : undefined
  }

  return {
    id,
    credits,
    claim: (wish) => runUnlocked(() => claim(wish)),
    compute: async (key, owner, { status, body }) => (await write('compute', { key, owner, status, body })) === 1,
    sending: async (key, owner, transaction) => (await write('sending', { key, owner, transaction })) === 1,
    async settle(key, owner, { transaction, headers, tokenHash = null }) {
      const values = { transaction, headers: JSON.stringify(headers), token: tokenHash, now: now() }
      return (await write('settle', { key, owner, ...values })) === 1
    },
    delivered: async (key) => void (await write('delivered', { key, now: now() })),
    release: async (key, owner) => void (await write('release', { key, owner })),
    yield: async (key, owner) => void (await write('yield', { key, owner })),
    find: (key) => runUnlocked(() => entries('find', { key })[0]),
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
      if (db.isOpen) db.close()
    },
  }
}

function openCredits(path: string, clock: Clock, ledgerDb: DatabaseSync) {
  try {
    return sqliteCredits({ db: connectForCredits(path), clock })
  } catch (error) {
    ledgerDb.close()
    throw error
  }
}

/** Exactly the named parameters of the statement: SQLite rejects unknown ones. */
const detailColumns = ({ scheme, payer, endpoint, micros }: PaymentDetails) => ({ scheme, payer, endpoint, micros })

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
