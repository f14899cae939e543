export const SOURCE_IDS = ['source_a', 'source_b', 'source_c'] as const
export type SourceId = (typeof SOURCE_IDS)[number]

/** Feeds of domains at a fixed price or open to offers. Their records have no end, so they are no auctions. */
export const SALE_FEED_IDS = ['namecheap-buynow', 'sedo-listings'] as const
export type SaleFeedId = (typeof SALE_FEED_IDS)[number]

export type FeedId = SourceId | SaleFeedId
export const isSaleFeed = (id: FeedId): id is SaleFeedId => SALE_FEED_IDS.some((one) => one === id)

/** Third-party metrics of a domain, named as in the API. Each may be missing. */
export type Metrics = {
  readonly metric_a_dr?: number
  readonly metric_a_backlinks?: number
  readonly metric_b_score?: number
  readonly metric_b_backlinks?: number
  readonly metric_c_cf?: number
  readonly metric_c_tf?: number
  readonly metric_c_backlinks?: number
  readonly appraisal_a_value?: number
  readonly appraisal_b_value?: number
  readonly keyword_search_volume?: number
  readonly extensions_taken?: number
  /** YYYY-MM-DD. */
  readonly registered_date?: string
  readonly last_sold_price?: number
  readonly last_sold_year?: number
  readonly renewal_price?: number
  readonly inbound_links?: number
  readonly domain_age_years?: number
}

/** One validated auction of a feed. Times are whole seconds since the epoch. */
export type Auction = {
  readonly source: SourceId
  /** The source's own id, stable between deliveries. */
  readonly externalId: string
  readonly domain: string
  /** Everything after the first dot of the domain. */
  readonly tld: string
  readonly url?: string
  /** In `currency`. */
  readonly price: number
  readonly startPrice?: number
  readonly currency: string
  readonly priceUsdCents: number
  readonly bids: number
  readonly startedAt?: number
  readonly endsAt: number
  readonly quality: number
  readonly metrics: Metrics
}
