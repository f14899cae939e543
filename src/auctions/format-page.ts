import type { SourceId } from './auction.ts'
import type { IndexedListing, ListingPage } from './listing-index.ts'

type Paging = { readonly sources: readonly SourceId[]; readonly limit: number; readonly offset: number }

/** The response body; unknown fields are left out. */
export const formatPage = (page: ListingPage, { sources, limit, offset }: Paging) => ({
  auctions: page.auctions.map(formatAuction),
  meta: {
    total: page.total,
    limit,
    offset,
    sources: Object.fromEntries(
      sources.map((id) => {
        const { lastSync, count } = page.sources[id]
        return [id, { ...(lastSync !== null && { last_sync: toIsoTime(lastSync) }), count }]
      }),
    ),
  },
})

const formatAuction = (auction: IndexedListing) => ({
  domain: auction.domain,
  tld: auction.tld,
  source: auction.source,
  ...(auction.url !== undefined && { source_url: auction.url }),
  current_price: auction.price,
  ...(auction.startPrice !== undefined && { start_price: auction.startPrice }),
  currency: auction.currency,
  price_usd: auction.priceUsdCents / 100,
  bid_count: auction.bids,
  ...(auction.startedAt !== undefined && { started_at: toIsoTime(auction.startedAt) }),
  ends_at: toIsoTime(auction.endsAt),
  quality_score: auction.quality,
  ...(Object.keys(auction.metrics).length > 0 && { metrics: auction.metrics }),
  updated_at: toIsoTime(auction.updatedAt),
})

const toIsoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()
