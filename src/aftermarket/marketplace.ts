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
}

/** A place where domains are sold. Implementations are in `sources/`. */
export type Marketplace = {
  readonly id: SourceId
  /** Its display name. */
  readonly platform: string
  /** The page about a domain, for sale or not; the second with the operator's affiliate id if there is one. */
  pageOf(domain: DomainName): { readonly url: string; readonly affiliateUrl: string }
  /** The offer, or null if the domain is not for sale there. Throws UpstreamError on failure. */
  find(domain: DomainName, signal: AbortSignal): Promise<Offer | null>
}
