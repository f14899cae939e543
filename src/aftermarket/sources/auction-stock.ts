import type { DomainName } from '../../kernel/names.ts'
import type { Marketplace } from '../marketplace.ts'
import { fixedPage, parseLink, parsePrice } from './values.ts'

/** A running auction of a domain, as this service has it from a feed. */
export type StockedAuction = {
  readonly url: string | null
  readonly price: number
  readonly currency: string
  readonly bids: number
  /** ISO 8601 in UTC. */
  readonly endsAt: string
  /** When the feed was last seen with it, ISO 8601 in UTC. */
  readonly seenAt: string
}

type Needs = {
  /**
   * The auction that ends first; null if the domain is not at auction, undefined before a feed was loaded. Throws UpstreamError if the
   * stock cannot be searched.
   */
  auctionOf(domain: DomainName, signal: AbortSignal): Promise<StockedAuction | null | undefined>
}

/** The auctions this service has already. */
export const auctionStock = ({ auctionOf }: Needs): Marketplace => ({
  id: 'auctions',
  platform: 'Auctions of this service',
  pageOf: fixedPage('https://{domain}/', null),
  async find(domain, signal) {
    const auction = await auctionOf(domain, signal)
    if (!auction) return auction
    const link = parseLink(auction.url ?? '')
    return {
      sale: 'auction',
      price: parsePrice(auction.price.toFixed(2), auction.currency) ?? null,
      makeOffer: false,
      auction: { endsAt: auction.endsAt, bidCount: auction.bids, reserveMet: null },
      url: link,
      // The host of the auction says more than the id of our feed.
      ...(link !== null && { platform: new URL(link).hostname.replace(/^www\./, '') }),
      seenAt: auction.seenAt,
    }
  },
})
