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

/** The pages of a feed that is not delivered at once. */
const pagesSchema = z
  .strictObject({
    /** Query parameter with the number of the page; the first is 1. */
    parameter: z.string().min(1).max(100).optional(),
    /** Or the path of every page but the first, with `{page}`. */
    path: z
      .string()
      .regex(/^\/.*\{page\}/, 'must be a path with {page}')
      .optional(),
    /** Records of a full page; one with fewer is the last. */
    size: z.int().min(1).max(10_000).optional(),
    /** Query parameter that can set another size. */
    sizeParameter: z.string().min(1).max(100).optional(),
    /** Or the member that is true if there is another page. */
    more: z.string().min(1).max(100).optional(),
    /** Minimum time between two requests. */
    intervalMs: z.int().min(0).max(60_000).default(1000),
  })
  .refine(
    ({ parameter, path }) => (parameter === undefined) !== (path === undefined),
    'must have a parameter or a path',
  )
  .refine(({ size, more }) => (size === undefined) !== (more === undefined), 'must have size or more')
export type Pages = z.output<typeof pagesSchema>

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
  /** Character encoding; UTF-16 is recognised by itself. */
  encoding: z.enum(['utf-8', 'iso-8859-1']).default('utf-8'),
  /** Whether the text has HTML character references such as `&#163;`. They are decoded before a line is split. */
  entities: z.boolean().default(false),
  /** The member that contains the records, for JSON that is not a list itself; with pages also a path such as `reply.body`. */
  list: z.string().max(200).optional(),
  pages: pagesSchema.optional(),
  /** For records without a currency. */
  currency: currency.default('USD'),
  /** Decimal separator of amounts; `any` if a separator before three digits groups thousands, whichever it is. */
  decimal: z.enum(['.', ',', 'any']).default('.'),
  /** For times without a zone. */
  timeZone: zone.default('UTC'),
  /** How times are written: see `timestamps.ts`. */
  times: z.enum(['iso', 'year-day-month']).default('iso'),
  /** Whether a negative bid count means that it is unknown. */
  negativeIsMissing: z.boolean().default(false),
  /** What of a URL is the id: its last path segment, or the digits at the end of it. */
  idPart: z.enum(['segment', 'digits']).default('segment'),
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

/** How a feed of domains that are for sale without an end is parsed. Only presets have one. */
export const saleMapSchema = feedMapSchema.extend({
  fields: z
    .partialRecord(z.enum(FIELDS), z.string().min(1).max(200))
    .refine(({ domain, current_price }) => Boolean(domain && current_price)),
})
