import { Marked, type RendererObject } from 'marked'
import { constant, type Html, markup } from '../page/html.ts'

/** Where a link or an image of a guide leads; null for a file of the repository that is not served. */
export type ResolveLink = (target: string) => string | null

/** Code that is a link: the name of an error, the address of an endpoint. */
export type ResolveCode = (code: string) => string | undefined

/** The title of the guide that a link leads to; undefined if it leads elsewhere. */
type TitleOf = (target: string) => string | undefined

type Options = { readonly resolveLink: ResolveLink; readonly resolveCode: ResolveCode; readonly titleOf?: TitleOf }

export type Heading = { readonly depth: number; readonly text: string; readonly id: string }

export type RenderedMarkdown = { readonly html: Html; readonly headings: readonly Heading[] }

/** Ids of headings as in the links between guides: lower case, without punctuation, hyphens for spaces. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Renders Markdown. HTML in it is shown as text, and links lead only where `resolveLink` says. */
export function renderMarkdown(text: string, { resolveLink, resolveCode, titleOf }: Options): RenderedMarkdown {
  const headings: Heading[] = []
  const used = new Map<string, number>()
  const uniqueSlug = (title: string): string => {
    const slug = slugOf(title)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
  const renderer: RendererObject = {
    html: ({ text: raw }) => markup`${raw}`.text,
    heading({ tokens, depth, text: title }) {
      const id = uniqueSlug(title)
      headings.push({ depth, text: title.replaceAll('`', ''), id })
      const inner = constant(this.parser.parseInline(tokens))
      if (depth === 1) return markup`<h1 class="head long" id="${id}">${inner}</h1>`.text
      const tag = constant(`h${depth}`)
      return markup`<${tag} id="${id}">${inner}</${tag}>`.text
    },
    code: ({ text: code }) => markup`<pre tabindex="0"><code>${code}</code></pre>`.text,
    codespan({ text: code }) {
      const target = resolveCode(code)
      return target === undefined
        ? markup`<code>${code}</code>`.text
        : markup`<a href="${target}"><code>${code}</code></a>`.text
    },
    link({ href, tokens, text: label }) {
      // A reader of the pages knows no files.
      const title = label.endsWith('.md') ? titleOf?.(href) : undefined
      const inner = title === undefined ? constant(this.parser.parseInline(tokens)) : markup`${title}`
      const target = resolveLink(href)
      if (target === null) return inner.text
      const outside = /^https?:/.test(target) ? constant(' rel="noreferrer"') : null
      return markup`<a href="${target}"${outside}>${inner}</a>`.text
    },
    image({ href, text: alternative }) {
      const target = resolveLink(href)
      return target === null ? markup`${alternative}`.text : markup`<img src="${target}" alt="${alternative}">`.text
    },
    table({ header, rows }) {
      const cell = (tag: 'th' | 'td', { tokens }: (typeof header)[number], scope = ''): string =>
        `<${tag}${scope}>${this.parser.parseInline(tokens)}</${tag}>`
      // An empty cell heads nothing: the first column of such a table names its rows.
      const head = header.map((one) => (one.text === '' ? '<td></td>' : cell('th', one, ' scope="col"'))).join('')
      const body = rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('\n')
      return `<div class="scroll" tabindex="0"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`
    },
  }
  const html = new Marked({ async: false, gfm: true, renderer }).parse(text) as string
  return { html: constant(html), headings }
}
