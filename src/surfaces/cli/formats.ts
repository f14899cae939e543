import type { TabularResult, Cell } from './rows.ts'

/** The whole result. Control characters that JSON allows are escaped, so that none reaches a terminal. */
export const toJson = (body: unknown, indent: number): string => `${safeJson(body, indent)}\n`

/** One line per row of the main table; without a table the whole result on one line. */
export const toNdjson = (body: unknown, { items }: TabularResult): string =>
  (items ?? [body]).map((item) => `${safeJson(item, 0)}\n`).join('')

const safeJson = (body: unknown, indent: number): string =>
  JSON.stringify(body, null, indent).replaceAll(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (character) =>
    /[\u200c\u200d]/.test(character)
      ? character
      : Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/**
 * The main table as CSV (RFC 4180) with a header line; without a table, the fields.
 *
 * Spreadsheets execute text that starts like a formula, so such text is prefixed with an apostrophe; use JSON for exact
 * values. Numbers are never changed. Inside a cell line breaks become LF, and control characters U+FFFD, because a CSV may
 * be printed on a terminal.
 */
export function toCsv({ tables, fields }: TabularResult): string {
  const { columns, rows } = tables[0] ?? { columns: [...fields.keys()], rows: [fields] }
  const lines = [columns.map(csvCell), ...rows.map((row) => columns.map((column) => csvCell(row.get(column) ?? null)))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function csvCell(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = value
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '\ufffd')
  const isNumber = /^[+-]?\d+(\.\d+)?$/.test(text)
  const guarded = !isNumber && /^(\s*[=+\-@＝＋－＠]|[\t\n])/.test(text) ? `'${text}` : text
  return /[",\n]/.test(guarded) || guarded !== guarded.trim() ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
