import type { Metrics } from '../../auction.ts'
import { type Decimal, parseAmount } from './amounts.ts'
import type { Field } from './feed-map.ts'
import type { ParseTimestamp } from './timestamps.ts'

type MetricName = keyof Metrics & Field

const MAX_COUNT = 0x7fff_ffff
/** The first domain was registered in March 1985. */
const FIRST_YEAR = 1985

/** Integer metrics and their maximum; larger values are dropped. */
const COUNTS: readonly (readonly [MetricName, number])[] = [
  ['metric_a_dr', 100],
  ['metric_a_backlinks', MAX_COUNT],
  ['metric_b_score', 100],
  ['metric_b_backlinks', MAX_COUNT],
  ['metric_c_cf', 100],
  ['metric_c_tf', 100],
  ['metric_c_backlinks', MAX_COUNT],
  ['keyword_search_volume', MAX_COUNT],
  ['extensions_taken', 100_000],
  ['inbound_links', MAX_COUNT],
  ['domain_age_years', 100],
]
const PRICES: readonly MetricName[] = ['appraisal_a_value', 'appraisal_b_value', 'last_sold_price', 'renewal_price']
const MAX_DOLLARS = 1e10

/** The plausible metrics of a record; the others are left out. */
export function parseMetrics(
  values: (field: Field) => unknown,
  { parseTime, decimal, endsAt }: { parseTime: ParseTimestamp; decimal: Decimal; endsAt: number },
): Metrics {
  const metrics: Record<string, number | string> = {}
  for (const [name, max] of COUNTS) {
    const value = parseAmount(values(name), decimal)
    if (value !== undefined && value <= max) metrics[name] = Math.round(value)
  }
  for (const name of PRICES) {
    const value = parseAmount(values(name), decimal)
    if (value !== undefined && value <= MAX_DOLLARS) metrics[name] = Math.round(value * 100) / 100
  }
  const endYear = new Date(endsAt * 1000).getUTCFullYear()
  const year = parseAmount(values('last_sold_year'), decimal)
  if (year !== undefined && Number.isInteger(year) && year >= FIRST_YEAR && year <= endYear) {
    metrics['last_sold_year'] = year
  }
  const registered = parseTime(values('registered_date'))
  if (registered !== undefined && registered < endsAt) {
    const date = new Date(registered * 1000).toISOString().slice(0, 10)
    if (Number(date.slice(0, 4)) >= FIRST_YEAR) metrics['registered_date'] = date
  }
  return metrics
}
