import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../kernel/clock.ts'
import type { SourceId } from '../auction.ts'
import { type Marked, type Restocking, type Stock, StockLost, type Taken } from '../stock.ts'
import { type Bits, createBits } from './bits.ts'
import { eachNumber } from './number-list.ts'
import { inTransaction, sourceNumber } from './schema.ts'

type Options = {
  readonly clock: Clock
  /** Tells this writer from all others. */
  readonly holder: string
  /** Called between the steps, by name; for tests that end the process there. */
  readonly at?: (point: string) => void
}

/** Who has not been heard of for so long is taken for dead. */
export const LEASE_S = 120
/** Ended auctions stay for a day: late bids extend some. */
const GRACE_S = 86_400
/** More distinct TLDs than there are means that something else is in the column. */
const MAX_TLDS = 20_000
const STEP = 1000
const SPAN = 50_000
const FAR = 0xffff_ffff
const RUNS_KEPT = 1000

export function sqliteStock(database: DatabaseSync, { clock, holder, at = () => {} }: Options): Stock {
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
  const tlds = new Map<string, number>()

  /** Runs a step while the source is ours, and says until when it stays so. */
  const held = <T>(source: number, run: () => T): T => {
    try {
      return inTransaction(database, () => {
        const until = seconds() + LEASE_S
        if (statements.renew.run(until, source, holder).changes !== 1) throw new StockLost('Another process took over.')
        return run()
      })
    } catch (error) {
      // What was rolled back may have been in here.
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
    if (row.id > MAX_TLDS) throw new Error('There are more TLDs than can be.')
    tlds.set(name, row.id)
    return row.id
  }

  function put(source: number, { auction, mark }: Marked, seen: Bits, seq: () => number, taken: Taken) {
    const known = statements.find.get(source, auction.externalId) as [number, number] | undefined
    if (known && seen.has(known[0])) return void taken.duplicates++
    const body = JSON.stringify(auction)
    const { domain, tld, endsAt, priceUsdCents: price, bids, quality, startedAt } = auction
    const name = domain.slice(0, domain.indexOf('.'))
    const now = seconds()
    if (!known) {
      const facts = [endsAt, price, bids, quality, startedAt ?? now, tldOf(tld), name]
      const id = Number(statements.add.run(seq(), source, ...facts, mark, auction.externalId).lastInsertRowid)
      statements.addDetail.run(id, now, body)
      seen.add(id)
      return void taken.added++
    }
    const [id] = known
    const newest = startedAt ?? (statements.newestOf.get(id) as { newest: number }).newest
    statements.change.run(seq(), endsAt, price, bids, quality, newest, tldOf(tld), name, mark, id)
    statements.changeDetail.run(now, body, id)
    seen.add(id)
    taken.changed++
  }

  /** All ids of a source that end in this time, a span of ids at a time. */
  function eachId(source: number, from: number, to: number, tell: (id: number) => void): void {
    const { last } = prepare('SELECT max(id) AS last FROM auction').get() as { last: number | null }
    for (let id = 0; id <= (last ?? -1); id += SPAN) {
      const { ids } = statements.ids.get(source, from, to, id, id + SPAN) as { ids: string | null }
      eachNumber(ids, tell)
    }
  }

  function inSteps(source: number, ids: readonly number[], run: (ids: readonly number[]) => void): void {
    for (let from = 0; from < ids.length; from += STEP) {
      held(source, () => run(ids.slice(from, from + STEP)))
      at('step')
    }
  }

  /** Live auctions that the delivery did not have end now; their rows go a day later, like all that have ended. */
  function withdraw(source: number, seen: Bits) {
    const now = seconds()
    const unseen: number[] = []
    let live = 0
    eachId(source, now + 1, FAR, (id) => {
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
    eachId(source, 0, seconds() - GRACE_S, (id) => gone.push(id))
    const remove = ['auction', 'detail'].map((table) => prepare(`DELETE FROM ${table} WHERE id = ?`))
    inSteps(source, gone, (ids) => {
      for (const id of ids) for (const statement of remove) statement.run(id)
    })
  }

  function take(source: number): number | null {
    return inTransaction(database, () => {
      const now = seconds()
      if (statements.hold.run(holder, now + LEASE_S, source, now, holder).changes !== 1) return null
      prepare("UPDATE sync_run SET outcome = 'interrupted', ended = ? WHERE source = ? AND outcome = 'running'").run(
        now,
        source,
      )
      prepare(`DELETE FROM sync_run WHERE id <= (SELECT max(id) FROM sync_run) - ${RUNS_KEPT}`).run()
      return Number(statements.begin.run(source, now).lastInsertRowid)
    })
  }

  return {
    begin(id: SourceId): Restocking | null {
      const source = sourceNumber(id)
      const run = take(source)
      if (run === null) return null
      at('begun')
      const seen = createBits()
      const total: Taken = { added: 0, changed: 0, duplicates: 0 }
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
        recognise(externalId, mark) {
          const known = statements.find.get(source, externalId) as [number, number] | undefined
          if (!known) return 'other'
          if (seen.has(known[0])) return 'twice'
          if (known[1] !== mark) return 'other'
          seen.add(known[0])
          return 'same'
        },
        put(auctions) {
          const taken: Taken = { added: 0, changed: 0, duplicates: 0 }
          let seq = 0
          held(source, () => {
            for (const auction of auctions) put(source, auction, seen, () => (seq ||= nextSeq()), taken)
            at('put')
          })
          at('committed')
          for (const key of Object.keys(total) as (keyof Taken)[]) total[key] += taken[key]
          return taken
        },
        complete(next, counts) {
          const tidied = withdraw(source, seen)
          at('withdrawn')
          sweep(source)
          at('swept')
          held(source, () => {
            prepare('UPDATE source SET last_sync = ?, validator = ? WHERE id = ?').run(seconds(), next, source)
            end('complete', { ...counts, ...tidied })
          })
          at('completed')
          return tidied
        },
        unchanged() {
          sweep(source)
          held(source, () => {
            prepare('UPDATE source SET last_sync = ? WHERE id = ?').run(seconds(), source)
            end('unchanged', nothing)
          })
        },
        fail(reason) {
          try {
            held(source, () => end('failed', nothing, reason))
          } catch (error) {
            // Who took over has closed the run already.
            if (!(error instanceof StockLost)) throw error
          }
        },
      }
    },
  }
}
