import type { DatabaseSync } from 'node:sqlite'
import { charMask, createNameBytes, type NameBytes, pairMask } from './name-bytes.ts'

/**
 * The columns used for filters and sorting, in memory: 44 bytes per auction, plus the names. A full scan of a million
 * takes a few milliseconds for any filter, so every total is exact; a database index would speed up one combination of
 * filters only. Rows are sorted by id, and ids only grow.
 */
export type Columns = Record<(typeof NAMES)[number], Uint32Array> & { size: number }

/** Offset of the name in the name bytes, and its bit masks. */
const NAME_COLUMNS = ['nameAt', 'chars', 'pairs'] as const
const NAMES = ['id', 'ends', 'price', 'newest', 'bids', 'tld', 'quality', 'source', ...NAME_COLUMNS] as const

type Row = [
  id: number,
  seq: number,
  source: number,
  ends: number,
  price: number,
  bids: number,
  quality: number,
  newest: number,
  tld: number,
  name: string,
]
const FIELDS = 'id, seq, source, ends, price, bids, quality, newest, tld, name'

/** Auctions that ended longer ago are dropped from memory; the database removes them, too. */
const RETENTION_SECONDS = 2 * 86_400

export type LoadedColumns = {
  readonly columns: Columns
  readonly names: NameBytes
  /** Loads what was committed since the last call; false if nothing was. Cheap in that case. */
  refresh(now: number): boolean
  reload(): void
  /** Position of an id, or -1. The search starts at `from`. */
  find(id: number, from?: number): number
}

export function loadColumns(database: DatabaseSync): LoadedColumns {
  const all = database.prepare(`SELECT ${FIELDS} FROM auction ORDER BY id`)
  // Without INDEXED BY the planner scans all rows to avoid sorting a few.
  const news = database.prepare(`SELECT ${FIELDS} FROM auction INDEXED BY auction_news WHERE seq > ? ORDER BY id`)
  const version = database.prepare('PRAGMA data_version')
  for (const statement of [all, news]) statement.setReturnArrays(true)
  let columns = empty(1024)
  const names = createNameBytes()
  let lastSeq = 0
  let lastVersion = -1
  let compactAt = 0

  const versionNow = () => (version.get() as { data_version: number }).data_version

  function find(id: number, from = 0): number {
    let low = from
    let high = columns.size - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const current = columns.id[middle]!
      if (current === id) return middle
      if (current < id) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  /** False if an old id is missing. */
  function store(row: Row): boolean {
    const [id, seq] = row
    if (seq > lastSeq) lastSeq = seq
    const isNew = columns.size === 0 || id > columns.id[columns.size - 1]!
    const at = isNew ? columns.size++ : find(id)
    if (at === -1) return false
    if (isNew && at === columns.id.length) columns = resized(columns, Math.ceil(at * 1.25))
    set(columns, at, row)
    setName(row[9], at, isNew)
    return true
  }

  function setName(name: string, at: number, isNew: boolean): void {
    // Most changes are price changes: an unchanged name is not written again.
    if (!isNew && names.isAt(columns.nameAt[at]!, name)) return
    columns.nameAt[at] = names.add(name)
    columns.chars[at] = charMask(name)
    columns.pairs[at] = pairMask(name)
  }

  function reload(): void {
    const before = versionNow()
    columns.size = 0
    names.clear()
    lastSeq = 0
    for (const row of all.iterate() as Iterable<unknown>) store(row as Row)
    // Release spare memory: every worker may hold its own columns.
    if (columns.id.length > 1024 + columns.size * 1.3) columns = resized(columns, Math.ceil(columns.size * 1.1) + 1024)
    compactAt = columns.size * 1.25 + 10_000
    lastVersion = before
  }

  reload()
  return {
    get columns() {
      return columns
    },
    names,
    refresh(now) {
      const current = versionNow()
      if (current === lastVersion) return false
      const since = lastSeq
      let isWhole = true
      for (const row of news.iterate(since) as Iterable<unknown>) isWhole = store(row as Row) && isWhole
      lastVersion = current
      if (!isWhole) reload()
      else if (columns.size > compactAt) {
        compact(columns, now - RETENTION_SECONDS)
        names.keepOnly(columns.nameAt, columns.size)
        compactAt = columns.size * 1.25 + 10_000
      }
      return true
    },
    reload,
    find,
  }
}

function set(columns: Columns, at: number, row: Row): void {
  columns.id[at] = row[0]
  columns.source[at] = row[2]
  columns.ends[at] = row[3]
  columns.price[at] = row[4]
  columns.bids[at] = row[5]
  columns.quality[at] = row[6]
  columns.newest[at] = row[7]
  columns.tld[at] = row[8]
}

/** All Uint32Array, even where less would do: the loops stay monomorphic and fast. */
const empty = (capacity: number): Columns => ({
  ...(Object.fromEntries(NAMES.map((name) => [name, new Uint32Array(capacity)])) as Omit<Columns, 'size'>),
  size: 0,
})

function resized(columns: Columns, capacity: number): Columns {
  const larger = empty(capacity)
  larger.size = columns.size
  for (const name of NAMES) larger[name].set(columns[name].subarray(0, Math.min(columns.size, capacity)))
  return larger
}

function compact(columns: Columns, before: number): void {
  let to = 0
  for (let at = 0; at < columns.size; at++) {
    if (columns.ends[at]! < before) continue
    if (to !== at) for (const name of NAMES) columns[name][to] = columns[name][at]!
    to++
  }
  columns.size = to
}
