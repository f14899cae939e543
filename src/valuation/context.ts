/** How a sale came about. `reported`: told to a trade journal, the better half; `top`: among the best of its year. */
export type Market = 'auction' | 'retail' | 'reported' | 'top' | 'other'

/** What is known of a sale besides the name. */
export type SaleContext = {
  readonly market: Market
  readonly venue: string | null
  /** With its fraction where the day is known. */
  readonly year: number | null
}

export const CONTEXT_FEATURES = ['isAuction', 'isRetail', 'isReported', 'isTop', 'venueEffect', 'year'] as const

/** Where a sale without a date is put: the middle of the years we have seen. */
const UNKNOWN_YEAR = 2019

/** Writes the context after the features of the name. */
export function writeContext(
  { market, venue, year }: SaleContext,
  venues: ReadonlyMap<string, number>,
  row: Float64Array,
  from: number,
): void {
  row[from] = market === 'auction' ? 1 : 0
  row[from + 1] = market === 'retail' ? 1 : 0
  row[from + 2] = market === 'reported' ? 1 : 0
  row[from + 3] = market === 'top' ? 1 : 0
  row[from + 4] = venue === null ? 0 : (venues.get(venue) ?? 0)
  row[from + 5] = year ?? UNKNOWN_YEAR
}
