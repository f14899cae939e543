import type { DomainName } from '../kernel/names.ts'
import type { SourceId } from './contract.ts'

/** Money as a marketplace names it: whole millionths of a unit, and the code of the currency in capitals. */
export type Price = { readonly micros: bigint; readonly currency: string }

/** How a name is for sale at one place. */
export type Offer = {
  readonly sale: 'buyNow' | 'makeOffer' | 'auction' | 'backorder'
  /** Null where the seller names none. */
  readonly price: Price | null
  /** Whether the seller hears offers, beside a price or without one. */
  readonly makeOffer: boolean
  readonly auction: {
    readonly endsAt: string | null
    readonly bidCount: number | null
    readonly reserveMet: boolean | null
  } | null
  /** Where to buy it; null for the marketplace's own page about the name. */
  readonly url: string | null
}

/** A place where names are sold. Implementations live in `sources/`. */
export type Marketplace = {
  readonly id: SourceId
  /** Its name for people. */
  readonly platform: string
  /** The page about a name, for sale or not; with the operator's affiliate id where there is one. */
  pageOf(domain: DomainName): { readonly url: string; readonly affiliateUrl: string }
  /** The offer, or null when the name is not for sale there. Throws UpstreamError when it cannot tell. */
  find(domain: DomainName, signal: AbortSignal): Promise<Offer | null>
}
