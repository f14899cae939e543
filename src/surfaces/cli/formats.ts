import type { Answer, Cell } from './rows.ts'

/** The whole answer. Control characters that JSON itself lets pass are escaped, so that a terminal never sees one. */
export const toJson = (body: unknown, indent: number): string => `${safeJson(body, indent)}\n`

/** One row of the main table a line, or the whole answer on one line where it has no table. */
export const toNdjson = (body: unknown, { items }: Answer): string =>
  (items ?? [body]).map((item) => `${safeJson(item, 0)}\n`).join('')

const safeJson = (body: unknown, indent: number): string =>
  JSON.stringify(body, null, indent).replaceAll(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (character) =>
    /[\u200c\u200d]/.test(character)
      ? character
      : Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/**
 * The main table after RFC 4180, with a header line; the fields themselves where the answer has no table.
 *
 * Spreadsheets run a text that starts like a formula. Such a text gets an apostrophe in front, which they show as
 * text; who reads the file with a program and needs every byte takes JSON. Numbers are never changed. Line breaks
 * become LF inside a cell and control characters U+FFFD, because a CSV may be looked at in a terminal too.
 */
export function toCsv({ tables, fields }: Answer): string {
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
