export type Query = {
  readonly what: string
  readonly input: Readonly<Record<string, unknown>>
  /** Its own target, if it is stricter than the common one. */
  readonly targetMs?: number
}

/** Every parameter and every sort order of the contract at least once, and the expensive cases. */
export const QUERIES: readonly Query[] = [
  { what: 'everything, ending soon', input: {} },
  { what: 'hot', input: { hot: true } },
  { what: 'most bids', input: { sort: 'most_bids' } },
  { what: 'cheapest', input: { sort: 'price_asc' } },
  { what: 'most expensive', input: { sort: 'price_desc' } },
  { what: 'best', input: { sort: 'quality' } },
  { what: 'newest', input: { sort: 'newest' } },
  { what: 'best, 200 of them', input: { sort: 'quality', limit: 200 } },
  { what: 'bids ascending', input: { sort: 'bids', order: 'asc', limit: 25 } },
  { what: 'offset 100,000', input: { offset: 100_000 } },
  { what: 'offset 1,000,000, by price', input: { sort: 'price_desc', offset: 1_000_000 } },
  { what: 'one TLD', input: { tld: 'com' } },
  { what: 'one source', input: { source: 'source_a' } },
  { what: 'prices from 5 to 100', input: { min_price: 5, max_price: 100 } },
  { what: 'with bids', input: { min_bids: 1 } },
  { what: 'ending within an hour', input: { ending_within: '1h' } },
  { what: 'ending within 7 days', input: { ending_within: '7d' } },
  { what: 'quality from 10', input: { quality_min: 10 } },
  {
    what: 'weak filters together',
    input: { tld: 'com', max_price: 10_000, quality_min: 5, ending_within: '7d', sort: 'newest' },
  },
  { what: 'q=cloud', input: { q: 'cloud' } },
  { what: 'q=cloud, best with bids', input: { q: 'cloud', min_bids: 1, sort: 'quality' } },
  { what: 'q=the (three letters)', input: { q: 'the' } },
  { what: 'q=cloud.co', input: { q: 'cloud.co' } },
  { what: 'q=e (one letter)', input: { q: 'e' } },
  { what: 'q=st (two letters)', input: { q: 'st' } },
  { what: 'q=com (a TLD)', input: { q: 'com' } },
  { what: 'q=zuzuvobi (rare)', input: { q: 'zuzuvobi' }, targetMs: 5 },
  { what: 'q=qqqqq (no match)', input: { q: 'qqqqq' }, targetMs: 5 },
]
