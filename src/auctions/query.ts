import type { SourceId } from './auction.ts'
import type { ListingQuery, SortKey } from './listing-index.ts'

export const SORTS = {
  ending_soon: { key: 'ends', descending: false },
  most_bids: { key: 'bids', descending: true },
  price_asc: { key: 'price', descending: false },
  price_desc: { key: 'price', descending: true },
  quality: { key: 'quality', descending: true },
  newest: { key: 'newest', descending: true },
} as const satisfies Record<string, { key: SortKey; descending: boolean }>

/** Sorts of the second parameter set; `order` may reverse them. */
export const ORDERED_SORTS = {
  price: { key: 'price', descending: false },
  end_time: { key: 'ends', descending: false },
  bids: { key: 'bids', descending: true },
  quality_score: { key: 'quality', descending: true },
} as const satisfies Record<string, { key: SortKey; descending: boolean }>

export const SPANS = { '1h': 3600, '6h': 21_600, '24h': 86_400, '3d': 259_200, '7d': 604_800 } as const

export type AuctionsQuery = {
  readonly q?: string | undefined
  readonly keyword?: string | undefined
  readonly tld?: string | undefined
  readonly source?: SourceId | undefined
  readonly min_price?: number | undefined
  readonly max_price?: number | undefined
  readonly min_bids?: number | undefined
  readonly ending_within?: keyof typeof SPANS | undefined
  readonly sort?: keyof typeof SORTS | keyof typeof ORDERED_SORTS | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly quality_min?: number | undefined
  readonly hot: boolean
  readonly limit: number
  readonly offset: number
}

const HOT = { quality_min: 60, min_bids: 1, sort: 'quality' } as const

/** Merges both parameter sets; `hot` supplies defaults for what is not given. */
export function toListingQuery(input: AuctionsQuery, configured: readonly SourceId[], nowMs: number): ListingQuery {
  const preset = input.hot ? HOT : {}
  const { sort = 'ending_soon', min_bids: minBids, quality_min: minQuality } = { ...preset, ...given(input) }
  const { key, descending } = sortOf(sort, input.order)
  const now = Math.floor(nowMs / 1000)
  const contains = (input.q || input.keyword)?.trim()
  return {
    now,
    sources: configured.filter((id) => input.source === undefined || id === input.source),
    sort: key,
    descending,
    limit: input.limit,
    offset: input.offset,
    // Lower-case ASCII only: other letters could turn into ASCII, and domains contain only ASCII.
    ...(contains && { contains: contains.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }),
    ...(input.tld !== undefined && { tld: input.tld.toLowerCase().replace(/^\./, '') }),
    // Round towards matching prices: a minimum of 9.999 dollars means 10.00, a maximum of 9.999 means 9.99.
    ...(input.min_price !== undefined && { minPrice: Math.ceil(cents(input.min_price)) }),
    ...(input.max_price !== undefined && { maxPrice: Math.floor(cents(input.max_price)) }),
    ...(minBids !== undefined && { minBids }),
    ...(minQuality !== undefined && { minQuality }),
    ...(input.ending_within !== undefined && { endsBy: now + SPANS[input.ending_within] }),
  }
}

const given = (input: AuctionsQuery): Partial<AuctionsQuery> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

function sortOf(sort: NonNullable<AuctionsQuery['sort']>, order: AuctionsQuery['order']) {
  if (!(sort in ORDERED_SORTS)) return SORTS[sort as keyof typeof SORTS]
  const ordered = ORDERED_SORTS[sort as keyof typeof ORDERED_SORTS]
  return { key: ordered.key, descending: order === undefined ? ordered.descending : order === 'desc' }
}

/** Rounded to 1/1000 cent, because 0.07 × 100 is slightly more than 7 in floating point. */
const cents = (dollars: number): number => Math.round(dollars * 100_000) / 1000
