export type Query = {
  readonly what: string
  readonly asked: Readonly<Record<string, unknown>>
  /** Milliseconds it may take, where that is less than for the others. */
  readonly target?: number
}

/** Every parameter and every sort of the contract at least once, and what is dear about them. */
export const QUERIES: readonly Query[] = [
  { what: 'everything, ending soon', asked: {} },
  { what: 'hot', asked: { hot: true } },
  { what: 'most bids', asked: { sort: 'most_bids' } },
  { what: 'cheapest', asked: { sort: 'price_asc' } },
  { what: 'dearest', asked: { sort: 'price_desc' } },
  { what: 'best', asked: { sort: 'quality' } },
  { what: 'newest', asked: { sort: 'newest' } },
  { what: 'best, 200 of them', asked: { sort: 'quality', limit: 200 } },
  { what: 'second set: bids upwards', asked: { sort: 'bids', order: 'asc', limit: 25 } },
  { what: 'offset 100,000', asked: { offset: 100_000 } },
  { what: 'offset 1,000,000, by price', asked: { sort: 'price_desc', offset: 1_000_000 } },
  { what: 'one TLD', asked: { tld: 'com' } },
  { what: 'one source', asked: { source: 'source_a' } },
  { what: 'prices from 5 to 100', asked: { min_price: 5, max_price: 100 } },
  { what: 'with bids', asked: { min_bids: 1 } },
  { what: 'ending within an hour', asked: { ending_within: '1h' } },
  { what: 'ending within 7 days', asked: { ending_within: '7d' } },
  { what: 'quality from 10', asked: { quality_min: 10 } },
  {
    what: 'weak filters together',
    asked: { tld: 'com', max_price: 10_000, quality_min: 5, ending_within: '7d', sort: 'newest' },
  },
  { what: 'q=cloud', asked: { q: 'cloud' } },
  { what: 'q=cloud, best with bids', asked: { q: 'cloud', min_bids: 1, sort: 'quality' } },
  { what: 'q=the (three letters)', asked: { q: 'the' } },
  { what: 'q=cloud.co', asked: { q: 'cloud.co' } },
  { what: 'q=e (one letter)', asked: { q: 'e' } },
  { what: 'q=st (two letters)', asked: { q: 'st' } },
  { what: 'q=com (a TLD)', asked: { q: 'com' } },
  { what: 'q=zuzuvobi (rare)', asked: { q: 'zuzuvobi' }, target: 5 },
  { what: 'q=qqqqq (none)', asked: { q: 'qqqqq' }, target: 5 },
]
