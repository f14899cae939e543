import { constant, type Html, markup } from './html.ts'
import { ring } from './shell.ts'

/** The result of one domain, as the availability endpoints answer it. */
export type CheckResult = {
  readonly domain: string
  readonly tld: string
  readonly status: readonly string[]
  readonly premium?: boolean
  readonly error?: string
}

type Look = { readonly state: string; readonly word: string; readonly note: Html | string | null }

const REASONS: Readonly<Record<string, string>> = {
  timeout: 'No reply in time.',
  rate_limited: 'The registry asks us to wait.',
  upstream_error: 'The registry does not answer.',
}

function lookOf({ status: [verdict], premium, error }: CheckResult, again: string): Look {
  switch (verdict) {
    case 'available':
      return { state: 'free', word: 'free', note: premium ? 'at a premium price' : null }
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

/** The ring and the word of a result. */
export function stateOfResult(result: CheckResult): Html {
  const { state, word } = lookOf(result, '')
  return markup`<span class="s ${state}">${ring}${word}</span>`
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
  /** US dollars for the first year, if known. */
  readonly price?: number | undefined
  /** Whether offers are looked for: then a second tile may take the place of this one. */
  readonly mayBeOffered: boolean
  /** Where it stands, unless it goes into the slot of its TLD. */
  readonly place?: Place
}

/** The place of a tile among tiles that are sent together. */
export type Place = { readonly at: number; readonly isHidden: boolean }

/** The answer, which is put into the slot of its TLD. */
export function tile(result: CheckResult, { label, again, price, mayBeOffered, place }: TileOptions): Html {
  const { state, word, note } = lookOf(result, again)
  const shown = state === 'free' && price !== undefined ? `$${price.toFixed(2)}` : null
  const look = { state: mayBeOffered ? `${state} offered` : state, word, price: shown, note }
  return filledTile(label, result.tld, look, place)
}

/** A domain with an offer. It replaces the tile that says that the domain is taken, whichever comes first. */
export const saleTile = (label: string, tld: string, price: string | null, place?: Place): Html =>
  filledTile(label, tld, { state: 'sale offered', word: 'for sale', price, note: 'taken, and offered' }, place)

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
