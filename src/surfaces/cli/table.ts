import type { TabularResult, Cell, Row, Table } from './rows.ts'
import { fit, neutralise, padEnd, padStart, width, wrap } from './text.ts'

export type Style = (style: 'bold' | 'dim', text: string) => string
export type Screen = { readonly columns: number; readonly style: Style }

const GAP = '  '
/** Narrower columns are unreadable. */
const MIN_COLUMN_WIDTH = 8

/** A table with at most this many rows that does not fit is shown row by row instead of truncated. */
const MAX_STACKED_ROWS = 3

/** Above a table, this many fields are wrapped instead of truncated. */
const MAX_WRAPPED_FIELDS = 2

/** A result for people: its fields, then its tables, fitted to the width of the screen. */
export function toHuman({ fields, tables }: TabularResult, screen: Screen): string {
  const shown = tables.filter(({ rows }, at) => at === 0 || rows.length > 0)
  // Many fields above a table are truncated to one line each, so that the table is seen.
  const fieldLines = shown.length > 0 && fields.size > MAX_WRAPPED_FIELDS ? truncate : wrap
  const parts = [
    ...(hasContent(fields) ? [renderFields(fields, screen, fieldLines)] : []),
    ...shown.map((table) => {
      const heading =
        shown.length > 1 && table.rows.length > 0 ? `${screen.style('dim', neutralise(table.name))}\n` : ''
      return heading + renderTable(table, screen)
    }),
  ]
  return parts.length === 0 ? 'no result\n' : parts.join('\n')
}

const truncate = (text: string, columns: number): string[] => [fit(text, columns)]

const cellText = (cell: Cell | undefined): string =>
  cell === undefined || cell === null
    ? ''
    : typeof cell === 'boolean'
      ? cell
        ? 'yes'
        : 'no'
      : neutralise(String(cell))

const hasContent = (row: Row): boolean => [...row.values()].some((cell) => cellText(cell) !== '')

/** One field per line. `names` are all names that may occur, for rows that must be aligned. */
function renderFields(row: Row, { columns, style }: Screen, toLines: typeof wrap, names?: readonly string[]): string {
  const lines = [...row].flatMap(([name, cell]): [string, string][] => {
    const text = cellText(cell)
    return text === '' ? [] : [[neutralise(name), text]]
  })
  const longest = Math.max(...(names ?? lines.map(([name]) => name)).map(width))
  const label = Math.min(longest, Math.max(MIN_COLUMN_WIDTH, Math.floor(columns / 2)))
  const valueWidth = Math.max(MIN_COLUMN_WIDTH, columns - label - GAP.length)
  const margin = ' '.repeat(label + GAP.length)
  return lines
    .map(([name, text]) => {
      const title = style('bold', padEnd(fit(name, label), label))
      return `${title}${GAP}${toLines(text, valueWidth).join(`\n${margin}`)}\n`
    })
    .join('')
}

function renderTable({ name, columns, rows }: Table, screen: Screen): string {
  if (rows.length === 0) return `no ${neutralise(name) || 'rows'}\n`
  const filled = columns
    .map((column) => toColumn(column, rows))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const widths = shrink(
    filled.map(({ natural }) => natural),
    screen.columns - GAP.length * (filled.length - 1),
  )
  const titles = filled.map(({ title }) => title)
  const isCut = !widths || filled.some(({ natural }, at) => widths[at]! < natural)
  if (!widths || (isCut && rows.length <= MAX_STACKED_ROWS)) {
    return rows
      .filter(hasContent)
      .map((row) => renderFields(row, screen, wrap, titles))
      .join('\n')
  }
  const line = (texts: readonly string[]) => `${texts.join(GAP).trimEnd()}\n`
  const header = line(
    filled.map(({ title, align }, at) => screen.style('bold', align(fit(title, widths[at]!), widths[at]!))),
  )
  return (
    header +
    rows
      .map((_, row) => line(filled.map(({ cells, align }, at) => align(fit(cells[row]!, widths[at]!), widths[at]!))))
      .join('')
  )
}

type Column = {
  readonly title: string
  readonly cells: readonly string[]
  readonly natural: number
  readonly align: typeof padEnd
}

function toColumn(name: string, rows: readonly Row[]): Column {
  const title = neutralise(name)
  const cells = rows.map((row) => cellText(row.get(name)))
  const natural = cells.reduce((widest, cell) => Math.max(widest, width(cell)), width(title))
  const isNumeric = rows.every((row) => typeof (row.get(name) ?? 0) === 'number')
  return { title, cells, natural, align: isNumeric ? padStart : padEnd }
}

/** Column widths that fit into `available`, shrinking the widest first; null if a column would be unreadable. */
function shrink(natural: readonly number[], available: number): number[] | null {
  const widths = natural.map((columns) => Math.min(columns, Math.max(available, 1)))
  const least = widths.reduce((sum, columns) => sum + Math.min(columns, MIN_COLUMN_WIDTH), 0)
  if (least > available) return null
  let excess = widths.reduce((sum, columns) => sum + columns, 0) - available
  for (; excess > 0; excess--) widths[widths.indexOf(Math.max(...widths))]! -= 1
  return widths
}
