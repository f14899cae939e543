import type { DomainName } from '../../kernel/names.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { byPrice } from '../prices.ts'
import { fixedPage, parseLink, parsePrice } from './values.ts'

/** A domain at a fixed price or open to offers, as this service has it from a feed. */
export type StockedListing = {
  readonly url: string | null
  /** Null if the seller waits for offers. */
  readonly price: number | null
  readonly currency: string
  /** When the feed was last seen with it, ISO 8601 in UTC. */
  readonly seenAt: string
}

type Needs = {
  /** All listings of a domain. Throws UpstreamError if they cannot be looked up. */
  listingsOf(domain: DomainName, signal: AbortSignal): Promise<readonly StockedListing[]>
}

/**
 * The listings this service has already. Without one it has nothing to say: a list of some domains of a marketplace does
 * not tell that another is not for sale there.
 */
export const listingStock = ({ listingsOf }: Needs): Marketplace => ({
  id: 'listings',
  platform: 'Listings of this service',
  pageOf: fixedPage('https://{domain}/', null),
  async find(domain, signal) {
    const offers = (await listingsOf(domain, signal)).map(toOffer)
    return offers.toSorted(byOfferPrice)[0]
  },
})

function toOffer({ url, price: amount, currency, seenAt }: StockedListing): Offer {
  const link = parseLink(url ?? '')
  const price = amount === null ? null : (parsePrice(amount.toFixed(2), currency) ?? null)
  return {
    sale: price ? 'buyNow' : 'makeOffer',
    price,
    makeOffer: !price,
    auction: null,
    url: link,
    // The host of the listing says more than the id of our feed.
    ...(link !== null && { platform: new URL(link).hostname.replace(/^www\./, '') }),
    seenAt,
  }
}

/** The lowest price first; listings without one come last. */
function byOfferPrice(a: Offer, b: Offer): number {
  if (!a.price || !b.price) return a.price === b.price ? 0 : a.price ? -1 : 1
  return byPrice(a.price, b.price)
}
