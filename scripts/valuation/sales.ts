import { parseCsv } from '../../src/kernel/csv.ts'
import type { Market, SaleContext } from '../../src/valuation/context.ts'
import type { Name } from '../../src/valuation/sight.ts'

export type Sale = {
  readonly domain: string
  readonly name: Name
  readonly price: number
  readonly logPrice: number
  readonly context: SaleContext
  /** A day, a year or a range of years, as in the file. */
  readonly date: string
}

const MARKETS: Record<string, Market> = { auction: 'auction', retail: 'retail', dnj: 'reported', top: 'top' }

/**
 * Parses a CSV with the columns `domain` and `price_usd`, and optionally `date`, `venue` and `context`. Columns about the
 * sampling of the rows are ignored, because they reveal the price.
 */
export function readSales(text: string): { readonly sales: Sale[]; readonly rejected: number } {
  const [header, ...rows] = Array.from(parseCsv(text), ({ fields }) => fields)
  const columns = new Map(header?.map((column, at) => [column.trim().toLowerCase(), at]))
  if (!columns.has('domain') || !columns.has('price_usd'))
    throw new Error('The CSV file needs the columns domain and price_usd.')
  const sales: Sale[] = []
  for (const row of rows) {
    const cell = (column: string) => row[columns.get(column) ?? -1]?.trim() ?? ''
    const sale = saleOf(cell)
    if (sale !== null) sales.push(sale)
  }
  return { sales, rejected: rows.length - sales.length }
}

function saleOf(cell: (column: string) => string): Sale | null {
  const domain = cell('domain').toLowerCase()
  const price = Number(cell('price_usd'))
  const [, label, tld] = /^([^.]+)\.(.+)$/.exec(domain) ?? []
  if (label === undefined || tld === undefined || !(price > 0) || !Number.isFinite(price)) return null
  return {
    domain,
    name: { label, tld },
    price,
    logPrice: Math.log(price),
    date: cell('date'),
    context: {
      market: MARKETS[cell('context')] ?? 'other',
      venue: cell('venue') === '' ? null : cell('venue').toLowerCase(),
      year: yearOf(cell('date')),
    },
  }
}

/** `2019-07-02` → 2019.5; for a year or a range of years the middle. */
export function yearOf(date: string): number | null {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  if (day) return Math.round((Number(day[1]) + (Number(day[2]) - 1 + (Number(day[3]) - 1) / 31) / 12) * 100) / 100
  const span = /^(\d{4})(?:\.\.(\d{4}))?$/.exec(date)
  return span ? (Number(span[1]) + Number(span[2] ?? span[1]) + 1) / 2 : null
}
