import type { DatabaseSync } from 'node:sqlite'
import type { FeedId } from '../auction.ts'
import { type SyncSession, type ListingStore, LeaseLost, type WriteCounts } from '../listing-store.ts'
import { createBitSet } from './bit-set.ts'
import { deleteEnded, nextSeq, putAuction, withdrawUnseen } from './listing-rows.ts'
import { createWriter, type ListingWriter, type StoreOptions, takeLease, withLease } from './listing-writer.ts'
import { sourceNumber } from './schema.ts'

type RunCounts = { readonly rows: number; readonly refused: number; readonly removed: number; readonly kept: number }

const NO_ROWS: RunCounts = { rows: 0, refused: 0, removed: 0, kept: 0 }

export function sqliteListingStore(database: DatabaseSync, options: StoreOptions): ListingStore {
  const writer = createWriter(database, options)
  return {
    begin(id: FeedId): SyncSession | null {
      const source = sourceNumber(id)
      const run = takeLease(writer, source)
      if (run === null) return null
      writer.at('begun')
      return openSession(writer, source, run)
    },
  }
}

function openSession(writer: ListingWriter, source: number, run: number): SyncSession {
  const { database, statements, at } = writer
  const seen = createBitSet()
  const total = { added: 0, changed: 0 }
  const { validator } = database.prepare('SELECT validator FROM source WHERE id = ?').get(source) as {
    validator: string
  }
  const end = (outcome: string, { rows, refused, removed, kept }: RunCounts, why = '') => {
    const { added, changed } = total
    statements.end.run(writer.now(), outcome, rows, refused, added, changed, removed, kept, why, run)
    statements.release.run(source, writer.holder)
  }
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
      const counts: WriteCounts = { added: 0, changed: 0, duplicates: [] }
      let seq = 0
      const batchSeq = () => (seq ||= nextSeq(writer))
      withLease(writer, source, () => {
        for (const auction of auctions) putAuction(writer, source, auction, seen, batchSeq, counts)
        at('put')
      })
      at('committed')
      total.added += counts.added
      total.changed += counts.changed
      return counts
    },
    complete({ validator: next, replacesOther }, counts) {
      const withdrawn = withdrawUnseen(writer, source, seen, { isAnyNumberPlausible: replacesOther })
      at('withdrawn')
      deleteEnded(writer, source)
      at('swept')
      withLease(writer, source, () => {
        database.prepare('UPDATE source SET last_sync = ?, validator = ? WHERE id = ?').run(writer.now(), next, source)
        end('complete', { ...counts, ...withdrawn })
      })
      at('completed')
      return withdrawn
    },
    unchanged() {
      deleteEnded(writer, source)
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
