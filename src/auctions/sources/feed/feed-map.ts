import * as z from 'zod'

/** Fields a column can be mapped to: those of an auction, named as in the API, and `id`. */
export const FIELDS = [
  'id',
  'domain',
  'source_url',
  'current_price',
  'start_price',
  'currency',
  'bid_count',
  'started_at',
  'ends_at',
  'metric_a_dr',
  'metric_a_backlinks',
  'metric_b_score',
  'metric_b_backlinks',
  'metric_c_cf',
  'metric_c_tf',
  'metric_c_backlinks',
  'appraisal_a_value',
  'appraisal_b_value',
  'keyword_search_volume',
  'extensions_taken',
  'registered_date',
  'last_sold_price',
  'last_sold_year',
  'renewal_price',
  'inbound_links',
  'domain_age_years',
] as const
export type Field = (typeof FIELDS)[number]

export const FORMATS = ['csv', 'json', 'jsonl'] as const

const zone = z.string().refine((name) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}, 'must be a time zone such as UTC or Europe/Berlin')
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency such as USD')

/** How a feed is parsed. Plain data: operators write it, and it is sent to worker threads. */
export const feedMapSchema = z.strictObject({
  format: z.enum(FORMATS).default('csv'),
  /** For CSV. */
  delimiter: z
    .string()
    .length(1)
    .regex(/[^"\r\n]/)
    .default(','),
  /** Column names, for CSV without a header line. */
  header: z.array(z.string().max(200)).min(1).max(500).optional(),
  /** The member that contains the records, for JSON that is not a list itself. */
  list: z.string().max(200).optional(),
  /** For records without a currency. */
  currency: currency.default('USD'),
  /** For times without a zone. */
  timeZone: zone.default('UTC'),
  /** Dollars for one unit of a currency; records in a currency without a rate are refused. */
  rates: z.record(currency, z.string().regex(/^\d{1,4}(\.\d{1,6})?$/, 'must be a number such as 1.27')).default({}),
  /** URL of an auction, for records without one: `{id}` and `{domain}` are filled in. */
  url: z
    .string()
    .regex(/^https?:\/\/[^{}\s]+/, 'must be a URL')
    .optional(),
  /** Field → column. */
  fields: z
    .partialRecord(z.enum(FIELDS), z.string().min(1).max(200))
    .refine(({ domain, ends_at, current_price }) => Boolean(domain && ends_at && current_price), {
      message: 'must name the columns of domain, current_price and ends_at',
    }),
})
export type FeedMap = z.output<typeof feedMapSchema>
export type FeedMapInput = z.input<typeof feedMapSchema>
