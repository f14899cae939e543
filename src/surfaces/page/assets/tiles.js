// Filter and order of the tiles. The address is the state: the server gives the same page for it.

const ORDER_OF_STATES = ['free', 'sale', 'unknown', 'reserved', 'taken', 'wait']
const WORDS = { free: 'free', sale: 'for sale', taken: 'taken', reserved: 'reserved', unknown: 'unknown' }

/** Makes the links for filter and order work at once, without a request. */
export function filterTiles() {
  const root = document.getElementById('main')?.shadowRoot
  if (!root || !root.querySelector('[data-param]')) return
  root.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[data-param]')
    const isPlain = event instanceof MouseEvent && !(event.ctrlKey || event.metaKey || event.shiftKey)
    if (!(link instanceof HTMLAnchorElement) || link.dataset.param === 'set' || !isPlain) return
    event.preventDefault()
    history.pushState(null, '', link.href)
    show(root)
  })
  addEventListener('popstate', () => show(root))
  show(root)
}

/** @param {ShadowRoot} root */
function show(root) {
  const parameters = new URLSearchParams(location.search)
  const wanted = parameters.get('state') ?? ''
  const sort = parameters.get('sort') ?? ''
  const units = unitsIn(root)
  const ordered = units.toSorted((a, b) => compare(a, b, sort))
  // Moves nodes only if the order changes: a node that is moved loses the focus.
  if (ordered.some((unit, at) => unit !== units[at]))
    units[0].node.parentNode?.append(...ordered.map(({ node }) => node))
  let shown = 0
  for (const { node, state } of units) {
    node.hidden = wanted in WORDS && state !== wanted
    if (!node.hidden) shown++
  }
  const none = root.querySelector('.none') ?? document.querySelector('.none')
  if (none instanceof HTMLElement) {
    none.hidden = shown > 0
    none.textContent = `None of these domains is ${WORDS[wanted] ?? 'known'}.`
  }
  for (const link of root.querySelectorAll('a[data-param]')) update(link, parameters)
}

/** Each link changes one parameter and keeps the others. */
function update(link, parameters) {
  const { param, value } = link.dataset
  const own = new URLSearchParams(parameters)
  if (value === '') own.delete(param)
  else own.set(param, value)
  link.href = own.size === 0 ? location.pathname : `?${own}`
  if ((parameters.get(param) ?? '') === value) link.setAttribute('aria-current', 'true')
  else link.removeAttribute('aria-current')
}

/** What is moved and hidden: slots where tiles arrived one by one, the tiles themselves where they came together. */
function unitsIn(root) {
  const slots = [...root.querySelectorAll('.tiles > slot')]
  const nodes = slots.length > 0 ? slots : [...document.querySelectorAll('ul.tiles > .tile')]
  return nodes.map((node) => {
    const tiles = node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : [node]
    const tile = tiles.find(({ classList }) => classList.contains('sale')) ?? tiles[0]
    const state = ORDER_OF_STATES.find((name) => tile?.classList.contains(name)) ?? 'wait'
    return { node, state, at: Number(node.dataset.at), tld: node.dataset.tld }
  })
}

function compare(a, b, sort) {
  if (sort === 'state') {
    const difference = ORDER_OF_STATES.indexOf(a.state) - ORDER_OF_STATES.indexOf(b.state)
    if (difference !== 0) return difference
  }
  if (sort === 'length' && a.tld.length !== b.tld.length) return a.tld.length - b.tld.length
  return a.at - b.at
}
