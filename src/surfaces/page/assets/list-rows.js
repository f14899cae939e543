// Rows of a checked list: in the browser and, for pages without a script, on the server.
import { asciiDomain } from './name-list.js'

/** In the order in which they are sorted. */
export const STATES = ['free', 'unknown', 'reserved', 'taken', 'invalid']
export const SORTS = ['answered', 'line', 'name', 'state']

const VERDICTS = { available: 'free', registered: 'taken', reserved: 'reserved' }
const REASONS = {
  timeout: 'no reply in time',
  rate_limited: 'the registry asks us to wait',
  upstream_error: 'the registry does not answer',
}

/**
 * A line of the answer as a row. `typed` has what was typed, by the domain as the service writes it.
 * @param {any} result
 * @param {ReadonlyMap<string, { name: string, line: number }>} typed
 */
export function rowOf(result, typed) {
  const { domain, status, error, message, premium } = result
  const key = typed.has(domain) ? domain : asciiDomain(domain)
  const { name, line } = typed.get(key) ?? { name: domain, line: 0 }
  if (!status) return { key, line, name, domain, state: 'invalid', note: message ?? 'not a domain' }
  const state = VERDICTS[status[0]] ?? 'unknown'
  const notes = [
    state === 'unknown' && (REASONS[error] ?? 'no source could tell'),
    state === 'reserved' && 'by the registry',
    state === 'free' && premium && 'at a premium price',
    name !== domain && name.toLowerCase() !== domain && domain,
  ]
  return { key, line, name, domain, state, note: notes.filter(Boolean).join(', ') }
}

/** Whether a row is shown; without a state, all are. */
export const matches = (row, state) => !STATES.includes(state) || row.state === state

/** A sorted copy. By default rows stay in the order in which the answers came. */
export function sortRows(rows, sort) {
  const byLine = (a, b) => a.line - b.line
  const compare = {
    line: byLine,
    name: (a, b) => (a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0),
    state: (a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || byLine(a, b),
  }[sort]
  return compare ? rows.toSorted(compare) : [...rows]
}

export const CSV_HEADER = 'line,name,domain,state,note\r\n'

export const csvLine = ({ line, name, domain, state, note }) =>
  `${[line, name, domain, state, note].map(csvCell).join(',')}\r\n`

/** Spreadsheets execute text that starts like a formula, so such text gets an apostrophe before it. @param {unknown} value */
export function csvCell(value) {
  if (typeof value !== 'string') return String(value)
  const text = value
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '\uFFFD')
  const isNumber = /^[+-]?\d+(\.\d+)?$/.test(text)
  const guarded = !isNumber && /^(\s*[=+\-@＝＋－＠]|[\t\n])/.test(text) ? `'${text}` : text
  return /[",\n]/.test(guarded) || guarded !== guarded.trim() ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
