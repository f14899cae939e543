import { domainToUnicode } from 'node:url'
import { countWords, extractLead } from './page-lead.ts'
import type { NextTurn } from '../kernel/event-loop.ts'
import { parsePage, parsePageInSteps, type Block, type Page } from './page.ts'
import type { ParkingEvidence } from './parking.ts'
import { fold } from './phrases-match.ts'
import { isUnder, serviceOfLander } from './services.ts'
import { ASIDE, DAMPING } from './weights.ts'

/** Everything the rules look at, derived once from the evidence. */
export type View = {
  readonly evidence: ParkingEvidence
  /** The domain in ASCII and in Unicode, folded. */
  readonly names: readonly string[]
  readonly page: Page
  /** The document before scripts ran. */
  readonly first: Page
  readonly title: string
  /** Headings at the top of the page. */
  readonly headings: string
  /** The description and the beginning of the text. Empty for an article. */
  readonly lead: string
  /** The description and the visible text, truncated: long text is not about parking. */
  readonly text: string
  readonly words: number
  readonly finalHost: string
  /** Whether the visit ended on the domain itself, above or below it. */
  readonly atHome: boolean
  /** Number of distinct links to pages of the site itself. */
  readonly ownPages: number
  /** From 0 to 1: how much content of its own the site has. */
  readonly ownContent: number
  /** Factor of at most 1 for statements in the text; smaller the more other content there is. */
  readonly damping: number
  /** Factor of at most 1 for statements in a footer or after other text. */
  readonly asideFactor: number
  /** Declared as an article, and with enough text for one. */
  readonly isArticle: boolean
  /** Short enough that a few words about domains are its subject. */
  readonly isThin: boolean
}

const MAX_TEXT_LENGTH = 12_000
const MAX_TITLE_LENGTH = 300

/** The document as rendered, and before scripts ran. */
export type Pages = Pick<View, 'page' | 'first'>

const parsePages = ({ html, firstBody }: ParkingEvidence['capture']): Pages => {
  const page = parsePage(html)
  return { page, first: firstBody === html ? page : parsePage(firstBody) }
}

/** Both documents, parsed in steps. */
export async function parsePagesInSteps(
  { html, firstBody }: ParkingEvidence['capture'],
  nextTurn: NextTurn,
): Promise<Pages> {
  const page = await parsePageInSteps(html, nextTurn)
  return { page, first: firstBody === html ? page : await parsePageInSteps(firstBody, nextTurn) }
}

export function createView(evidence: ParkingEvidence, { page, first } = parsePages(evidence.capture)): View {
  const { capture } = evidence
  const host = evidence.host.toLowerCase()
  const rendered = page.text || capture.text
  const spoken = countWords(rendered) < 3 ? `${rendered}\n${first.text}` : rendered
  const words = Math.max(countWords(spoken), capture.html === '' ? countWords(capture.text) : 0)
  const finalHost = hostOf(capture.finalUrl) || host
  const atHome = isUnder(finalHost, host) || isUnder(host, finalHost)
  // The content of a marketplace is not content of the domain that redirected to it.
  const isElsewhere = !atHome && serviceOfLander(finalHost, host) !== undefined
  const ownPages = isElsewhere ? 0 : countOwnPages(page, finalHost)
  const blocks = page.blocks.length > 0 ? page.blocks : blocksOf(capture.text)
  const { lead, headings, prose } = extractLead(countWords(rendered) < 3 ? [...blocks, ...first.blocks] : blocks)
  const isArticle = !isElsewhere && (page.isArticle || first.isArticle) && prose >= ASIDE.articleWords
  const description = page.description || first.description
  const ownContent = isElsewhere ? 0 : Math.min(1, words / 500) * Math.min(1, ownPages / 10)
  return {
    evidence,
    names: [host, domainToUnicode(host)].filter((name) => name !== '').map(fold),
    page,
    first,
    title: fold((page.title || capture.title || first.title).slice(0, MAX_TITLE_LENGTH)),
    headings: fold(headings.slice(0, MAX_TITLE_LENGTH * 4)),
    lead: isArticle ? '' : fold(`${description}\n${lead}`.slice(0, MAX_TEXT_LENGTH)),
    text: fold(`${description}\n${spoken}`.slice(0, MAX_TEXT_LENGTH)),
    words,
    finalHost,
    atHome,
    ownPages,
    ownContent,
    damping: isElsewhere ? 1 : dampingOf(words, ownPages),
    asideFactor: isElsewhere ? 1 : asideFactorOf(prose + ASIDE.wordsPerPage * Math.max(0, ownPages - 1)),
    isArticle,
    isThin: words <= 120 && ownPages < 6,
  }
}

function dampingOf(words: number, ownPages: number): number {
  const length = Math.min(1, Math.max(0, (words - DAMPING.from) / (DAMPING.to - DAMPING.from)))
  const pages = Math.min(1, Math.max(0, (ownPages - 4) / 12))
  return (1 - (1 - DAMPING.least) * length) * (1 - 0.6 * pages)
}

function asideFactorOf(prose: number): number {
  const much = Math.min(1, Math.max(0, (prose - ASIDE.from) / (ASIDE.to - ASIDE.from)))
  return 1 - (1 - ASIDE.least) * much
}

/** One block, for a page of which only the rendered text is known. */
const blocksOf = (text: string): Block[] =>
  text === '' ? [] : [{ text, outsideLinks: text, isHeading: false, isAside: false }]

/** The host of a URL, in lower case and without `www.`; empty if it is not a URL. */
export function hostOf(url: string): string {
  const text = url.startsWith('//') ? `https:${url}` : url
  if (!/^https?:\/\//i.test(text)) return ''
  return URL.parse(text)?.hostname.replace(/^www\./, '') ?? ''
}

/** Pages of every template, including those of parked pages. */
const COMMON_PAGES =
  /privacy|policy|terms|imprint|impressum|contact|kontakt|legal|cookie|datenschutz|disclaimer|lander|login/i

/** Counts distinct paths of the site itself; the query string is ignored. */
function countOwnPages(page: Page, finalHost: string): number {
  const paths = new Set<string>()
  for (const { href } of page.links) {
    const host = hostOf(href)
    const isOwn = host === '' ? /^(?:\/(?!\/)|\.{0,2}\/|[a-z0-9_-]+(?:[./?]|$))/i.test(href) : isUnder(host, finalHost)
    if (!isOwn || /^(?:javascript|mailto|tel|data|sms):/i.test(href)) continue
    const path = host === '' ? href.replace(/[?#].*$/s, '') : (URL.parse(href, 'https://x')?.pathname ?? '')
    const parts = path
      .toLowerCase()
      .split('/')
      .filter((part) => part !== '' && part !== '.')
    if (parts.length > 0 && !COMMON_PAGES.test(path)) paths.add(parts.join('/'))
  }
  return paths.size
}
