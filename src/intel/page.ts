import { Parser } from 'htmlparser2'
import type { NextTurn } from '../kernel/event-loop.ts'
import { createAsideTracker } from './page-aside.ts'

export type Link = { readonly href: string; readonly text: string }

/** Text between two line breaks: a paragraph, a heading, a table cell. */
export type Block = {
  readonly text: string
  /** The text without that of links. */
  readonly outsideLinks: string
  readonly isHeading: boolean
  /** Whether it is in a footer or an aside. */
  readonly isAside: boolean
}

/** The parts of an HTML document that parking detection looks at. */
export type Page = {
  readonly title: string
  /** The description and Open Graph title, one per line. */
  readonly description: string
  /** The visible text, one block per line. */
  readonly text: string
  readonly blocks: readonly Block[]
  readonly links: readonly Link[]
  /** URLs of scripts, styles, frames and images, as written in the document. */
  readonly resources: readonly string[]
  /** URLs of frames; they are in `resources` too. */
  readonly frames: readonly string[]
  /** Whether the page declares itself an article. */
  readonly isArticle: boolean
  /** Inline scripts. */
  readonly scripts: string
  /** The attributes of the root element, as `name=value`. */
  readonly root: readonly string[]
  /** Target of a meta refresh; empty without one. */
  readonly refresh: string
}

/** Characters parsed of a document; a parked page is much shorter. */
const MAX_DOCUMENT_LENGTH = 600_000
/**
 * Open elements at once; parsing stops beyond it. The parser searches its open elements at every tag: without a limit,
 * 600,000 characters of `<b>` and `</x>` keep it busy for a minute. Chromium nests no deeper than 512.
 */
const MAX_DEPTH = 600
const MAX_ROOT_ATTRIBUTES = 60
const MAX_LINKS = 2_000
const MAX_BLOCKS = 2_000
const MAX_SCRIPTS_LENGTH = 200_000
const MAX_URL_LENGTH = 2_000

/** Elements whose text is not markup and not part of the visible text. */
const RAW_TEXT = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'])
const HIDDEN = new Set(['noscript', 'template', 'svg'])
const INLINE = new Set([
  'a',
  'b',
  'i',
  'em',
  'strong',
  'span',
  'font',
  'small',
  'u',
  'mark',
  'abbr',
  'wbr',
  'sup',
  'sub',
])
const HEADINGS = new Set(['h1', 'h2'])
/** Elements that load a resource, and the attribute that holds its URL. */
const RESOURCE_ATTRIBUTES = new Map([
  ['script', 'src'],
  ['img', 'src'],
  ['iframe', 'src'],
  ['frame', 'src'],
  ['embed', 'src'],
  ['link', 'href'],
])

type Attributes = Readonly<Record<string, string>>

/** Parses any text as HTML; errors in the markup are corrected as a browser would. */
export function parsePage(html: string): Page {
  const steps = parseSteps(html)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Like `parsePage`, but lets other requests have their turn: a hostile page takes tenths of a second. */
export async function parsePageInSteps(html: string, nextTurn: NextTurn): Promise<Page> {
  const steps = parseSteps(html)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Characters parsed, and pieces of text joined, in one step. */
export const CHARACTERS_PER_STEP = 8_000
const PIECES_PER_STEP = 2_000

function* parseSteps(html: string): Generator<undefined, Page> {
  const page = emptyDraft()
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      openElement(name, attributes, page)
      if (++depth > MAX_DEPTH) parser.pause()
    },
    onclosetag(name) {
      depth--
      closeElement(name, page)
    },
    ontext: (text) => addText(text, page),
  })
  const length = Math.min(html.length, MAX_DOCUMENT_LENGTH)
  for (let at = 0; at < length; at += CHARACTERS_PER_STEP) {
    if (depth > MAX_DEPTH) break
    if (at > 0) yield
    parser.write(html.slice(at, Math.min(at + CHARACTERS_PER_STEP, length)))
  }
  parser.end()
  if (length > CHARACTERS_PER_STEP) yield
  const text = yield* tidyLines(page.text)
  return {
    title: tidy(page.title),
    description: tidy(page.description.join('\n')),
    text,
    blocks: page.blocks.map(({ text, outsideLinks, ...rest }) => ({
      text: tidy(text.join('')),
      outsideLinks: tidy(outsideLinks.join('')),
      ...rest,
    })),
    links: page.links.map(({ href, text }) => ({ href, text: tidy(text.join('')) })),
    resources: page.resources,
    frames: page.frames,
    isArticle: page.isArticle || page.scripts.some((script) => ARTICLE_JSON_LD.test(script)),
    scripts: page.scripts.join('\n').slice(0, MAX_SCRIPTS_LENGTH),
    root: page.root,
    refresh: page.refresh,
  }
}

const ARTICLE_JSON_LD = /"@type"\s{0,5}:\s{0,5}"(?:News|Blog|Tech)?(?:Article|Posting)"/

type LinkDraft = { href: string; text: string[] }
type BlockDraft = { text: string[]; outsideLinks: string[]; isHeading: boolean; isAside: boolean }

const emptyDraft = () => ({
  title: '',
  description: [] as string[],
  text: [] as string[],
  blocks: [] as BlockDraft[],
  links: [] as LinkDraft[],
  resources: [] as string[],
  frames: [] as string[],
  isArticle: false,
  scripts: [] as string[],
  root: [] as string[],
  refresh: '',
  /** The raw text element that is open. */
  rawText: undefined as { readonly name: string; text: string } | undefined,
  /** Number of open elements of `HIDDEN` and of `HEADINGS`. */
  hidden: 0,
  heading: 0,
  link: undefined as LinkDraft | undefined,
  /** The block that text is added to; undefined after a line break. */
  block: undefined as BlockDraft | undefined,
  aside: createAsideTracker(),
})
type Draft = ReturnType<typeof emptyDraft>

function openElement(name: string, attributes: Attributes, page: Draft): void {
  const get = (attribute: string) => (attributes[attribute] ?? '').trim()
  if (RAW_TEXT.has(name)) page.rawText = { name, text: '' }
  if (name === 'html')
    for (const [key, value] of Object.entries(attributes).slice(0, MAX_ROOT_ATTRIBUTES))
      page.root.push(`${key}=${value}`)
  if (HIDDEN.has(name)) page.hidden++
  if (HEADINGS.has(name)) page.heading++
  if (name === 'article') page.isArticle = true
  if (name === 'meta') addMeta(get, page)
  page.aside.open(name, attributes)
  if (name === 'a' && page.links.length < MAX_LINKS) {
    page.link = { href: get('href').slice(0, MAX_URL_LENGTH), text: [] }
    page.links.push(page.link)
  }
  addResource(name, get(RESOURCE_ATTRIBUTES.get(name) ?? '').slice(0, MAX_URL_LENGTH), page)
  if (!INLINE.has(name)) breakLine(page)
}

function closeElement(name: string, page: Draft): void {
  if (page.rawText?.name === name) addRawText(page.rawText, page)
  if (HIDDEN.has(name)) page.hidden--
  if (HEADINGS.has(name)) page.heading--
  if (name === 'a') page.link = undefined
  page.aside.close(name)
  if (!INLINE.has(name)) breakLine(page)
}

function addRawText({ name, text }: { readonly name: string; readonly text: string }, page: Draft): void {
  page.rawText = undefined
  if (name === 'script') page.scripts.push(text)
  // An image in SVG may have a title of its own.
  else if (name === 'title' && page.title === '' && page.hidden === 0) page.title = text
}

function addText(raw: string, page: Draft): void {
  if (page.rawText !== undefined) {
    page.rawText.text += raw
    return
  }
  if (page.hidden > 0) return
  // A soft hyphen is invisible, but would split the word that is searched for.
  const text = raw.replaceAll('\u00ad', '').replace(/\s+/g, ' ')
  page.text.push(text)
  page.link?.text.push(text)
  if (page.block === undefined && text.trim() !== '' && page.blocks.length < MAX_BLOCKS) {
    page.block = { text: [], outsideLinks: [], isHeading: page.heading > 0, isAside: page.aside.isInside() }
    page.blocks.push(page.block)
  }
  page.block?.text.push(text)
  page.block?.outsideLinks.push(page.link === undefined ? text : ' ')
}

function addResource(name: string, url: string, page: Draft): void {
  if (url === '') return
  if (page.resources.length < MAX_LINKS) page.resources.push(url)
  if ((name === 'frame' || name === 'iframe') && page.frames.length < MAX_LINKS) page.frames.push(url)
}

function addMeta(get: (attribute: string) => string, page: Draft): void {
  const name = (get('name') || get('property')).toLowerCase()
  if (name === 'description' || name === 'og:title' || name === 'og:description') page.description.push(get('content'))
  if (name === 'og:type' && get('content').toLowerCase() === 'article') page.isArticle = true
  if (get('http-equiv').toLowerCase() !== 'refresh') return
  const content = get('content').slice(0, MAX_URL_LENGTH)
  const [, url] = /\burl\s{0,5}=\s{0,5}(.*)$/is.exec(content) ?? []
  if (url !== undefined) page.refresh = url.trim().replace(/^["']|["']$/g, '')
}

function breakLine(page: Draft): void {
  if (page.hidden > 0) return
  page.text.push('\n')
  page.block = undefined
}

/** Like `tidy` of all pieces; a line break is a piece of its own. */
function* tidyLines(pieces: readonly string[]): Generator<undefined, string> {
  const lines: string[] = []
  let line = ''
  const endLine = () => {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push(text)
    line = ''
  }
  for (const [at, piece] of pieces.entries()) {
    if (at > 0 && at % PIECES_PER_STEP === 0) yield
    if (piece === '\n') endLine()
    else line += piece
  }
  endLine()
  return lines.join('\n')
}

/** Collapses spaces and removes empty lines. */
const tidy = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
