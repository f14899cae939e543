import { domainToUnicode } from 'node:url'
import { countWords, leadOf } from './page-lead.ts'
import { parsePage, type Block, type Page } from './page.ts'
import type { ParkingEvidence } from './parking.ts'
import { fold } from './phrases-match.ts'
import { isUnder, serviceOfLander } from './services.ts'
import { ASIDE, DAMPING } from './weights.ts'

/** All that the rules look at, read once from the evidence. */
export type View = {
  readonly evidence: ParkingEvidence
  /** The name and the other ways to write it, folded. */
  readonly names: readonly string[]
  readonly page: Page
  /** The document as it came, before scripts touched it. */
  readonly first: Page
  readonly title: string
  /** Headings at the top of the page. */
  readonly headings: string
  /** What the page says first: its description, and the beginning of its text. Empty for an article. */
  readonly lead: string
  /** What can be read, without the title; cut where it is long, for there it says nothing of parking any more. */
  readonly text: string
  readonly words: number
  readonly finalHost: string
  /** Whether the visit ended on the name itself or below it. */
  readonly atHome: boolean
  /** Distinct pages of the site itself that are linked to. */
  readonly ownPages: number
  /** From 0 to 1: how much of a site of its own there is. */
  readonly ownContent: number
  /** From 1 down: what a statement in the text is still worth beside everything else it says. */
  readonly damping: number
  /** From 1 down: what a statement in a footer, or after other text, is worth beside one that opens the page. */
  readonly asideFactor: number
  /** An article, with enough text to be one. */
  readonly isArticle: boolean
  /** So little on it that two words about domains are what it is about. */
  readonly isThin: boolean
}

const MAX_TEXT_LENGTH = 12_000
const MAX_TITLE_LENGTH = 300

export function viewOf(evidence: ParkingEvidence): View {
  const { capture } = evidence
  const host = evidence.host.toLowerCase()
  const page = parsePage(capture.html)
  const first = capture.firstBody === capture.html ? page : parsePage(capture.firstBody)
  const rendered = page.text || capture.text
  const spoken = countWords(rendered) < 3 ? `${rendered}\n${first.text}` : rendered
  const words = Math.max(countWords(spoken), capture.html === '' ? countWords(capture.text) : 0)
  const finalHost = hostOf(capture.finalUrl) || host
  const atHome = isUnder(finalHost, host) || isUnder(host, finalHost)
  const isElsewhere = !atHome && serviceOfLander(finalHost, host) !== undefined
  const ownPages = isElsewhere ? 0 : countOwnPages(page, finalHost)
  // What a marketplace has to say of itself is no content of the name that led there.
  const blocks = page.blocks.length > 0 ? page.blocks : blocksOf(capture.text)
  const { lead, headings, prose } = leadOf(countWords(rendered) < 3 ? [...blocks, ...first.blocks] : blocks)
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

/** A page that is known by its rendered text only: one block. */
const blocksOf = (text: string): Block[] =>
  text === '' ? [] : [{ text, outsideLinks: text, isHeading: false, isAside: false }]

/** The host of a URL, in lower case and without `www.`; empty if it is not a URL. */
export function hostOf(url: string): string {
  const text = url.startsWith('//') ? `https:${url}` : url
  if (!/^https?:\/\//i.test(text)) return ''
  return URL.parse(text)?.hostname.replace(/^www\./, '') ?? ''
}

/** Pages every template has, also that of a parked page. */
const COMMON_PAGES =
  /privacy|policy|terms|imprint|impressum|contact|kontakt|legal|cookie|datenschutz|disclaimer|lander|login/i

/** Distinct addresses below the site itself; those that differ in their question only are one page. */
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
