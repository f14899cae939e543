import { createAsideTracker } from './page-aside.ts'
import { readEntities } from './page-entities.ts'
import { readPieces, type Piece } from './page-tags.ts'

export type Link = { readonly href: string; readonly text: string }

/** A paragraph, a heading, a cell: what stands between two line breaks. `isAside`: in a footer or an aside. */
export type Block = {
  readonly text: string
  /** What of it stands outside of links. */
  readonly outsideLinks: string
  readonly isHeading: boolean
  readonly isAside: boolean
}

/** What a document says and what it is made of, as far as it helps to tell a parked name. */
export type Page = {
  readonly title: string
  /** What it says of itself to search engines and to those who share it. */
  readonly description: string
  /** What can be read on it; blocks are apart by line breaks. */
  readonly text: string
  /** The same, block by block. */
  readonly blocks: readonly Block[]
  readonly links: readonly Link[]
  /** Addresses of what it loads: scripts, styles, frames, pictures. */
  readonly resources: readonly string[]
  /** Those of them that are documents of their own, shown in a frame. */
  readonly frames: readonly string[]
  /** Whether it calls itself an article. */
  readonly isArticle: boolean
  /** The scripts that stand in it. */
  readonly scripts: string
  /** The attributes of its root, as `name=value`. */
  readonly root: readonly string[]
  /** Where it sends its visitor by itself; empty where it does not. */
  readonly refresh: string
}

/** Characters of a document that are read; a parked page is never as long. */
const LONGEST = 600_000
const MAX_LINKS = 2_000
const MAX_BLOCKS = 2_000
const MAX_SCRIPTS_LENGTH = 200_000
const MAX_ADDRESS_LENGTH = 2_000

const SILENT = new Set(['noscript', 'template', 'svg'])
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
const LOADING: Record<string, string> = {
  script: 'src',
  img: 'src',
  iframe: 'src',
  frame: 'src',
  embed: 'src',
  link: 'href',
}

export function readPage(html: string): Page {
  const page = emptyDraft()
  for (const piece of readPieces(html.slice(0, LONGEST))) take(piece, page)
  return {
    title: tidy(page.title),
    description: tidy(page.description.join('\n')),
    text: tidy(page.text.join('')),
    blocks: page.blocks.map(({ text, outsideLinks, ...rest }) => ({
      text: tidy(text.join('')),
      outsideLinks: tidy(outsideLinks.join('')),
      ...rest,
    })),
    links: page.links.map(({ href, text }) => ({ href, text: tidy(text.join('')) })),
    resources: page.resources,
    frames: page.frames,
    isArticle: page.isArticle || page.scripts.some((script) => ARTICLE_DATA.test(script)),
    scripts: page.scripts.join('\n').slice(0, MAX_SCRIPTS_LENGTH),
    root: page.root,
    refresh: page.refresh,
  }
}

/** What a page tells machines about itself, in JSON-LD. */
const ARTICLE_DATA = /"@type"\s{0,5}:\s{0,5}"(?:News|Blog|Tech)?(?:Article|Posting)"/

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
  /** Depth inside of elements that show nothing, headings, and a link. */
  silent: 0,
  heading: 0,
  link: undefined as LinkDraft | undefined,
  /** The block that text goes to; undefined after a line break. */
  block: undefined as BlockDraft | undefined,
  aside: createAsideTracker(),
})
type Draft = ReturnType<typeof emptyDraft>

function take(piece: Piece, page: Draft): void {
  switch (piece.kind) {
    case 'text':
      return takeText(piece.text, page)
    case 'raw':
      if (piece.name === 'script') page.scripts.push(piece.text)
      else if (piece.name === 'title' && page.title === '') page.title = readEntities(piece.text)
      return
    case 'open':
      return takeTag(piece.name, piece.attributes, page)
    case 'close':
      if (SILENT.has(piece.name)) page.silent = Math.max(0, page.silent - 1)
      if (HEADINGS.has(piece.name)) page.heading = Math.max(0, page.heading - 1)
      if (piece.name === 'a') page.link = undefined
      page.aside.close(piece.name)
      if (!INLINE.has(piece.name)) breakLine(page)
  }
}

function takeText(raw: string, page: Draft): void {
  if (page.silent > 0) return
  const text = readEntities(raw).replace(/\s+/g, ' ')
  page.text.push(text)
  page.link?.text.push(text)
  if (page.block === undefined && text !== ' ' && page.blocks.length < MAX_BLOCKS) {
    page.block = { text: [], outsideLinks: [], isHeading: page.heading > 0, isAside: page.aside.isInside() }
    page.blocks.push(page.block)
  }
  page.block?.text.push(text)
  page.block?.outsideLinks.push(page.link === undefined ? text : ' ')
}

function takeTag(name: string, attributes: ReadonlyMap<string, string>, page: Draft): void {
  const get = (attribute: string) => readEntities(attributes.get(attribute) ?? '').trim()
  if (name === 'html') for (const [key, value] of attributes) page.root.push(`${key}=${value}`)
  if (SILENT.has(name)) page.silent++
  if (HEADINGS.has(name)) page.heading++
  if (name === 'article') page.isArticle = true
  if (name === 'meta') takeMeta(get, page)
  page.aside.open(name, attributes)
  if (name === 'a' && page.links.length < MAX_LINKS) {
    page.link = { href: get('href').slice(0, MAX_ADDRESS_LENGTH), text: [] }
    page.links.push(page.link)
  }
  const address = LOADING[name] === undefined ? '' : get(LOADING[name])
  if (address !== '' && page.resources.length < MAX_LINKS) page.resources.push(address.slice(0, MAX_ADDRESS_LENGTH))
  if ((name === 'frame' || name === 'iframe') && address !== '' && page.frames.length < MAX_LINKS)
    page.frames.push(address.slice(0, MAX_ADDRESS_LENGTH))
  if (!INLINE.has(name)) breakLine(page)
}

function takeMeta(get: (attribute: string) => string, page: Draft): void {
  const name = (get('name') || get('property')).toLowerCase()
  if (name === 'description' || name === 'og:title' || name === 'og:description') page.description.push(get('content'))
  if (name === 'og:type' && get('content').toLowerCase() === 'article') page.isArticle = true
  if (get('http-equiv').toLowerCase() !== 'refresh') return
  const content = get('content').slice(0, MAX_ADDRESS_LENGTH)
  const [, address] = /\burl\s{0,5}=\s{0,5}(.*)$/is.exec(content) ?? []
  if (address !== undefined) page.refresh = address.trim().replace(/^["']|["']$/g, '')
}

function breakLine(page: Draft): void {
  if (page.silent > 0) return
  page.text.push('\n')
  page.block = undefined
}

/** Spaces joined, one line break where there were several. */
const tidy = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
