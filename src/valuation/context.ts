/** The kind of sale. `reported`: by a trade journal, which prints the better half; `top`: among the best of its year. */
export type Market = 'auction' | 'retail' | 'reported' | 'top' | 'other'

/** What is known about a sale besides the name. */
export type SaleContext = {
  readonly market: Market
  readonly venue: string | null
  /** Includes the fraction of the year if the day is known. */
  readonly year: number | null
}

export const CONTEXT_FEATURES = ['isAuction', 'isRetail', 'isReported', 'isTop', 'venueEffect', 'year'] as const

/** Year of a sale without a date: the middle of the training sales. */
const DEFAULT_YEAR = 2019

/** Writes the context into the row, starting at `from`. */
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
  row[from + 5] = year ?? DEFAULT_YEAR
}
