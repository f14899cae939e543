import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../kernel/clock.ts'
import type { SourceId } from '../auction.ts'
import {
  type HashedAuction,
  type SyncSession,
  type ListingStore,
  LeaseLost,
  type WriteCounts,
} from '../listing-store.ts'
import { type BitSet, createBitSet } from './bit-set.ts'
import { eachNumber } from './number-list.ts'
import { inTransaction, sourceNumber } from './schema.ts'

type Options = {
  readonly clock: Clock
  /** Unique id of this writer. */
  readonly holder: string
  /** Called between steps with the step's name; tests kill the process there. */
  readonly at?: (point: string) => void
}

/** A writer that has not renewed its lease for this long is considered dead. */
export const LEASE_SECONDS = 120
/** Ended auctions are kept for a day: late bids extend some. */
const ENDED_RETENTION_SECONDS = 86_400
/** Far more TLDs than exist: beyond this the column must contain something else. */
const MAX_TLDS = 20_000
const WRITE_BATCH = 1000
const ID_RANGE = 50_000
const MAX_UINT32 = 0xffff_ffff
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

export function sqliteListingStore(database: DatabaseSync, { clock, holder, at = () => {} }: Options): ListingStore {
  const prepare = (sql: string) => database.prepare(sql)
  const statements = prepareStatements(database)
  const tlds = new Map<string, number>()

  /** Runs a step in a transaction that also renews the lease. */
  const withLease = <T>(source: number, run: () => T): T => {
    try {
      return inTransaction(database, () => {
        const until = seconds() + LEASE_SECONDS
        if (statements.renew.run(until, source, holder).changes !== 1) throw new LeaseLost('Another process took over.')
        return run()
      })
    } catch (error) {
      // The cache may contain rows that were rolled back.
      tlds.clear()
      throw error
    }
  }
  const seconds = () => Math.floor(clock.now() / 1000)
  const nextSeq = () => (statements.next.get() as { value: number }).value

  const tldOf = (name: string): number => {
    const known = tlds.get(name)
    if (known !== undefined) return known
    const row = (statements.findTld.get(name) ?? statements.addTld.get(name)) as { id: number }
    if (row.id > MAX_TLDS) throw new Error('The feed has more TLDs than exist.')
    tlds.set(name, row.id)
    return row.id
  }

  function put(source: number, { auction, mark }: HashedAuction, seen: BitSet, seq: () => number, counts: WriteCounts) {
    const known = statements.find.get(source, auction.externalId) as [number, number] | undefined
    if (known && seen.has(known[0])) return void counts.duplicates++
    const body = JSON.stringify(auction)
    const { domain, tld, endsAt, priceUsdCents: price, bids, quality, startedAt } = auction
    const name = domain.slice(0, domain.indexOf('.'))
    const now = seconds()
    if (!known) {
      const facts = [endsAt, price, bids, quality, startedAt ?? now, tldOf(tld), name]
      const id = Number(statements.add.run(seq(), source, ...facts, mark, auction.externalId).lastInsertRowid)
      statements.addDetail.run(id, now, body)
      seen.add(id)
      return void counts.added++
    }
    const [id] = known
    const newest = startedAt ?? (statements.newestOf.get(id) as { newest: number }).newest
    statements.change.run(seq(), endsAt, price, bids, quality, newest, tldOf(tld), name, mark, id)
    statements.changeDetail.run(now, body, id)
    seen.add(id)
    counts.changed++
  }

  /** Visits all ids of a source that end in this period, one id range at a time. */
  function eachId(source: number, from: number, to: number, visit: (id: number) => void): void {
    const { last } = prepare('SELECT max(id) AS last FROM auction').get() as { last: number | null }
    for (let id = 0; id <= (last ?? -1); id += ID_RANGE) {
      const { ids } = statements.ids.get(source, from, to, id, id + ID_RANGE) as { ids: string | null }
      eachNumber(ids, visit)
    }
  }

  function inSteps(source: number, ids: readonly number[], run: (ids: readonly number[]) => void): void {
    for (let from = 0; from < ids.length; from += WRITE_BATCH) {
      withLease(source, () => run(ids.slice(from, from + WRITE_BATCH)))
      at('step')
    }
  }

  /** Ends live auctions that are missing from the delivery; their rows are deleted a day later. */
  function withdraw(source: number, seen: BitSet) {
    const now = seconds()
    const unseen: number[] = []
    let live = 0
    eachId(source, now + 1, MAX_UINT32, (id) => {
      live++
      if (!seen.has(id)) unseen.push(id)
    })
    if (unseen.length > Math.max(500, live / 10)) return { removed: 0, kept: unseen.length }
    inSteps(source, unseen, (ids) => {
      const seq = nextSeq()
      for (const id of ids) statements.withdraw.run(seq, now, id)
    })
    return { removed: unseen.length, kept: 0 }
  }

  function sweep(source: number): void {
    const gone: number[] = []
    eachId(source, 0, seconds() - ENDED_RETENTION_SECONDS, (id) => gone.push(id))
    const remove = ['auction', 'detail'].map((table) => prepare(`DELETE FROM ${table} WHERE id = ?`))
    inSteps(source, gone, (ids) => {
      for (const id of ids) for (const statement of remove) statement.run(id)
    })
  }

  function take(source: number): number | null {
    return inTransaction(database, () => {
      const now = seconds()
      if (statements.hold.run(holder, now + LEASE_SECONDS, source, now, holder).changes !== 1) return null
      prepare("UPDATE sync_run SET outcome = 'interrupted', ended = ? WHERE source = ? AND outcome = 'running'").run(
        now,
        source,
      )
      prepare(`DELETE FROM sync_run WHERE id <= (SELECT max(id) FROM sync_run) - ${MAX_SYNC_RUNS}`).run()
      return Number(statements.begin.run(source, now).lastInsertRowid)
    })
  }

  return {
    begin(id: SourceId): SyncSession | null {
      const source = sourceNumber(id)
      const run = take(source)
      if (run === null) return null
      at('begun')
      const seen = createBitSet()
      const total: WriteCounts = { added: 0, changed: 0, duplicates: 0 }
      const end = (
        outcome: string,
        facts: { rows: number; refused: number; removed: number; kept: number },
        why = '',
      ) => {
        statements.end.run(
          seconds(),
          outcome,
          facts.rows,
          facts.refused,
          total.added,
          total.changed,
          facts.removed,
          facts.kept,
          why,
          run,
        )
        statements.release.run(source, holder)
      }
      const nothing = { rows: 0, refused: 0, removed: 0, kept: 0 }
      const { validator } = prepare('SELECT validator FROM source WHERE id = ?').get(source) as { validator: string }
      return {
        validator,
        compare(externalId, mark) {
          const known = statements.find.get(source, externalId) as [number, number] | undefined
          if (!known) return 'other'
          if (seen.has(known[0])) return 'twice'
          if (known[1] !== mark) return 'other'
          seen.add(known[0])
          return 'same'
        },
        put(auctions) {
          const counts: WriteCounts = { added: 0, changed: 0, duplicates: 0 }
          let seq = 0
          withLease(source, () => {
            for (const auction of auctions) put(source, auction, seen, () => (seq ||= nextSeq()), counts)
            at('put')
          })
          at('committed')
          for (const key of Object.keys(total) as (keyof WriteCounts)[]) total[key] += counts[key]
          return counts
        },
        complete(next, counts) {
          const tidied = withdraw(source, seen)
          at('withdrawn')
          sweep(source)
          at('swept')
          withLease(source, () => {
            prepare('UPDATE source SET last_sync = ?, validator = ? WHERE id = ?').run(seconds(), next, source)
            end('complete', { ...counts, ...tidied })
          })
          at('completed')
          return tidied
        },
        unchanged() {
          sweep(source)
          withLease(source, () => {
            prepare('UPDATE source SET last_sync = ? WHERE id = ?').run(seconds(), source)
            end('unchanged', nothing)
          })
        },
        fail(reason) {
          try {
            withLease(source, () => end('failed', nothing, reason))
          } catch (error) {
            // The process that took over has closed the run.
            if (!(error instanceof LeaseLost)) throw error
          }
        },
      }
    },
  }
}
