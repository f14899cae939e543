import { constant, type Html, markup } from '../page/html.ts'
import { type About, closePage, openPage } from '../page/shell.ts'
import type { Guides } from './guides.ts'
import { address } from './prose.ts'
import { type Reference, titleOf } from './reference.ts'

/** What all pages of the reference share. */
export type Frame = {
  readonly about: About
  readonly scriptUrl: string
  readonly reference: Reference
  readonly guides: Guides
}

/** The page that code in a sentence stands for: the address of an endpoint or of a guide. */
export const codeLinks =
  ({ reference, guides }: Frame) =>
  (code: string): string | undefined =>
    reference.pageOf(code) ?? guides.all.find(({ page }) => page === code)?.page

type FramedPage = {
  readonly title: string
  readonly description: string
  /** Path of the page, which is marked in the navigation. */
  readonly path: string
  /** The text in the search field. */
  readonly query?: string
  readonly content: Html
}

/** How many sections of the index of guides the navigation shows; the others are for people who work on the code. */
const SECTIONS_IN_NAVIGATION = 2

/** A page with the navigation beside its content, not in it: the link at the top skips the navigation. */
export const framePage = ({ about, scriptUrl, reference, guides }: Frame, page: FramedPage): Html => {
  const { title, description, path, query = '', content } = page
  const item = (target: string, text: Html | string, hint?: string): Html =>
    markup`<li><a href="${target}"${target === path ? constant(' aria-current="page"') : null}${hint && markup` title="${hint}"`}>${text}</a></li>`
  return markup`${openPage({ about, title: `${title}: Onoma reference`, description, asked: '', current: '/docs' })}
<div class="doc">
<aside id="contents">
<form action="/docs" role="search" aria-label="Reference"><input class="in" type="search" name="q" value="${query}" aria-label="Search the reference" placeholder="Search the reference" autocomplete="off" maxlength="200"></form>
<nav aria-label="Reference">
${reference.groups.map(
  ({ name, entries }) => markup`<h2>${titleOf(name)}</h2>
<ul>${entries.map(({ endpoint, page: target }) =>
    item(
      target,
      markup`${address(endpoint)}${endpoint.price && constant(' <small class="q">paid</small>')}${endpoint.deprecated && constant(' <small class="q">deprecated</small>')}`,
      endpoint.summary,
    ),
  )}</ul>
`,
)}
<h2>Errors</h2>
<ul>${item('/docs/errors', 'All error codes')}</ul>
${guides.sections.slice(0, SECTIONS_IN_NAVIGATION).map(
  ({ title: heading, guides: listed }) => markup`<h2>${heading}</h2>
<ul>${listed.map(({ guide }) => item(guide.page, guide.title))}</ul>
`,
)}
${guides.index && markup`<h2>More</h2><ul>${item(guides.index.page, 'All guides')}</ul>`}
</nav>
</aside>
<main id="main">
<p class="narrow noprint"><a href="#contents">All pages</a></p>
${content}
</main>
</div>
<script type="module" src="${scriptUrl}"></script>
${closePage(about)}`
}
