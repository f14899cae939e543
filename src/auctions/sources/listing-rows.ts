import type { Hashed, WriteCounts } from '../listing-store.ts'
import type { BitSet } from './bit-set.ts'
import { type ListingWriter, withLease } from './listing-writer.ts'
import { eachNumber } from './number-list.ts'

/** Ended auctions are kept for a day: late bids extend some. */
const ENDED_RETENTION_SECONDS = 86_400
/** Far more TLDs than exist: beyond this the column must contain something else. */
const MAX_TLDS = 20_000
/** Rows that one transaction ends or deletes. */
const WRITE_BATCH = 1000
const ID_RANGE = 50_000
const MAX_UINT32 = 0xffff_ffff
/** If more auctions than this are missing, and more than a tenth of the live ones, the delivery is taken for incomplete. */
const MAX_WITHDRAWN = 500

/** Whether so many records can be missing from a delivery that is complete. */
export const isPlausibleLoss = (missing: number, live: number): boolean => missing <= Math.max(MAX_WITHDRAWN, live / 10)

export const nextSeq = ({ statements }: ListingWriter) => (statements.next.get() as { value: number }).value

/** Inserts an auction or updates its row, and adds its id to `seen`. An id that was seen before is a duplicate. */
export function putAuction(
  writer: ListingWriter,
  source: number,
  { record: auction, mark }: Hashed,
  seen: BitSet,
  seq: () => number,
  counts: WriteCounts,
): void {
  const { statements } = writer
  const known = statements.find.get(source, auction.externalId) as [number, number] | undefined
  if (known && seen.has(known[0])) return void counts.duplicates.push(auction.externalId)
  const body = JSON.stringify(auction)
  const { domain, tld, endsAt, priceUsdCents: price, bids, quality, startedAt } = auction
  const name = domain.slice(0, domain.indexOf('.'))
  const now = writer.now()
  if (!known) {
    const facts = [endsAt, price, bids, quality, startedAt ?? now, tldId(writer, tld), name]
    const id = Number(statements.add.run(seq(), source, ...facts, mark, auction.externalId).lastInsertRowid)
    statements.addDetail.run(id, now, body)
    seen.add(id)
    return void counts.added++
  }
  const [id] = known
  const newest = startedAt ?? (statements.newestOf.get(id) as { newest: number }).newest
  statements.change.run(seq(), endsAt, price, bids, quality, newest, tldId(writer, tld), name, mark, id)
  statements.changeDetail.run(now, body, id)
  seen.add(id)
  counts.changed++
}

function tldId({ statements, tlds }: ListingWriter, name: string): number {
  const known = tlds.get(name)
  if (known !== undefined) return known
  const row = (statements.findTld.get(name) ?? statements.addTld.get(name)) as { id: number }
  if (row.id > MAX_TLDS) throw new Error('The feed has more TLDs than exist.')
  tlds.set(name, row.id)
  return row.id
}

/** Ends live auctions that are missing from the delivery; their rows are deleted a day later. */
export function withdrawUnseen(
  writer: ListingWriter,
  source: number,
  seen: BitSet,
  { isAnyNumberPlausible }: { readonly isAnyNumberPlausible: boolean },
) {
  const now = writer.now()
  const unseen: number[] = []
  let live = 0
  eachId(writer, source, now + 1, MAX_UINT32, (id) => {
    live++
    if (!seen.has(id)) unseen.push(id)
  })
  if (!isAnyNumberPlausible && !isPlausibleLoss(unseen.length, live)) return { removed: 0, kept: unseen.length }
  inBatches(writer, source, unseen, (ids) => {
    const seq = nextSeq(writer)
    for (const id of ids) writer.statements.withdraw.run(seq, now, id)
  })
  return { removed: unseen.length, kept: 0 }
}

/** Deletes auctions that ended longer ago than they are kept. */
export function deleteEnded(writer: ListingWriter, source: number): void {
  const ended: number[] = []
  eachId(writer, source, 0, writer.now() - ENDED_RETENTION_SECONDS, (id) => ended.push(id))
  const remove = ['auction', 'detail'].map((table) => writer.database.prepare(`DELETE FROM ${table} WHERE id = ?`))
  inBatches(writer, source, ended, (ids) => {
    for (const id of ids) for (const statement of remove) statement.run(id)
  })
}

/** Visits all ids of a source that end in this period, one id range at a time. */
function eachId(
  { database, statements }: ListingWriter,
  source: number,
  from: number,
  to: number,
  visit: (id: number) => void,
): void {
  const { last } = database.prepare('SELECT max(id) AS last FROM auction').get() as { last: number | null }
  for (let id = 0; id <= (last ?? -1); id += ID_RANGE) {
    const { ids } = statements.ids.get(source, from, to, id, id + ID_RANGE) as { ids: string | null }
    eachNumber(ids, visit)
  }
}

export function inBatches(
  writer: ListingWriter,
  source: number,
  ids: readonly number[],
  run: (ids: readonly number[]) => void,
): void {
  for (let from = 0; from < ids.length; from += WRITE_BATCH) {
    withLease(writer, source, () => run(ids.slice(from, from + WRITE_BATCH)))
    writer.at('step')
  }
}
