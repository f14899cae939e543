// Checks a list: rows arrive one by one, and are filtered, sorted and saved as CSV here.
import { announce, element, stateWord } from './dom.js'
import { CSV_HEADER, csvLine, matches, rowOf, sortRows, STATES } from './list-rows.js'
import { count, drawRows, lookOf } from './list-table.js'
import { expandNames, listProblem, parseNames } from './name-list.js'

/** A CSV with 10,000 domains and some columns is far smaller. */
const MAX_FILE_BYTES = 10 * 1024 * 1024
/** More rows at once would make the page slow; a button shows the next ones. */
const ROWS_PER_STEP = 500
/** Above this, a browser takes seconds to paste line by line. */
const MIN_FAST_PASTE_CHARACTERS = 20_000
/** How often rows are drawn while they arrive. */
const DRAW_INTERVAL_MS = 250

/** What the page shows. `rows` are by domain: an answer to a second question replaces the first. */
const list = { rows: new Map(), typed: new Map(), total: 0, repeats: 0, limit: ROWS_PER_STEP, isRunning: false }
/** @type {AbortController | undefined} */
let running
/** @type {ReturnType<typeof setTimeout> | undefined} */
let drawing

export function checkLists() {
  const form = document.getElementById('list')
  const file = document.getElementById('file')
  if (!(form instanceof HTMLFormElement) || !(file instanceof HTMLInputElement)) return
  const { names, state, sort } = form.elements
  applyAddress(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const wantsCsv = event.submitter?.getAttribute('value') === 'csv'
    void submit(form, wantsCsv)
  })
  for (const control of [state, sort])
    control.addEventListener('change', () => {
      history.pushState(null, '', addressOf(form))
      list.limit = ROWS_PER_STEP
      draw()
    })
  addEventListener('popstate', () => {
    applyAddress(form)
    draw()
  })
  file.addEventListener('change', () => file.files?.[0] && void takeFile(file.files[0], names))
  names.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text') ?? ''
    if (text.length < MIN_FAST_PASTE_CHARACTERS) return
    event.preventDefault()
    names.setRangeText(text, names.selectionStart, names.selectionEnd, 'end')
  })
  form.addEventListener('dragover', (event) => event.preventDefault())
  form.addEventListener('drop', (event) => {
    const dropped = event.dataTransfer?.files[0]
    // Text that is dropped goes into the field by itself.
    if (!dropped) return
    event.preventDefault()
    void takeFile(dropped, names)
  })
}

const problemOf = () => document.getElementById('problem')

/** @param {string} [text] */
function complain(text) {
  problemOf()?.replaceChildren(...(text === undefined ? [] : [stateWord('bad', 'not checked'), ` ${text}`]))
}

function applyAddress(form) {
  const parameters = new URLSearchParams(location.search)
  for (const name of ['state', 'sort']) {
    form.elements[name].value = parameters.get(name) ?? ''
    if (form.elements[name].selectedIndex < 0) form.elements[name].value = ''
  }
}

function addressOf(form) {
  const chosen = ['set', 'state', 'sort'].map((name) => [name, form.elements[name].value])
  const parameters = new URLSearchParams(
    chosen.filter(([name, value]) => value !== '' && (name !== 'set' || value !== 'com')),
  )
  return parameters.size === 0 ? '/bulk' : `/bulk?${parameters}`
}

/** Reads a file into the field. A file that is too large is refused before it is read. @param {File} file */
async function takeFile(file, field) {
  if (file.size > MAX_FILE_BYTES) {
    const megabytes = Math.round(file.size / 1024 / 1024)
    return complain(
      `${file.name} has ${count(megabytes)} MB; a list of 10,000 names has less than ${MAX_FILE_BYTES / 1024 / 1024} MB.`,
    )
  }
  const text = await file.text()
  if (text.includes('\0')) return complain(`${file.name} is not a text file. Save the list as CSV or as plain text.`)
  const { names, repeats } = parseNames(text)
  if (names.length === 0) return complain(`${file.name} has no names in it.`)
  field.value = names.map(({ name }) => name).join('\n')
  complain()
  announce(
    `${count(names.length)} names from ${file.name}${repeats === 0 ? '' : `, ${count(repeats)} repeats left out`}`,
  )
}

async function submit(form, wantsCsv) {
  const { names: field, set } = form.elements
  const { names, repeats } = parseNames(field.value)
  const { domains, typed } = expandNames(names, set.selectedOptions[0].dataset.tlds.split(','))
  const problem = listProblem(domains, names.length)
  if (problem !== undefined) return complain(problem)
  complain()
  Object.assign(list, { rows: new Map(), typed, total: domains.length, repeats, limit: ROWS_PER_STEP })
  history.replaceState(null, '', addressOf(form))
  if ((await run(domains)) && wantsCsv) saveCsv()
}

/** Asks about the domains. True if all were answered. @param {readonly string[]} domains */
async function run(domains) {
  running?.abort()
  const own = new AbortController()
  running = own
  list.isRunning = true
  draw()
  let problem
  try {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/x-ndjson' }
    const body = JSON.stringify({ domains })
    const answer = await fetch('/v1/check/bulk', { method: 'POST', headers, body, signal: own.signal })
    if (!answer.ok) throw new Error((await answer.json()).message ?? answer.statusText)
    let isWhole = false
    for await (const line of linesOf(answer.body)) {
      if (line.summary) isWhole = true
      else if (line.domain !== undefined) addRow(rowOf(line, list.typed))
    }
    if (!isWhole) problem = 'The connection ended before all were answered.'
  } catch (error) {
    if (own.signal.aborted) return false
    problem = error instanceof TypeError ? 'The service cannot be reached.' : error.message
  }
  list.isRunning = false
  draw()
  complain(problem)
  announce(`${count(list.rows.size)} of ${count(list.total)} domains answered`)
  return problem === undefined
}

function addRow(row) {
  list.rows.set(row.key, row)
  drawing ??= setTimeout(draw, DRAW_INTERVAL_MS)
}

/** The objects of an NDJSON stream. */
async function* linesOf(body) {
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
}

function draw() {
  clearTimeout(drawing)
  drawing = undefined
  const results = document.getElementById('results')
  if (!results || list.total === 0) return
  const card = results.querySelector('.live') ?? createCard(results)
  const rows = [...list.rows.values()]
  const { state, sort } = document.getElementById('list').elements
  const shown = sortRows(
    rows.filter((row) => matches(row, state.value)),
    sort.value,
  )
  const counts = STATES.map((name) => ({ name, number: rows.filter((row) => row.state === name).length }))
  const isDone = !list.isRunning
  card.querySelector('h2').textContent = `${count(rows.length)} of ${count(list.total)}`
  card.querySelector('header .q').textContent = list.isRunning
    ? 'Asking…'
    : list.repeats === 0
      ? ''
      : `${count(list.repeats)} repeated, checked once`
  drawProgress(card.querySelector('svg'), counts)
  card
    .querySelector('.counts')
    .replaceChildren(...counts.map(({ name, number }) => stateWord(lookOf(name), `${count(number)} ${name}`)))
  drawRows(card.querySelector('tbody'), shown.slice(0, list.limit))
  const none = card.querySelector('.none')
  none.hidden = shown.length > 0
  none.textContent = rows.length === 0 ? 'No answer yet.' : `None of these domains is ${state.value}.`
  card.querySelector('[data-do="more"]').hidden = shown.length <= list.limit
  card.querySelector('[data-do="csv"]').hidden = rows.length === 0
  const unknown = counts.find(({ name }) => name === 'unknown').number
  const missing = list.total - rows.length
  const again = card.querySelector('[data-do="again"]')
  again.hidden = !isDone || unknown + missing === 0
  again.textContent = `Ask the ${count(unknown + missing)} unknown again`
  card.querySelector('[data-do="stop"]').hidden = isDone
  document.title = `Bulk: ${count(rows.length)} of ${count(list.total)} answered`
}

const ACTIONS = {
  csv: saveCsv,
  stop() {
    running?.abort()
    list.isRunning = false
    draw()
  },
  more() {
    list.limit += ROWS_PER_STEP
    draw()
  },
  again() {
    const known = new Set([...list.rows.values()].filter(({ state }) => state !== 'unknown').map(({ key }) => key))
    void run([...list.typed.keys()].filter((key) => !known.has(key)))
  },
}

function createCard(results) {
  const button = (action, text, look = 'btn alt') =>
    element('button', { class: look, type: 'button', 'data-do': action, hidden: true }, text)
  const heads = ['Line', 'State', 'Name', 'Note'].map((text) =>
    element('th', { scope: 'col', class: text === 'Line' && 'num' }, text),
  )
  const card = element(
    'section',
    { class: 'card wide live' },
    element('header', {}, element('h2'), element('span', { class: 'q' })),
    element('svg', { class: 'progress', viewBox: '0 0 1000 8', preserveAspectRatio: 'none', role: 'img' }),
    element('p', { class: 'counts' }),
    element(
      'p',
      { class: 'row acts noprint' },
      button('stop', 'Stop'),
      button('csv', 'Save as CSV'),
      button('again', ''),
    ),
    element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Results' },
      element('table', { class: 'rows' }, element('thead', {}, element('tr', {}, ...heads)), element('tbody')),
    ),
    element('p', { class: 'none' }),
    element('p', { class: 'row noprint' }, button('more', `Show ${ROWS_PER_STEP} more`)),
    element(
      'p',
      { class: 'src' },
      element('code', {}, 'POST /v1/check/bulk'),
      ' · one line an answer · every 20 domains count as one request',
    ),
  )
  card.addEventListener('click', (event) => {
    const action = event.target instanceof Element && event.target.closest('[data-do]')
    if (action instanceof HTMLElement) ACTIONS[action.dataset.do]()
  })
  results.replaceChildren(card)
  return card
}

/** Each state has its share of the width, in the order of the counts. */
function drawProgress(svg, counts) {
  let from = 0
  const parts = counts.map(({ name, number }) => {
    const to = from + (number / list.total) * 1000
    const part = element('path', { class: `bit ${lookOf(name)}`, d: `M${from.toFixed(1)} 4H${to.toFixed(1)}` })
    from = to
    return part
  })
  svg.replaceChildren(element('path', { class: 'bit rest', d: 'M0 4H1000' }), ...parts)
  svg.setAttribute('aria-label', counts.map(({ name, number }) => `${count(number)} ${name}`).join(', '))
}

/** The rows as they are shown: filtered and sorted. */
function saveCsv() {
  const { state, sort } = document.getElementById('list').elements
  const rows = sortRows(
    [...list.rows.values()].filter((row) => matches(row, state.value)),
    sort.value,
  )
  const url = URL.createObjectURL(new Blob([CSV_HEADER, ...rows.map(csvLine)], { type: 'text/csv' }))
  const link = element('a', { href: url, download: 'onoma.csv' })
  link.click()
  // The download has begun with the click.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
