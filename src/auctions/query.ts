import type { SourceId } from './auction.ts'
import type { ShelfQuestion, SortKey } from './shelf.ts'

export const SORTS = {
  ending_soon: { key: 'ends', descending: false },
  most_bids: { key: 'bids', descending: true },
  price_asc: { key: 'price', descending: false },
  price_desc: { key: 'price', descending: true },
  quality: { key: 'quality', descending: true },
  newest: { key: 'newest', descending: true },
} as const satisfies Record<string, { key: SortKey; descending: boolean }>

/** Those of the second parameter set; `order` may turn them round. */
export const ORDERED_SORTS = {
  price: { key: 'price', descending: false },
  end_time: { key: 'ends', descending: false },
  bids: { key: 'bids', descending: true },
  quality_score: { key: 'quality', descending: true },
} as const satisfies Record<string, { key: SortKey; descending: boolean }>

export const SPANS = { '1h': 3600, '6h': 21_600, '24h': 86_400, '3d': 259_200, '7d': 604_800 } as const

export type Asked = {
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

/** What the shelf is asked for: both parameter sets read, `hot` filled in where nothing else was said. */
export function questionOf(asked: Asked, configured: readonly SourceId[], nowMs: number): ShelfQuestion {
  const preset = asked.hot ? HOT : {}
  const { sort = 'ending_soon', min_bids: minBids, quality_min: minQuality } = { ...preset, ...given(asked) }
  const { key, descending } = sortOf(sort, asked.order)
  const now = Math.floor(nowMs / 1000)
  const contains = (asked.q || asked.keyword)?.trim()
  return {
    now,
    sources: configured.filter((id) => asked.source === undefined || id === asked.source),
    sort: key,
    descending,
    limit: asked.limit,
    offset: asked.offset,
    // ASCII only: other letters could become ASCII in lower case, and a domain has no others.
    ...(contains && { contains: contains.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }),
    ...(asked.tld !== undefined && { tld: asked.tld.toLowerCase().replace(/^\./, '') }),
    // Cents between two prices: at least 9.999 dollars is at least 10.00, at most is at most 9.99.
    ...(asked.min_price !== undefined && { minPrice: Math.ceil(cents(asked.min_price)) }),
    ...(asked.max_price !== undefined && { maxPrice: Math.floor(cents(asked.max_price)) }),
    ...(minBids !== undefined && { minBids }),
    ...(minQuality !== undefined && { minQuality }),
    ...(asked.ending_within !== undefined && { endsBy: now + SPANS[asked.ending_within] }),
  }
}

const given = (asked: Asked): Partial<Asked> =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))

function sortOf(sort: NonNullable<Asked['sort']>, order: Asked['order']) {
  if (!(sort in ORDERED_SORTS)) return SORTS[sort as keyof typeof SORTS]
  const ordered = ORDERED_SORTS[sort as keyof typeof ORDERED_SORTS]
  return { key: ordered.key, descending: order === undefined ? ordered.descending : order === 'desc' }
}

/** 0.07 × 100 is a little more than 7 for a computer; thousandths of a cent are not meant. */
const cents = (dollars: number): number => Math.round(dollars * 100_000) / 1000
