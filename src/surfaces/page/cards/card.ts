import { type Html, markup } from '../html.ts'
import { ring } from '../shell.ts'

/** A part of a dossier, as it arrives. */
export type Part =
  | { readonly state: 'known'; readonly data: unknown }
  | { readonly state: 'nothing'; readonly message?: string }
  | { readonly state: 'unknown'; readonly message: string; readonly retryAfterSeconds: number }
  | { readonly state: 'off'; readonly message: string }

export type Card = {
  readonly number: number
  readonly title: Html | string
  /** Beside the title: the figure that matters. */
  readonly aside?: Html | string | null
  readonly body: Html
  /** The request that gives the same data. */
  readonly source: string
  readonly notes?: readonly (string | Html)[]
  readonly isWide?: boolean
}

export const card = ({ number, title, aside = null, body, source, notes = [], isWide = false }: Card): Html => markup`
  <section class="card${isWide ? ' wide' : ''}">
    <header>
      <h2><i>${number}</i>${title}</h2>
      ${aside === null ? null : markup`<span class="q">${aside}</span>`}
    </header>
    ${body}
    <p class="src"><code>GET ${source}</code>${notes.map((note) => markup` · ${note}`)}</p>
  </section>
`

/** What a card shows of a part that is not known; undefined if it is. */
export function withoutData(part: Part, nothing: string, again: string): Html | undefined {
  switch (part.state) {
    case 'known':
      return undefined
    case 'nothing':
      return markup`<p>${part.message ?? nothing}</p>`
    case 'off':
      return markup`<p><span class="s reserved">${ring}off</span> ${part.message}</p>`
    case 'unknown':
      return markup`<p><span class="s unknown">${ring}unknown</span> ${part.message} <a href="${again}">Ask again</a></p>`
  }
}

export const state = (name: string, word: Html | string): Html => markup`<span class="s ${name}">${ring}${word}</span>`

/** Made once: to make a formatter costs more than to format a page of prices. */
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** `$2,400`, or another currency with its code. */
export function money(amount: number, currency = 'USD'): string {
  if (currency === 'USD') return (amount < 100 ? cents : dollars).format(amount)
  return amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: amount < 100 ? 2 : 0 })
}

/** `14 Mar 2027`. */
export const day = (date: string | number): string => days.format(new Date(date))

/** `14 Mar, 19:35 UTC`. */
export const moment = (date: string): string => `${moments.format(new Date(date))} UTC`

/** Text of others, which may be written from right to left: it turns nothing around it. */
export const isolated = (text: string): Html => markup`<span dir="auto">${text}</span>`

/** Links out tell nobody where they were found. */
export const linkOut = (url: string, text: Html | string): Html =>
  /^https?:\/\//.test(url) ? markup`<a href="${url}" rel="noreferrer nofollow">${text}</a>` : markup`${text}`

/** A link that the operator may earn a commission by; it says so. */
export const affiliateLinkOut = (url: string, text: Html | string): Html =>
  markup`<a href="${url}" rel="noreferrer nofollow sponsored">${text}</a> <small class="q">affiliate link</small>`
