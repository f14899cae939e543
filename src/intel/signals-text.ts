import { findDomains, parseStatements, type Plainness, type Statements } from './phrases-match.ts'
import type { Signal } from './signals-marks.ts'
import type { View } from './signals.ts'
import { KIND, KIND_REGISTERED, WEIGHTS } from './weights.ts'

/** Signals from statements in the text. They count less the more other content there is, and least in a footer. */
export function fromText(view: View): Signal[] {
  const title = parseStatements(view.title, view.names)
  const headings = parseStatements(view.headings, view.names)
  const top = `${view.title}\n${view.headings}`
  const others = findDomains(top)
  const another: Plainness = others.length > 0 && parseStatements(top, others).sale === 'named' ? 'kind' : 'none'
  const lead = parseStatements(`${view.title}\n${view.lead}`, view.names)
  const text = parseStatements(`${view.title}\n${view.text}`, view.names)
  const weigh = (plainness: Plainness, weight: number) => weight * plainnessFactor(plainness, view) * view.damping
  /** The stronger of two: the statement in the lead, or anywhere in the text. */
  const weighText = (topic: 'sale' | 'buy' | 'parked' | 'ended' | 'registered', weight: number) =>
    Math.max(weigh(lead[topic], weight) * articleFactor(view), weigh(text[topic], weight) * view.asideFactor)
  const isKindRegistered = text.registered === 'kind' && title.registered === 'none'
  const signals: Signal[] = [
    { name: 'for_sale', weight: fromTitle(view, title.sale) },
    { name: 'for_sale', weight: weigh(another, WEIGHTS.saleTitle) * articleFactor(view) },
    { name: 'for_sale', weight: weigh(headings.sale, WEIGHTS.saleHeading) * articleFactor(view) },
    { name: 'for_sale', weight: weighText('sale', WEIGHTS.saleText) },
    { name: 'for_sale', weight: weighText('buy', WEIGHTS.buyText) },
    { name: 'registrar_landing', weight: weighText('parked', WEIGHTS.parkedText) },
    {
      name: 'registrar_landing',
      weight: weighText('registered', WEIGHTS.registeredText) * (isKindRegistered ? KIND_REGISTERED : 1),
    },
    { name: 'registrar_landing', weight: weighText('ended', WEIGHTS.endedText) },
    {
      name: 'registrar_landing',
      weight: (lead.telltale ? 1 : text.telltale ? view.asideFactor : 0) * WEIGHTS.telltale * view.damping,
    },
    { name: 'registrar_landing', weight: fromHosting(view, lead, text) },
    { name: 'registrar_landing', weight: text.toTheOwner ? WEIGHTS.toTheOwner * view.damping : 0 },
    ...fromAdvertising(view, text),
  ]
  return signals.filter(({ weight }) => weight > 0)
}

/** A title that says this domain is for sale counts in full, however much other content there is. */
function fromTitle(view: View, sale: Plainness): number {
  const isNamed = sale === 'named' && (!view.isArticle || view.names.some((name) => view.title.includes(name)))
  return isNamed
    ? WEIGHTS.saleTitle
    : WEIGHTS.saleTitle * plainnessFactor(sale, view) * view.damping * articleFactor(view)
}

const articleFactor = (view: View) => (view.isArticle ? view.asideFactor : 1)

function fromHosting(view: View, lead: Statements, text: Statements): number {
  if (!text.hostingDefault) return 0
  const weight = text.toTheOwner ? WEIGHTS.hostingDefault.toTheOwner : WEIGHTS.hostingDefault.alone
  return weight * view.damping * (lead.hostingDefault ? 1 : view.asideFactor)
}

function plainnessFactor(plainness: Plainness, view: View): number {
  if (plainness === 'named') return 1
  if (plainness === 'none') return 0
  return view.isThin ? KIND.thin : KIND.full
}

/** Signals from paid links: their headings, and links to one URL with different search terms. */
function fromAdvertising(view: View, text: Statements): Signal[] {
  const signals: Signal[] = []
  const isFeed = hasFeedLinks(view)
  if (text.ads && (view.isThin || isFeed)) signals.push({ name: 'ad_heavy', weight: WEIGHTS.adHeadings * view.damping })
  if (isFeed) signals.push({ name: 'ad_heavy', weight: WEIGHTS.feedLinks * view.damping })
  return signals
}

function hasFeedLinks(view: View): boolean {
  const { links } = view.page
  if (links.length < 4 || links.length > 60 || view.words > 160) return false
  const targets = new Map<string, Set<string>>()
  let inLinks = 0
  for (const { href, text } of links) {
    inLinks += text.split(' ').length
    const question = href.indexOf('?')
    if (question === -1 || text === '') continue
    const page = href.slice(0, question)
    targets.set(page, (targets.get(page) ?? new Set()).add(text.toLowerCase()))
  }
  const most = Math.max(0, ...[...targets.values()].map((words) => words.size))
  return most >= 4 && most >= links.length * 0.5 && inLinks >= view.words * 0.4
}

/** Signals from a page with hardly any content. They are weak: the site may just be new. */
export function fromEmptiness(view: View): Signal[] {
  const { page, words, names, title, evidence } = view
  if (evidence.capture.status >= 400 || isApplication(view)) return []
  let weight = 0
  if (words > 0 && words < 25 && page.links.length < 3) weight += WEIGHTS.thin
  const only = [title, view.headings.split('\n')[0] ?? ''].some((text) =>
    names.includes(text.replace(/^www\./, '').trim()),
  )
  if (only && words < 60) weight += WEIGHTS.onlyTheName
  return weight === 0 ? [] : [{ name: 'generic_content', weight }]
}

/** A client-rendered application: empty because its scripts have not run yet, not because it is parked. */
const isApplication = ({ page, words }: View) =>
  words < 25 &&
  page.resources.some((address) => /\.m?js(?:\?|$)/.test(address) && /^(?:\.?\/(?!\/)|[a-z0-9_-]+\/)/i.test(address))
