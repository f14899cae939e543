import { timestamp, type Clock } from '../kernel/clock.ts'
import { route, type Route } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import { type DomainName, splitDomain } from '../kernel/names.ts'
import { registrationLinks } from './contract.ts'
import { createLink, type Registrar } from './links.ts'
import type { PriceList } from './price-list.ts'
import type { Quote } from './registrar-check.ts'

type Needs = {
  readonly registrars: readonly Registrar[]
  /** Supported TLDs. */
  readonly suffixes: ReadonlySet<string>
  /** The current price list of a registrar; null if it has none. */
  readonly priceListOf?: (registrar: Registrar) => Promise<PriceList | null>
  /** What the operator's registrar says about a domain; undefined if it was not asked. */
  readonly quoteOf?: (domain: DomainName, signal: AbortSignal) => Promise<Quote | undefined>
  readonly clock: Clock
}

export function registrarRoutes({
  registrars,
  suffixes,
  priceListOf = async () => null,
  quoteOf,
  clock,
}: Needs): Route[] {
  return [
    route(registrationLinks, async ({ domain, registrar: wanted }, { signal }) => {
      const split = splitDomain(domain, suffixes)
      if (split.kind !== 'registrable') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
      const asked = wanted === undefined ? registrars : registrars.filter(({ slug }) => slug === wanted)
      const quote = await quoteOf?.(domain, signal)
      const isPremium = quote?.premium === true
      const links = asked.map(async (registrar) => {
        const list = await priceListOf(registrar)
        return createLink(registrar, domain, { suffix: split.suffix, list, isPremium })
      })
      return {
        domain,
        ...(quote && { premium: quote.premium }),
        ...(typeof quote?.registration === 'number' && { premiumPrice: quote.registration }),
        ...(typeof quote?.renewal === 'number' && { premiumRenewalPrice: quote.renewal }),
        registrars: await Promise.all(links),
        timestamp: timestamp(clock),
      }
    }),
  ]
}
