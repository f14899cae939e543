import type { CheckResult } from './check-result.ts'
import { constant, type Html, markup } from './html.ts'
import { type Prices, priceWordsOf } from './prices.ts'
import { ring } from './shell.ts'

type Look = { readonly state: string; readonly word: string; readonly note: Html | string | null }

/** The lowest offer for a domain; the price is null if the seller names none. */
export type Offer = { readonly tld: string; readonly price: string | null }

/** Nobody can sell a name that nobody holds, whatever a marketplace lists. */
export const mayBeSold = (result: CheckResult | undefined): boolean => result?.status[0] === 'registered'

const REASONS: Readonly<Record<string, string>> = {
  timeout: 'No reply in time.',
  rate_limited: 'The registry asks us to wait.',
  upstream_error: 'The registry does not answer.',
}

function lookOf({ status: [verdict], error }: CheckResult, again: string): Look {
  switch (verdict) {
    case 'available':
      return { state: 'free', word: 'free', note: null }
    case 'registered':
      return { state: 'taken', word: 'taken', note: null }
    case 'reserved':
      return { state: 'reserved', word: 'reserved', note: 'by the registry' }
    default: {
      const reason = REASONS[error ?? ''] ?? 'No source could tell.'
      return { state: 'unknown', word: 'unknown', note: markup`${reason} <a href="${again}">Ask again</a>` }
    }
  }
}

/** The ring and the word of a result, and why it is not known. */
export function stateOfResult(result: CheckResult, again: string): Html {
  const { state, word, note } = lookOf(result, again)
  return markup`<span class="s ${state}">${ring}${word}</span>${note === null ? null : markup` ${note}`}`
}

/** The slot of a TLD: its tile is there from the first byte, and the answer takes its place. */
export const slotOf = (tld: string): string => `t-${tld.replaceAll('.', '_')}`

/** The state that a result is shown as. */
export const stateNameOf = (result: CheckResult): string => lookOf(result, '').state

/** The tile before the answer. */
export const waitingTile = (label: string, tld: string): Html =>
  markup`<li class="tile wait">
    <a href="/d/${label}.${tld}"><span class="vh">${label}</span>.${tld}</a>${ring}<span class="s">asking</span>
  </li>`

type TileOptions = {
  readonly label: string
  /** The page itself, to ask again. */
  readonly again: string
  readonly prices: Prices
  /** The offer for this domain, if it is known already. */
  readonly offer?: Offer | undefined
  /** Whether an offer may follow: then a second tile may take the place of this one. */
  readonly mayBeOffered?: boolean
  /** Where it stands, unless it goes into the slot of its TLD. */
  readonly place?: Place
}

/** The place of a tile among tiles that are sent together. */
export type Place = { readonly at: number; readonly isHidden: boolean }

/** The answer, which is put into the slot of its TLD. */
export function tile(result: CheckResult, { label, again, prices, offer, mayBeOffered, place }: TileOptions): Html {
  if (offer && mayBeSold(result)) return saleTile(label, offer, place)
  const { state, word, note } = lookOf(result, again)
  const cost = state === 'free' ? priceWordsOf(result, prices) : { price: null, note: null }
  const shownState = mayBeOffered === true && mayBeSold(result) ? `${state} offered` : state
  return filledTile(label, result.tld, { state: shownState, word, price: cost.price, note: cost.note ?? note }, place)
}

/** A domain with an offer. It replaces the tile that says that the domain is taken. */
export const saleTile = (label: string, { tld, price }: Offer, place?: Place): Html => {
  const note = price === null ? 'taken, price on request' : 'taken, and offered'
  return filledTile(label, tld, { state: 'sale offered', word: 'for sale', price, note }, place)
}

type FilledLook = Look & { readonly price: string | null }

function filledTile(label: string, tld: string, { state, word, price, note }: FilledLook, place?: Place): Html {
  const where = place
    ? markup`data-at="${place.at}" data-tld="${tld}"${place.isHidden ? constant(' hidden') : null}`
    : markup`slot="${slotOf(tld)}"`
  return markup`<li ${where} class="tile ${state}"><a href="/d/${label}.${tld}"><span class="vh">${label}</span>.${tld}</a>${ring}<span class="s">${word}</span>${
    price === null ? null : markup`<b>${price}</b>`
  }${note === null ? null : markup`<small>${note}</small>`}</li>
`
}
