import type { DatabaseSync } from 'node:sqlite'
import type { FeedId } from '../auction.ts'
import { LeaseLost, type ListingStore, type SyncSession, type WriteCounts } from '../listing-store.ts'
import type { IndexedSale, SaleListing } from '../sale-listing.ts'
import { createBitSet } from './bit-set.ts'
import { inBatches, isPlausibleLoss } from './listing-rows.ts'
import { createWriter, type ListingWriter, type StoreOptions, takeLease, withLease } from './listing-writer.ts'
import { eachNumber } from './number-list.ts'
import { sourceNumber } from './schema.ts'

/** Stores the listings of domains that are for sale without an end. A domain occurs once in a feed: the first wins. */
export function sqliteSaleStore(database: DatabaseSync, options: StoreOptions): ListingStore<SaleListing> {
  const writer = createWriter(database, options)
  return {
    begin(id: FeedId): SyncSession<SaleListing> | null {
      const source = sourceNumber(id)
      const run = takeLease(writer, source)
      if (run === null) return null
      writer.at('begun')
      return openSession(writer, source, run)
    },
  }
}

type RunCounts = { readonly rows: number; readonly refused: number; readonly removed: number; readonly kept: number }

const NO_ROWS: RunCounts = { rows: 0, refused: 0, removed: 0, kept: 0 }

function openSession(writer: ListingWriter, source: number, run: number): SyncSession<SaleListing> {
  const { database, statements, at } = writer
  const find = database.prepare('SELECT id, mark FROM sale_listing WHERE domain = ? AND source = ?')
  const add = database.prepare('INSERT INTO sale_listing (source, domain, mark, updated, body) VALUES (?, ?, ?, ?, ?)')
  const change = database.prepare('UPDATE sale_listing SET mark = ?, updated = ?, body = ? WHERE id = ?')
  const seen = createBitSet()
  const total = { added: 0, changed: 0 }
  const { validator } = database.prepare('SELECT validator FROM source WHERE id = ?').get(source) as {
    validator: string
  }
  const findRow = (domain: string) => find.get(domain, source) as { id: number; mark: number } | undefined
  const end = (outcome: string, { rows, refused, removed, kept }: RunCounts, why = '') => {
    const { added, changed } = total
    statements.end.run(writer.now(), outcome, rows, refused, added, changed, removed, kept, why, run)
    statements.release.run(source, writer.holder)
  }
  return {
    validator,
    compare(domain, mark) {
      const known = findRow(domain)
      if (!known) return 'other'
      if (seen.has(known.id)) return 'twice'
      if (known.mark !== mark) return 'other'
      seen.add(known.id)
      return 'same'
    },
    put(listings) {
      const counts: WriteCounts = { added: 0, changed: 0, duplicates: [] }
      withLease(writer, source, () => {
        for (const { record, mark } of listings) {
          const known = findRow(record.domain)
          const body = JSON.stringify(record)
          if (known && seen.has(known.id)) {
            counts.duplicates.push(record.domain)
          } else if (known) {
            change.run(mark, writer.now(), body, known.id)
            seen.add(known.id)
            counts.changed++
          } else {
            seen.add(Number(add.run(source, record.domain, mark, writer.now(), body).lastInsertRowid))
            counts.added++
          }
        }
        at('put')
      })
      at('committed')
      total.added += counts.added
      total.changed += counts.changed
      return counts
    },
    complete({ validator: next, replacesOther }, counts) {
      const withdrawn = deleteUnseen(writer, source, seen, replacesOther)
      at('withdrawn')
      withLease(writer, source, () => {
        database.prepare('UPDATE source SET last_sync = ?, validator = ? WHERE id = ?').run(writer.now(), next, source)
        end('complete', { ...counts, ...withdrawn })
      })
      at('completed')
      return withdrawn
    },
    unchanged() {
      withLease(writer, source, () => {
        database.prepare('UPDATE source SET last_sync = ? WHERE id = ?').run(writer.now(), source)
        end('unchanged', NO_ROWS)
      })
    },
    fail(reason) {
      try {
        withLease(writer, source, () => end('failed', NO_ROWS, reason))
      } catch (error) {
        // The process that took over has closed the run.
        if (!(error instanceof LeaseLost)) throw error
      }
    },
  }
}

/** A domain that is no longer in its feed is no longer for sale there. */
function deleteUnseen(
  writer: ListingWriter,
  source: number,
  seen: ReturnType<typeof createBitSet>,
  isAnyNumberPlausible: boolean,
) {
  const unseen: number[] = []
  let live = 0
  const { ids } = writer.database
    .prepare('SELECT group_concat(id) AS ids FROM sale_listing WHERE source = ?')
    .get(source) as { ids: string | null }
  eachNumber(ids, (id) => {
    live++
    if (!seen.has(id)) unseen.push(id)
  })
  if (!isAnyNumberPlausible && !isPlausibleLoss(unseen.length, live)) return { removed: 0, kept: unseen.length }
  const remove = writer.database.prepare('DELETE FROM sale_listing WHERE id = ?')
  inBatches(writer, source, unseen, (batch) => {
    for (const id of batch) remove.run(id)
  })
  return { removed: unseen.length, kept: 0 }
}

/** Looks up the listings of one domain. */
export function createSaleFinder(database: DatabaseSync): (domain: string) => readonly IndexedSale[] {
  const find = database.prepare(`SELECT max(updated, coalesce(last_sync, 0)) AS seen, body
    FROM sale_listing JOIN source ON source.id = sale_listing.source WHERE domain = ? ORDER BY source`)
  return (domain) =>
    (find.all(domain) as { seen: number; body: string }[]).map(({ seen, body }) => ({
      ...(JSON.parse(body) as SaleListing),
      seenAt: seen,
    }))
}
