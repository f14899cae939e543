// Renders what was bought. All text goes through text nodes: a page on the web can name itself `<script>`.
import { day, dollars, element, stateWord } from './dom.js'

const WIDTH = 600
const LEFT = 20
const RIGHT = 580
/** Bounds of the axis: one more half decade than the estimate on each side. */
const MARGIN = Math.log10(2)

/** @param {string} path @param {any} body @param {boolean} isCharged */
export function renderPurchase(path, body, isCharged) {
  const parts = path.startsWith('/v1/valuation/') ? valuation(body) : website(body)
  const receipt = isCharged ? 'paid' : 'nothing was charged'
  const source = element('p', { class: 'src' }, element('code', {}, `GET ${path}`), ` · ${receipt}`)
  return element('div', { class: 'bought', tabindex: '-1' }, ...parts, source)
}

function valuation({ estimate, confidence, factors, explanation, comparables = [] }) {
  const { low, mid, high } = estimate
  const trust = confidence > 0.7 ? 'reliable' : 'uncertain'
  return [
    element(
      'p',
      {},
      element('span', { class: 'big' }, dollars(mid)),
      element('span', { class: 'q' }, ` likely. Confidence ${confidence.toFixed(2)}: ${trust}.`),
    ),
    element('figure', {}, band(estimate, comparables)),
    element('p', {}, explanation ?? `Most likely between ${dollars(low)} and ${dollars(high)}.`),
    factors.length > 0 && element('p', { class: 'q' }, factors.map((name) => name.replaceAll('_', ' ')).join(', ')),
    comparables.length > 0 && sales(comparables),
  ]
}

/** The estimate and comparable sales on one logarithmic axis. */
function band({ low, mid, high }, comparables) {
  const prices = [low, mid, high, ...comparables.map((sale) => sale.sale_price)].map((price) => Math.max(price, 1))
  const from = Math.log10(Math.min(...prices)) - MARGIN
  const to = Math.log10(Math.max(...prices)) + MARGIN
  const x = (price) => (LEFT + ((Math.log10(Math.max(price, 1)) - from) / (to - from)) * (RIGHT - LEFT)).toFixed(1)
  const text = (price, y, look) =>
    element('text', { class: look, x: x(price), y, 'text-anchor': 'middle' }, dollars(price))
  const sold = comparables.map((sale) => dollars(sale.sale_price)).join(', ')
  const words = `From ${dollars(low)} to ${dollars(high)}, most likely ${dollars(mid)}.${sold && ` Comparable sales: ${sold}.`}`
  return element(
    'svg',
    { class: 'chart', viewBox: `0 0 ${WIDTH} 110`, role: 'img', 'aria-label': words },
    element('path', { class: 'grid', d: `M${LEFT} 76H${RIGHT}` }),
    element('path', { class: 'band', d: `M${x(low)} 56H${x(high)}` }),
    element('path', { class: 'likely', d: `M${x(mid)} 42V70` }),
    text(mid, 32, 'h'),
    text(low, 100, 'q'),
    text(high, 100, 'q'),
    ...comparables.map((sale) => element('circle', { class: 'sold', cx: x(sale.sale_price), cy: 76, r: 5 })),
  )
}

const sales = (comparables) =>
  element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Comparable sales' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, 'Comparable sale'),
          element('th', { scope: 'col' }, 'Date'),
          element('th', { scope: 'col', class: 'num' }, 'Price'),
        ),
      ),
      element(
        'tbody',
        {},
        ...comparables.map((sale) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, element('bdi', {}, sale.domain)),
            element('td', {}, day(sale.sale_date)),
            element('td', { class: 'num' }, dollars(sale.sale_price)),
          ),
        ),
      ),
    ),
  )

function website(body) {
  const { domain, available, parked, parked_confidence: confidence, parked_signals: signals = [], error } = body
  if (available) return [element('p', {}, 'Nobody holds the domain, so there is no page to look at.')]
  if (error)
    return [element('p', {}, stateWord('unknown', 'unknown'), ` No page was captured: ${error.replaceAll('_', ' ')}.`)]
  // The picture is ours: its path is enough, whatever the public address of the service is.
  const picture = body.screenshot_url && new URL(body.screenshot_url, location.href).pathname
  return [
    picture &&
      element(
        'figure',
        {},
        element('img', { class: 'shot', src: picture, alt: `Screenshot of ${domain}`, width: 1280, height: 800 }),
      ),
    element(
      'p',
      {},
      stateWord(parked ? 'sale' : 'taken', parked ? 'parked' : 'in use'),
      confidence === undefined
        ? null
        : element('span', { class: 'q' }, ` parked with probability ${confidence.toFixed(2)}. `),
      signals.map((name) => name.replaceAll('_', ' ')).join(', '),
    ),
    body.final_url &&
      element(
        'dl',
        {},
        element('dt', {}, 'Leads to'),
        element('dd', {}, element('bdi', {}, body.final_url)),
        element('dt', {}, 'Loaded in'),
        element('dd', {}, `${((body.load_time_ms ?? 0) / 1000).toFixed(1)} s`),
      ),
  ]
}
