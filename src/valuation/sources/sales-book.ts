import type { DatabaseSync } from 'node:sqlite'
import type { Likeness, Sale, SalesBook } from '../sales-book.ts'
import { identityOf } from '../../kernel/damaged-file.ts'
import { openToRead, salesFile, unusable } from './sales-file.ts'
import { keysOf } from './sales-keys.ts'

type Needs = {
  /** Folder of the file written by `onoma sales import`, which may not exist. */
  readonly folder: string
  /** Sales available without an import. */
  readonly starter: readonly Sale[]
  /** Called once for each reason why the file cannot be used; the starter set is used then. */
  readonly onTrouble: (error: Error) => void
}

/** Maximum number of sales per shared trait, of the same TLD and of others. */
const QUOTAS = {
  pairs: { same: 40, other: 10 },
  words: { same: 40, other: 15 },
  trade: { same: 40, other: 10 },
  shape: { same: 20, other: 0 },
} as const
const MAX_SALES_OF_LABEL = 20
/** Names that differ more in length are never similar (see comparables.ts). */
const MAX_LENGTH_DIFFERENCE = 8

/** The bundled sales and those of the file, which may appear, grow or be replaced at any time. */
export function openSalesBook({ folder, starter, onTrouble }: Needs): SalesBook {
  const path = salesFile(folder)
  let open: { readonly identity: string; readonly db: DatabaseSync; readonly find: Finder } | undefined
  let told = ''
  let problem: string | null = null

  function close(): void {
    if (open?.db.isOpen) open.db.close()
    open = undefined
  }

  function finder(): Finder | null {
    const identity = identityOf(path)
    if (open?.identity === identity) return open?.find ?? null
    close()
    const db = identity === null ? null : openToRead(path)
    if (identity === null || db === null) return null
    open = { identity, db, find: createFinder(db) }
    return open.find
  }

  return {
    like(name) {
      try {
        const found = [...(finder()?.(name) ?? []), ...starter]
        problem = null
        return found
      } catch (cause) {
        close()
        const error = unusable(path, cause)
        if (told !== error.message) onTrouble(error)
        told = error.message
        problem = error.reason
        return starter
      }
    },
    problem: () => problem,
    close,
  }
}

type Finder = (name: Likeness) => Iterable<Sale>

type Row = {
  readonly id: number
  readonly domain: string
  readonly date: string
  readonly tld: string
  readonly price: number
  readonly source: string
  readonly words: string
  readonly category: string | null
}

const COLUMNS = 'sale.id, domain, sale.date, sale.tld, price, source, words, category'
const MARKED = `SELECT ${COLUMNS} FROM mark JOIN sale ON sale.id = mark.sale WHERE key = ?`

function createFinder(db: DatabaseSync): Finder {
  const sameLabel = db.prepare(
    `SELECT ${COLUMNS} FROM sale WHERE domain > ? AND domain < ? LIMIT ${MAX_SALES_OF_LABEL}`,
  )
  const nearby = db.prepare(`${MARKED} AND mark.tld = ? AND mark.length BETWEEN ? AND ? LIMIT ?`)
  const sameLength = db.prepare(`${MARKED} AND mark.tld = ? AND mark.length = ? ORDER BY mark.date DESC LIMIT ?`)
  const before = db.prepare(`${MARKED} AND mark.tld < ? LIMIT ?`)
  const after = db.prepare(`${MARKED} AND mark.tld > ? LIMIT ?`)

  return (name) => {
    const found = new Map<number, Sale>()
    const take = (rows: readonly unknown[]) => {
      for (const row of rows as readonly Row[]) if (!found.has(row.id)) found.set(row.id, saleOf(row))
      return rows.length
    }
    const { label, tld } = name
    const takeNearest = (key: string, most: number) => {
      const [least, longest] = [label.length - MAX_LENGTH_DIFFERENCE, label.length + MAX_LENGTH_DIFFERENCE]
      // Most keys match only a few sales, which one query returns.
      const rows = nearby.all(key, tld, least, longest, most + 1)
      if (rows.length <= most) return void take(rows)
      let left = most
      for (const length of lengthsNear(label.length)) {
        if (left > 0) left -= take(sameLength.all(key, tld, length, left))
      }
    }
    // `/` is the character after the dot, so the range holds everything that begins with the label and a dot.
    take(sameLabel.all(`${label}.`, `${label}/`))
    const keys = keysOf(name)
    for (const kind of ['pairs', 'words', 'trade', 'shape'] as const) {
      const { same, other } = QUOTAS[kind]
      for (const key of keys[kind]) {
        takeNearest(key, same)
        if (other === 0) continue
        take(before.all(key, tld, other))
        take(after.all(key, tld, other))
      }
    }
    return found.values()
  }
}

/** 7, 6, 8, 5, 9 … */
function lengthsNear(length: number): number[] {
  const lengths = [length]
  for (let away = 1; away <= MAX_LENGTH_DIFFERENCE; away++) {
    if (length - away > 0) lengths.push(length - away)
    lengths.push(length + away)
  }
  return lengths
}

const saleOf = ({ domain, date, tld, price, source, words, category }: Row): Sale => ({
  domain,
  label: domain.slice(0, -tld.length - 1),
  tld,
  price,
  date,
  source,
  words: words === '' ? [] : words.split(' '),
  category,
})
