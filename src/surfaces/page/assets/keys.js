import { announce, element } from './dom.js'

const KEYS = [
  ['/', 'go to the field'],
  ['← ↑ → ↓', 'move between tiles'],
  ['Enter', 'open the tile'],
  ['c', 'copy the name'],
  ['?', 'show these keys'],
  ['Esc', 'close this list'],
]
const TYPED_INTO = 'input, textarea, select, [contenteditable]'
const STEPS = { ArrowLeft: -1, ArrowRight: 1 }

export function listenForKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return
    // The element itself, also inside the shadow root of the page.
    const target = event.composedPath()[0]
    const at = target instanceof Element ? target : document.body
    if (at.closest(TYPED_INTO) || document.querySelector('dialog[open]')) return
    if (act(event.key, at)) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-keys]')) showKeys()
  })
}

/** Whether the key did something. @param {string} key @param {Element} at */
function act(key, at) {
  if (key === '/') return focusField()
  if (key === '?') return showKeys()
  if (key === 'c') return copyName(at)
  return key.startsWith('Arrow') && moveFrom(at, key)
}

function focusField() {
  const field = document.querySelector('input[name="q"]')
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.select()
  return true
}

/** The links of the tiles that are shown, in the order on the page. @returns {HTMLAnchorElement[]} */
function tileLinks() {
  const main = document.querySelector('main')
  const root = main?.shadowRoot
  const streamed = [...(root?.querySelectorAll('.tiles > slot') ?? [])].flatMap((slot) =>
    slot instanceof HTMLSlotElement ? slot.assignedElements({ flatten: true }) : [],
  )
  const tiles = [...streamed, ...document.querySelectorAll('ul.tiles > .tile')]
  return tiles.filter((tile) => tile.checkVisibility()).flatMap((tile) => [...tile.querySelectorAll('a')].slice(0, 1))
}

/** Left and right are the next tile, up and down the one above or below. @param {Element} at @param {string} key */
function moveFrom(at, key) {
  const links = tileLinks()
  const index = links.findIndex((link) => link === at)
  if (index < 0) {
    // Up and down scroll the page until a tile has the focus.
    if (key !== 'ArrowRight' || at !== document.body) return false
    links[0]?.focus()
    return links.length > 0
  }
  const next = key in STEPS ? links[index + STEPS[key]] : neighbour(links, index, key === 'ArrowDown' ? 1 : -1)
  next?.focus()
  return true
}

/** @param {HTMLAnchorElement[]} links @param {number} index @param {1 | -1} direction */
function neighbour(links, index, direction) {
  const boxes = links.map((link) => (link.closest('.tile') ?? link).getBoundingClientRect())
  const { left, top } = boxes[index]
  const candidates = links.map((_, at) => at).filter((at) => (boxes[at].top - top) * direction > 1)
  const distance = (/** @type {number} */ at) => Math.abs(boxes[at].top - top) * 1000 + Math.abs(boxes[at].left - left)
  return links[candidates.toSorted((a, b) => distance(a) - distance(b))[0] ?? -1]
}

/** Copies the domain of the tile or row that has the focus, else the name of the page. @param {Element} at */
function copyName(at) {
  const link = at.closest('.tile')?.querySelector('a') ?? (at instanceof HTMLAnchorElement ? at : null)
  const shown = link && /^\/[dn]\//.test(link.pathname) ? link : null
  const path = (shown?.pathname ?? location.pathname).split('/')
  if (path.length < 3) return false
  const name = decodeURIComponent(path[2])
  navigator.clipboard.writeText(name).then(
    () => announce(`Copied ${name}`),
    () => announce('The browser does not allow copying here.'),
  )
  return true
}

function showKeys() {
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'keys-title' },
    element('h2', { id: 'keys-title' }, 'Keys'),
    element(
      'dl',
      {},
      ...KEYS.flatMap(([key, use]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, use)]),
    ),
    element('form', { method: 'dialog' }, element('button', { class: 'btn alt' }, 'Close')),
  )
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return true
}
