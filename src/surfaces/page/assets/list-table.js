// The table of a checked list. Rows that stay where they are, are not touched: drawing all of them for each answer would
// keep the browser busy for as long as a list is checked.
import { element, stateWord } from './dom.js'

export const count = (number) => number.toLocaleString('en')
export const lookOf = (state) => (state === 'invalid' ? 'bad' : state)

/** The element of each row that was drawn. @type {WeakMap<object, HTMLTableRowElement>} */
const elements = new WeakMap()

/** Shows these rows in this order. @param {HTMLTableSectionElement} body @param {readonly object[]} rows */
export function drawRows(body, rows) {
  const wanted = rows.map(elementOf)
  const firstChange = wanted.findIndex((row, at) => body.rows[at] !== row)
  const kept = firstChange < 0 ? wanted.length : firstChange
  while (body.rows.length > kept) body.lastElementChild?.remove()
  body.append(...wanted.slice(kept))
}

function elementOf(row) {
  const known = elements.get(row)
  if (known) return known
  const { line, state, name, domain, note } = row
  const shown = state === 'invalid' ? name : element('a', { href: `/d/${encodeURIComponent(domain)}` }, name)
  const made = element(
    'tr',
    {},
    element('td', { class: 'num q' }, line === 0 ? '' : count(line)),
    element('td', {}, stateWord(lookOf(state), state)),
    element('th', { scope: 'row' }, element('bdi', {}, shown)),
    element('td', { class: 'q' }, note),
  )
  elements.set(row, made)
  return made
}
