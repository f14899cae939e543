import { constant, type Html, markup } from './html.ts'

/** What every page shows of the service. */
export type About = {
  readonly version: string
  /** Address of the style sheet and of the script; the name changes with the content. */
  readonly styleUrl: string
  readonly scriptUrl: string
  /** How many TLDs are supported. */
  readonly tlds: number
}

type Page = {
  readonly about: About
  /** Left out where the verdict, which is known last, is the title. */
  readonly title?: string
  readonly description: string
  /** The text in the field of the header; null for the page that has a field of its own. */
  readonly asked: string | null
  readonly current?: string
}

const WORDMARK = constant(
  '<svg viewBox="0 0 138 40" fill="none" stroke="currentColor" stroke-width="3.4" role="img" aria-label="Onoma"><circle cx="12" cy="26" r="10"/><path d="M29 38V15M29 25a9 9 0 0 1 18 0v13M80 38V15M80 23.5a7.5 7.5 0 0 1 15 0V38M95 23.5a7.5 7.5 0 0 1 15 0V38M136 15v23"/><circle cx="63.5" cy="26" r="10"/><circle cx="125" cy="26" r="10"/><g stroke-width="2.6"><path d="M6.6 3.2c2.7.9 2.7 4.4-.4 5.6M12.5 9.5l4.6-7.5"/></g></svg>',
)

export const wordmark: Html = WORDMARK

/** The ring of a state; the word beside it says the same. */
export const ring: Html = constant('<i class="o" aria-hidden="true"></i>')

/** The first sentence of a summary, for the title: the tab of a browser has room for no more. */
export const verdictOf = (summary: string): string => /^.*?(?=\.(?:\s|$))/.exec(summary)?.[0] ?? summary

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** A name in a title or a description, where there are no elements: the words after it keep their place. */
export const isolatedName = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name)

/** Everything before the content of `main`. */
export const openPage = ({ about, title, description, asked, current }: Page): Html =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
${title === undefined ? null : markup`<title>${title}</title>`}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${about.styleUrl}">
<script type="module" async src="${about.scriptUrl}"></script>
</head>
<body${asked === null ? constant(' class="home"') : null}>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
${
  asked === null
    ? null
    : markup`<a class="logo" href="/">${wordmark}</a>
        <form action="/n" role="search">
          <input
            class="in"
            name="q"
            value="${asked}"
            aria-label="Name or domain"
            placeholder="acme or acme.com"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            enterkeyhint="search"
            dir="auto"
            maxlength="253"
            aria-keyshortcuts="/"
          />
        </form>`
}
<nav aria-label="Pages">${PAGES.map(
    ({ path, name }) =>
      markup`<a href="${path}" ${current === path ? constant(' aria-current="page"') : null}>${name}</a>`,
  )}</nav>
</header>
`

const PAGES = [
  { path: '/bulk', name: 'Bulk' },
  { path: '/docs', name: 'Reference' },
  { path: '/status', name: 'Status' },
]

/** Everything after `main`. */
export const closePage = ({ version, tlds }: About): Html => markup`
<footer class="foot">
<span>No account, no cookies, no tracking.</span>
<span>${tlds} TLDs and .eth</span>
<span class="noprint scripted"><kbd>/</kbd> search <button class="plain" type="button" data-keys><kbd>?</kbd> keys</button></span>
<nav aria-label="More"><a href="/status">Status</a><a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a><span>Version ${version}</span></nav>
</footer>
</body>
</html>
`
