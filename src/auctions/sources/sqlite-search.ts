import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SOURCE_IDS, type SourceId } from '../auction.ts'
import type { IndexedListing, ListingPage, ListingQuery, SourceState } from '../listing-index.ts'
import { loadColumns, type LoadedColumns } from './columns.ts'
import { domainPattern, matchDomains } from './match-domains.ts'
import type { IndexedSale } from '../sale-listing.ts'
import { createSaleFinder } from './sale-store.ts'
import { sourceNumber } from './schema.ts'
import { type Filter, select } from './select.ts'

export type Searcher = {
  search(query: ListingQuery): ListingPage
  findSales(domain: string): readonly IndexedSale[]
  /** Loads new rows ahead of the next search. */
  refresh(now: number): void
}

type Tld = { readonly id: number; readonly name: string }

const MAX_UINT32 = 0xffff_ffff

/** Searches the columns in memory and reads only the rows of the page from the database. */
export function createSearcher(database: DatabaseSync): Searcher {
  const loaded = loadColumns(database)
  const detail = database.prepare('SELECT updated, body FROM detail WHERE id = ?')
  const tlds = database.prepare('SELECT id, name FROM tld')
  const syncs = database.prepare('SELECT id, last_sync FROM source')
  const liveCounts = createLiveCounts(loaded)
  let buffer = new Uint32Array(0)
  let found = new Uint32Array(0)

  function growBuffer(size: number): void {
    if (buffer.length < size) buffer = new Uint32Array(Math.ceil(size * 1.2))
  }

  /** Null accepts all TLDs. */
  function tldsFor({ domain, tld: exact = domain?.slice(domain.indexOf('.') + 1) }: ListingQuery) {
    if (exact === undefined) return null
    const row = (tlds.all() as Tld[]).find(({ name }) => name === exact)
    if (!row) return 'none' as const
    const accepted = new Uint8Array(0x1_0000)
    accepted[row.id] = 1
    return accepted
  }

  function sourcesFor({ sources, now }: ListingQuery): Uint8Array | null {
    if (SOURCE_IDS.every((id) => sources.includes(id))) return null
    const accepted = new Uint8Array(SOURCE_IDS.length)
    for (const id of sources) accepted[sourceNumber(id)] = 1
    // Usually only one source is configured, and then nothing needs to be filtered.
    return liveCounts.at(now).every((count, at) => count === 0 || accepted[at] === 1) ? null : accepted
  }

  function createFilter(query: ListingQuery): Filter | null {
    const tlds = tldsFor(query)
    if (tlds === 'none') return null
    return {
      after: query.now,
      endsBy: query.endsBy ?? MAX_UINT32,
      minPrice: query.minPrice ?? 0,
      maxPrice: query.maxPrice ?? MAX_UINT32,
      minBids: query.minBids ?? 0,
      minQuality: query.minQuality ?? 0,
      sources: sourcesFor(query),
      tlds,
    }
  }

  /** Positions of all auctions whose domain contains the text. */
  function findPositions(text: string): Uint32Array {
    const { columns, names } = loaded
    if (found.length < columns.size) found = new Uint32Array(Math.ceil(columns.size * 1.2))
    const pattern = domainPattern(text, tlds.all() as Tld[])
    return found.subarray(0, matchDomains(columns, names.bytes, pattern, found))
  }

  /** Positions of all auctions whose name, the part before the first dot, is that of the domain; the TLD is filtered. */
  function findNamed(domain: string): Uint32Array {
    const { columns, names } = loaded
    const length = domain.indexOf('.')
    return findPositions(domain).filter((position) => names.bytes[columns.nameAt[position]!] === length)
  }

  function sourceStates(now: number): Record<SourceId, SourceState> {
    const rows = syncs.all() as { id: number; last_sync: number | null }[]
    const counts = liveCounts.at(now)
    const states = SOURCE_IDS.map((id) => {
      const number = sourceNumber(id)
      return [id, { lastSync: rows.find((row) => row.id === number)?.last_sync ?? null, count: counts[number]! }]
    })
    return Object.fromEntries(states) as Record<SourceId, SourceState>
  }

  /** Undefined if the query names no domain and no part of one. */
  function positionsFor({ domain, contains }: ListingQuery): Uint32Array | undefined {
    if (domain !== undefined) return findNamed(domain)
    return contains === undefined ? undefined : findPositions(contains)
  }

  function attempt(query: ListingQuery): { auctions: IndexedListing[] | null; total: number } {
    const filter = createFilter(query)
    const positions = filter ? positionsFor(query) : undefined
    growBuffer(positions ? positions.length : loaded.columns.size)
    if (!filter) return { auctions: [], total: 0 }
    const { total, page } = select(loaded.columns, filter, query, buffer, positions)
    return { auctions: loadRows(detail, loaded.columns.id, page), total }
  }

  const refresh = (now: number): void => {
    if (loaded.refresh(now)) liveCounts.clear()
  }

  return {
    refresh,
    findSales: createSaleFinder(database),
    search(query) {
      refresh(query.now)
      let { auctions, total } = attempt(query)
      if (!auctions) {
        // A reader that was idle for over a day missed deleted rows.
        loaded.reload()
        liveCounts.clear()
        ;({ auctions, total } = attempt(query))
      }
      return { auctions: auctions ?? [], total, sources: sourceStates(query.now) }
    },
  }
}

/** The number of live auctions of each source. */
function createLiveCounts(loaded: LoadedColumns) {
  let counted: { readonly second: number; readonly counts: Uint32Array } | undefined
  return {
    /** Cached per second: auctions end at whole seconds. */
    at(now: number): Uint32Array {
      if (counted?.second === now) return counted.counts
      const { ends, source, size } = loaded.columns
      const counts = new Uint32Array(SOURCE_IDS.length)
      for (let at = 0; at < size; at++) if (ends[at]! > now) counts[source[at]!]! += 1
      counted = { second: now, counts }
      return counts
    },
    /** Must be called when rows were loaded. */
    clear(): void {
      counted = undefined
    },
  }
}

/** The rows at these positions, or null if one was deleted. */
function loadRows(detail: StatementSync, ids: Uint32Array, positions: readonly number[]): IndexedListing[] | null {
  const rows: IndexedListing[] = []
  for (const position of positions) {
    const row = detail.get(ids[position]!) as { updated: number; body: string } | undefined
    if (!row) return null
    rows.push({ ...(JSON.parse(row.body) as Omit<IndexedListing, 'updatedAt'>), updatedAt: row.updated })
  }
  return rows
}
