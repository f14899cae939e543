import type { Auction, SourceId } from './auction.ts'
import type { IndexedSale } from './sale-listing.ts'

export type SortKey = 'ends' | 'bids' | 'price' | 'quality' | 'newest'

/** A search. Prices are US cents, times whole seconds. */
export type ListingQuery = {
  /** Only auctions that end after this. */
  readonly now: number
  readonly sources: readonly SourceId[]
  /** The domain contains this; in lower case. */
  readonly contains?: string
  /** Only auctions of exactly this domain; in lower case. */
  readonly domain?: string
  readonly tld?: string
  readonly minPrice?: number
  readonly maxPrice?: number
  readonly minBids?: number
  readonly minQuality?: number
  /** Only auctions that end no later than this. */
  readonly endsBy?: number
  readonly sort: SortKey
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

export type IndexedListing = Auction & { readonly updatedAt: number }
/** `lastSync` is null before the first complete sync. `count` is the number of live auctions. */
export type SourceState = { readonly lastSync: number | null; readonly count: number }

export type ListingPage = {
  readonly auctions: readonly IndexedListing[]
  /** Exact number of matches over all pages. */
  readonly total: number
  readonly sources: Readonly<Record<SourceId, SourceState>>
}

/** The searchable index of auctions. Searching never blocks the event loop. */
export type ListingIndex = {
  /** Equal rows have a fixed order. Throws UpstreamError if the index cannot be read. */
  search(query: ListingQuery, signal?: AbortSignal): Promise<ListingPage>
  /** The domain's listings without an end. Throws as `search` does. */
  findSales?(domain: string, signal?: AbortSignal): Promise<readonly IndexedSale[]>
  /** Why it cannot be searched, as the end of a sentence; null if nothing is known against it. */
  problem?(): string | null
  close(): Promise<void>
}
