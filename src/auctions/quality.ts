import type { Metrics } from './auction.ts'

/** Input of the quality score. `nameScore` is 0 to 1, or null if unknown. */
export type QualityInput = {
  readonly metrics: Metrics
  readonly bids: number
  /** Seconds since the epoch. Age is measured at the end of the auction, so that the score does not change over time. */
  readonly endsAt: number
  readonly nameScore: number | null
}

/** Total weight of known metrics from which no coverage penalty applies. */
const FULL_COVERAGE = 60
const YEAR_SECONDS = 365.25 * 86_400

/** 0 to 100; docs/auctions.md explains it. The weights are a proposal, not fitted to sales. */
export function qualityScore({ metrics, bids, endsAt, nameScore }: QualityInput): number {
  const { metric_a_dr: dr, metric_b_score: authority, metric_c_tf: trust, metric_c_cf: citation } = metrics
  const appraisal = maxOf(metrics.appraisal_a_value, metrics.appraisal_b_value)
  const links = maxOf(
    metrics.metric_a_backlinks,
    metrics.metric_b_backlinks,
    metrics.metric_c_backlinks,
    metrics.inbound_links,
  )
  const age = metrics.domain_age_years ?? yearsSince(metrics.registered_date, endsAt)
  let weight = 0
  let sum = 0
  const weigh = (share: number, value: number | undefined) => {
    if (value === undefined) return
    weight += share
    sum += share * clamp(value)
  }
  weigh(22, onLogScale(appraisal, 20_000))
  weigh(20, nameScore ?? undefined)
  weigh(14, over(dr, 100))
  // Citations without trust are bought links.
  weigh(10, trust === undefined ? undefined : (trust / 40) * (citation ? Math.min(1, (2 * trust) / citation) : 1))
  weigh(10, onLogScale(metrics.keyword_search_volume, 100_000))
  weigh(8, over(authority, 100))
  weigh(8, onLogScale(metrics.extensions_taken, 100))
  weigh(8, over(age, 15))
  weigh(6, onLogScale(links, 1000))
  const mean = weight === 0 ? 0 : sum / weight
  // A single good metric must not give a high score.
  const coverage = Math.min(1, weight / FULL_COVERAGE)
  const interest = clamp(Math.log1p(bids) / Math.log1p(20))
  return Math.round(100 * clamp(0.85 * mean * (0.6 + 0.4 * coverage) + 0.15 * interest))
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
const over = (value: number | undefined, full: number) => (value === undefined ? undefined : value / full)

/** Counts and prices are heavy-tailed: the step from 10 to 100 is worth as much as the one from 100 to 1,000. */
const onLogScale = (value: number | undefined, full: number) =>
  value === undefined ? undefined : Math.log1p(value) / Math.log1p(full)

function maxOf(...values: readonly (number | undefined)[]): number | undefined {
  let best: number | undefined
  for (const value of values) if (value !== undefined && (best === undefined || value > best)) best = value
  return best
}

function yearsSince(date: string | undefined, endsAt: number): number | undefined {
  return date === undefined ? undefined : (endsAt - Date.parse(date) / 1000) / YEAR_SECONDS
}
