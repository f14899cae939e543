import { day, money } from './cards/card.ts'
import type { CheckResult } from './check-result.ts'
import { type Html, markup } from './html.ts'

/** What registrars ask for a domain that nobody holds, in US dollars a year. */
export type Price = { readonly registration: number; readonly renewal: number | null }

/** The prices at one moment. */
export type Prices = {
  /** The day of the list, YYYY-MM-DD; null if no list says. */
  readonly asOf: string | null
  /** The lowest one of the TLD. */
  usual(suffix: string): Price | undefined
  /** Of a premium name, where the operator's registrar has told it. */
  premium(domain: string): Price | undefined
}

type PriceWords = { readonly price: string | null; readonly note: string | null }

/** The price of a domain that is free. The usual price of a TLD says nothing about a premium name. */
export function priceWordsOf({ domain, tld, premium }: CheckResult, prices: Prices): PriceWords {
  if (!premium) {
    const usual = prices.usual(tld)
    return usual ? { price: money(usual.registration), note: renewalOf(usual) } : { price: null, note: null }
  }
  const known = prices.premium(domain)
  if (!known) return { price: null, note: 'at a premium price' }
  return { price: money(known.registration), note: ['premium', renewalOf(known)].filter(Boolean).join(', ') }
}

const renewalOf = ({ renewal }: Price): string | null => (renewal === null ? null : `renews at ${money(renewal)}`)

/** What the prices are, below the tiles. It comes with them: above tiles that follow, it would move. */
export const priceNote = ({ asOf }: Prices, slot?: string): Html | null =>
  asOf === null
    ? null
    : markup`<p class="note under"${slot === undefined ? null : markup` slot="${slot}"`}>Prices: the lowest first year at the registrars that we know, in US dollars, as of ${day(asOf)}. Taxes and fees may come on top.</p>`
