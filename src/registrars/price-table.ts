import type { DomainName } from '../kernel/names.ts'
import { type Registrar, pricesOf } from './links.ts'
import type { PriceList } from './price-list.ts'
import type { Quote } from './registrar-check.ts'

/** What a domain costs that nobody holds, in US dollars a year. */
export type RegistrationPrice = {
  readonly registration: number
  /** Null if unknown. */
  readonly renewal: number | null
}

/** The prices at one moment, so that a page of many domains looks them up without waiting. */
export type PriceTable = {
  /** The day of the list, YYYY-MM-DD; null if no list says. */
  readonly asOf: string | null
  /** The lowest price of the TLD for the first year; undefined if no registrar has one. */
  usual(suffix: string): RegistrationPrice | undefined
  /** The price of a premium name; undefined if the operator's registrar was not asked lately, or gives none. */
  premium(domain: DomainName): RegistrationPrice | undefined
}

type Needs = {
  readonly registrars: readonly { readonly registrar: Registrar; readonly list: PriceList | null }[]
  /** Undefined if the operator's registrar was not asked lately. */
  readonly knownQuote?: ((domain: DomainName) => Quote | undefined) | undefined
}

export function createPriceTable({ registrars, knownQuote }: Needs): PriceTable {
  const days = registrars.flatMap(({ registrar: { prices }, list }) =>
    list ? new Date(list.asOf).toISOString().slice(0, 10) : (prices?.asOf ?? []),
  )
  return {
    asOf: days.toSorted()[0] ?? null,
    usual(suffix) {
      const offers = registrars.flatMap(({ registrar, list }) => {
        const { registrationPrice, renewalPrice = null } = pricesOf(registrar, suffix, list)
        return registrationPrice === undefined ? [] : { registration: registrationPrice, renewal: renewalPrice }
      })
      return offers.toSorted((a, b) => a.registration - b.registration)[0]
    },
    premium(domain) {
      const quote = knownQuote?.(domain)
      return quote?.premium && quote.registration !== null
        ? { registration: quote.registration, renewal: quote.renewal }
        : undefined
    },
  }
}
