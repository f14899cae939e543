import type { DatabaseSync } from 'node:sqlite'
import type { Likeness, Sale, SalesBook } from '../sales-book.ts'
import { identityOf, openToRead, salesFile, unusable } from './sales-file.ts'
import { keysOf } from './sales-keys.ts'

type Needs = {
  /** Where `onoma sales import` keeps the file; there need not be one. */
  readonly folder: string
  /** Sales that are known without any import. */
  readonly starter: readonly Sale[]
  /** Told once for every reason the file cannot be used; the starter set is still there then. */
  readonly onTrouble: (error: Error) => void
}

/** Maximum number of sales per shared trait, of the same TLD and of others. */
const QUOTAS = {
  pairs: { same: 40, other: 10 },
  words: { same: 40, other: 15 },
  trade: { same: 40, other: 10 },
  shape: { same: 20, other: 0 },
} as const
const MOST_OF_LABEL = 20
/** Lengths further away than this say that two names have nothing in common (see comparables.ts). */
const FARTHEST_LENGTH = 8

/** The sales of the file, which may appear, grow or be replaced at any time, over those that come with the project. */
export function openSalesBook({ folder, starter, onTrouble }: Needs): SalesBook {
  const path = salesFile(folder)
  let open: { readonly identity: string; readonly db: DatabaseSync; readonly find: Finder } | undefined
  let told = ''

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
        return [...(finder()?.(name) ?? []), ...starter]
      } catch (cause) {
        close()
        const error = unusable(path, cause)
        if (told !== error.message) onTrouble(error)
        told = error.message
        return starter
      }
    },
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
  const sameLabel = db.prepare(`SELECT ${COLUMNS} FROM sale WHERE domain > ? AND domain < ? LIMIT ${MOST_OF_LABEL}`)
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
      const [least, longest] = [label.length - FARTHEST_LENGTH, label.length + FARTHEST_LENGTH]
      // Most things are shared with a few sales only, and one question has them all.
      const rows = nearby.all(key, tld, least, longest, most + 1)
      if (rows.length <= most) return void take(rows)
      let left = most
      for (const length of lengthsNear(label.length)) {
        if (left > 0) left -= take(sameLength.all(key, tld, length, left))
      }
    }
    // The sign after the dot: everything that begins with the label and a dot lies between.
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
  for (let away = 1; away <= FARTHEST_LENGTH; away++) {
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
