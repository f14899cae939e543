import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { SOURCE_IDS } from './auction.ts'
import { ORDERED_SORTS, SORTS, SPANS } from './query.ts'

const capability = { name: 'auctions', description: 'Domains that are being auctioned now.' }

const MAX_AUCTIONS = 200
const MAX_DOMAIN_LENGTH = 253

const integer = (description: string, example: number) =>
  z
    .int()
    .optional()
    .meta({ description, examples: [example] })
const dollars = (description: string, example: number) =>
  z
    .number()
    .optional()
    .meta({ description: `${description} In US dollars.`, examples: [example] })
const time = (description: string) =>
  z.string().meta({ description: `${description} ISO 8601.`, examples: ['2026-11-20T16:00:00.000Z'] })

const Metrics = z
  .object({
    metric_a_dr: integer('Domain rating by the first provider, 0 to 100.', 12),
    metric_a_backlinks: integer('Backlinks known to the first provider.', 160),
    metric_b_score: integer('Authority score by the second provider, 0 to 100.', 8),
    metric_b_backlinks: integer('Backlinks known to the second provider.', 31),
    metric_c_cf: integer('Citation flow of the third provider, 0 to 100.', 14),
    metric_c_tf: integer('Trust flow of the third provider, 0 to 100.', 11),
    metric_c_backlinks: integer('Backlinks known to the third provider.', 75),
    appraisal_a_value: dollars('Value estimated by the first appraiser.', 270),
    appraisal_b_value: dollars('Value estimated by the second appraiser.', 3853),
    keyword_search_volume: integer('Monthly searches for its keywords.', 5400),
    extensions_taken: integer('TLDs under which the same name is registered.', 38),
    registered_date: z
      .string()
      .optional()
      .meta({ description: 'Registration date, `YYYY-MM-DD`.', examples: ['2016-01-26'] }),
    last_sold_price: dollars('Last sale price.', 1200),
    last_sold_year: integer('Year of the last sale.', 2019),
    renewal_price: dollars('Annual renewal price.', 13.98),
    inbound_links: integer('Inbound links.', 45),
    domain_age_years: integer('Age of the registration in years.', 9),
  })
  .meta({ id: 'AuctionMetrics', description: 'Third-party metrics; unknown ones are left out.' })

const AuctionSchema = z
  .object({
    domain: z.string().meta({ description: 'Domain in ASCII.', examples: ['example.com'] }),
    tld: z.string().meta({ description: 'Everything after the first dot of the domain.', examples: ['com'] }),
    source: z.enum(SOURCE_IDS).meta({ description: 'Auction source.' }),
    source_url: z.string().optional().meta({ description: 'Page of the auction; left out if unknown.' }),
    current_price: z.number().meta({ description: 'Current price, in `currency`.', examples: [69] }),
    start_price: z
      .number()
      .optional()
      .meta({ description: 'Start price, in `currency`.', examples: [1] }),
    currency: z.string().meta({ description: 'ISO 4217 currency code.', examples: ['USD'] }),
    price_usd: z.number().meta({ description: 'Current price in US dollars.', examples: [69] }),
    bid_count: z.int().meta({ description: 'Number of bids.', examples: [3] }),
    started_at: time('When it began.').optional(),
    ends_at: time('When it ends.'),
    quality_score: z.int().meta({
      description: 'Quality score from 0 to 100, computed from the metrics, the bids and the name.',
      examples: [64],
    }),
    metrics: Metrics.optional(),
    updated_at: time('When this entry last changed.').optional(),
  })
  .meta({ id: 'Auction', description: 'One auction that has not ended.' })

const AuctionPage = z
  .object({
    auctions: z.array(AuctionSchema).meta({ description: 'One page of matches, in the requested order.' }),
    meta: z
      .object({
        total: z.int().meta({ description: 'Exact number of matches.', examples: [1] }),
        limit: z.int().meta({ description: 'Maximum number of auctions in this response.', examples: [50] }),
        offset: z.int().meta({ description: 'Number of matches skipped before this page.', examples: [0] }),
        sources: z
          .record(
            z.string(),
            z.object({
              last_sync: time('Last complete sync; left out before the first one.').optional(),
              count: z.int().meta({ description: 'Live auctions of this source.', examples: [1_104_121] }),
            }),
          )
          .meta({ description: 'All configured sources.' }),
      })
      .meta({ description: 'Paging and sources.' }),
  })
  .meta({ id: 'Auctions', description: 'Matching auctions.' })

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) => Object.keys(table) as [Key, ...Key[]]
const domainText = (description: string) =>
  z
    .string()
    .max(MAX_DOMAIN_LENGTH)
    .optional()
    .meta({ description, examples: ['cloud'] })

export const listAuctions = endpoint({
  name: 'listAuctions',
  capability,
  command: 'auctions',
  method: 'GET',
  path: '/v1/auctions',
  summary: 'Find domains that are being auctioned',
  description:
    'Live auctions of every configured source, filtered and sorted. Equal rows keep their order between pages.',
  input: z.object({
    q: domainText(
      'Substring of the domain including its TLD, case-insensitive, without wildcards. Combine with `tld` to search one TLD.',
    ),
    tld: z
      .string()
      .regex(/^\.?[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,3}$/i, 'is not a TLD; write it like com or co.uk.')
      .optional()
      .meta({ description: 'Only domains of this TLD.', examples: ['com'] }),
    source: z
      .enum(SOURCE_IDS)
      .optional()
      .meta({ description: 'Only auctions of this source.', examples: ['source_a'] }),
    min_price: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Minimum current price, in US dollars.', examples: [10] }),
    max_price: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Maximum current price, in US dollars.', examples: [500] }),
    min_bids: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Minimum number of bids.', examples: [1] }),
    ending_within: z
      .enum(keysOf(SPANS))
      .optional()
      .meta({ description: 'Only auctions that end within this time.', examples: ['24h'] }),
    sort: z
      .enum([...keysOf(SORTS), ...keysOf(ORDERED_SORTS)])
      .optional()
      .meta({
        description:
          'Sort order; `ending_soon` by default. `price`, `end_time`, `bids` and `quality_score` belong to the second parameter set and can be reversed with `order`.',
        examples: ['ending_soon'],
      }),
    quality_min: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: 'Minimum quality score; 0 by default.', examples: [60] }),
    hot: z.boolean().default(false).meta({
      description: 'Same as `quality_min=60`, `min_bids=1`, `sort=quality`; explicit parameters take precedence.',
    }),
    limit: z
      .int()
      .min(1)
      .default(50)
      .transform((value) => Math.min(value, MAX_AUCTIONS))
      .meta({
        description: `Maximum number of auctions; values above ${MAX_AUCTIONS} are treated as ${MAX_AUCTIONS}.`,
        examples: [50],
      }),
    offset: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(0)
      .meta({ description: 'Number of matches to skip.', examples: [0] }),
    keyword: domainText('Alias of `q`; ignored if `q` is given.'),
    order: z
      .enum(['asc', 'desc'])
      .optional()
      .meta({
        description:
          'Direction for the sorts of the second parameter set: `desc` by default for bids and quality, otherwise `asc`.',
        examples: ['asc'],
      }),
  }),
  output: AuctionPage,
  errors: ['invalid_parameter', 'service_unavailable'],
  rate: 'counted',
  tool: true,
  example: {
    input: { hot: true },
    output: {
      auctions: [
        {
          domain: 'example.com',
          tld: 'com',
          source: 'source_a',
          source_url: 'https://market.example/sale/2RWa',
          current_price: 69,
          start_price: 1,
          currency: 'USD',
          price_usd: 69,
          bid_count: 3,
          started_at: '2026-11-10T08:38:08.000Z',
          ends_at: '2026-11-20T16:00:00.000Z',
          quality_score: 64,
          metrics: { metric_a_dr: 41, appraisal_b_value: 3853, extensions_taken: 38, registered_date: '2016-01-26' },
          updated_at: '2026-11-15T07:00:00.000Z',
        },
      ],
      meta: {
        total: 1,
        limit: 50,
        offset: 0,
        sources: { source_a: { last_sync: '2026-11-15T07:00:00.000Z', count: 1_104_121 } },
      },
    },
  },
})
