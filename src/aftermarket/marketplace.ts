import type { DomainName } from '../kernel/names.ts'
import type { SourceId } from './contract.ts'

/** An amount in millionths of the unit, and the currency code in capitals. */
export type Price = { readonly micros: bigint; readonly currency: string }

/** How a domain is for sale at one marketplace. */
export type Offer = {
  readonly sale: 'buyNow' | 'makeOffer' | 'auction' | 'backorder'
  /** Null if the seller gives no price. */
  readonly price: Price | null
  /** Whether the seller accepts offers, with or without a price. */
  readonly makeOffer: boolean
  readonly auction: {
    readonly endsAt: string | null
    readonly bidCount: number | null
    readonly reserveMet: boolean | null
  } | null
  /** Where to buy it; null for the marketplace's page about the domain. */
  readonly url: string | null
  /** The marketplace that the offer is at, if it is not the source itself. */
  readonly platform?: string
  /** When the offer was seen, ISO 8601 in UTC, if that was before this request. */
  readonly seenAt?: string
}

/** A place where domains are sold. Implementations are in `sources/`. */
export type Marketplace = {
  readonly id: SourceId
  /** Its display name. */
  readonly platform: string
  /** The page about a domain, for sale or not; the second with the operator's affiliate id if there is one. */
  pageOf(domain: DomainName): { readonly url: string; readonly affiliateUrl: string }
  /**
   * The offer; null if the domain is not for sale there; undefined if the source has nothing to say about it. Throws
   * UpstreamError on failure.
   */
  find(domain: DomainName, signal: AbortSignal): Promise<Offer | null | undefined>
}
