import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../kernel/clock.ts'
import { LeaseLost } from '../listing-store.ts'
import { inTransaction } from './schema.ts'

export type StoreOptions = {
  readonly clock: Clock
  /** Unique id of this writer. */
  readonly holder: string
  /** Called between steps with the step's name; tests kill the process there. */
  readonly at?: (point: string) => void
}

/** The connection of one writer, with its statements and its cache of TLD ids. */
export type ListingWriter = {
  readonly database: DatabaseSync
  readonly statements: ReturnType<typeof prepareStatements>
  readonly tlds: Map<string, number>
  readonly holder: string
  readonly at: (point: string) => void
  /** The time in whole seconds. */
  readonly now: () => number
}

/** A writer that has not renewed its lease for this long is considered dead. */
export const LEASE_SECONDS = 120
const MAX_SYNC_RUNS = 1000

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql)
  const statements = {
    hold: prepare('UPDATE source SET holder = ?, held_until = ? WHERE id = ? AND (held_until <= ? OR holder = ?)'),
    renew: prepare('UPDATE source SET held_until = ? WHERE id = ? AND holder = ?'),
    release: prepare("UPDATE source SET held_until = 0, holder = '' WHERE id = ? AND holder = ?"),
    begin: prepare('INSERT INTO sync_run (source, began) VALUES (?, ?)'),
    end: prepare(`UPDATE sync_run SET ended = ?, outcome = ?, rows = ?, refused = ?, added = ?, changed = ?, removed = ?,
      kept = ?, reason = ? WHERE id = ?`),
    find: prepare('SELECT id, mark FROM auction WHERE source = ? AND external_id = ?'),
    add: prepare(`INSERT INTO auction (seq, source, ends, price, bids, quality, newest, tld, name, mark, external_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    change: prepare(`UPDATE auction SET seq = ?, ends = ?, price = ?, bids = ?, quality = ?, newest = ?, tld = ?,
      name = ?, mark = ? WHERE id = ?`),
    newestOf: prepare('SELECT newest FROM auction WHERE id = ?'),
    addDetail: prepare('INSERT INTO detail (id, updated, body) VALUES (?, ?, ?)'),
    changeDetail: prepare('UPDATE detail SET updated = ?, body = ? WHERE id = ?'),
    next: prepare("UPDATE counter SET value = value + 1 WHERE name = 'seq' RETURNING value"),
    findTld: prepare('SELECT id FROM tld WHERE name = ?'),
    addTld: prepare('INSERT INTO tld (id, name) SELECT 1 + coalesce(max(id), 0), ? FROM tld RETURNING id'),
    ids: prepare(`SELECT group_concat(id) AS ids FROM auction
      WHERE source = ? AND ends BETWEEN ? AND ? AND id >= ? AND id < ?`),
    withdraw: prepare('UPDATE auction SET seq = ?, ends = ?, mark = -1 WHERE id = ?'),
  }
  statements.find.setReturnArrays(true)
  return statements
}

export function createWriter(database: DatabaseSync, { clock, holder, at = () => {} }: StoreOptions): ListingWriter {
  return {
    database,
    statements: prepareStatements(database),
    tlds: new Map(),
    holder,
    at,
    now: () => Math.floor(clock.now() / 1000),
  }
}

/** Takes the lease of a source and records a new run. Returns the run's id, or null if another writer has the lease. */
export function takeLease({ database, statements, holder, now: clock }: ListingWriter, source: number): number | null {
  return inTransaction(database, () => {
    const now = clock()
    if (statements.hold.run(holder, now + LEASE_SECONDS, source, now, holder).changes !== 1) return null
    database
      .prepare("UPDATE sync_run SET outcome = 'interrupted', ended = ? WHERE source = ? AND outcome = 'running'")
      .run(now, source)
    database.prepare(`DELETE FROM sync_run WHERE id <= (SELECT max(id) FROM sync_run) - ${MAX_SYNC_RUNS}`).run()
    return Number(statements.begin.run(source, now).lastInsertRowid)
  })
}

/** Runs a step in a transaction that also renews the lease. */
export function withLease<T>(
  { database, statements, tlds, holder, now }: ListingWriter,
  source: number,
  run: () => T,
): T {
  try {
    return inTransaction(database, () => {
      const until = now() + LEASE_SECONDS
      if (statements.renew.run(until, source, holder).changes !== 1) throw new LeaseLost('Another process took over.')
      return run()
    })
  } catch (error) {
    // The cache may contain rows that were rolled back.
    tlds.clear()
    throw error
  }
}
