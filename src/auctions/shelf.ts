import type { Auction, SourceId } from './auction.ts'

export type SortKey = 'ends' | 'bids' | 'price' | 'quality' | 'newest'

/** What is looked for. Prices in whole cents of a US dollar, moments in whole seconds. */
export type ShelfQuestion = {
  /** Only auctions that end after this. */
  readonly now: number
  readonly sources: readonly SourceId[]
  /** The domain contains this; in lower case. */
  readonly contains?: string
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

export type Shelved = Auction & { readonly updatedAt: number }
/** `lastSync` is null before the first complete one. `count` is of live auctions. */
export type SourceState = { readonly lastSync: number | null; readonly count: number }

export type ShelfPage = {
  readonly auctions: readonly Shelved[]
  /** Exact, whatever the page. */
  readonly total: number
  readonly sources: Readonly<Record<SourceId, SourceState>>
}

/** Where auctions lie ready to be found. Searching never holds up the event loop. */
export type Shelf = {
  /** Equals come in a fixed order. Throws UpstreamError where the shelf cannot be read. */
  search(question: ShelfQuestion, signal?: AbortSignal): Promise<ShelfPage>
  close(): Promise<void>
}
