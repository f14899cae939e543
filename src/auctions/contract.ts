import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { SOURCE_IDS } from './auction.ts'
import { ORDERED_SORTS, SORTS, SPANS } from './query.ts'

const capability = { name: 'auctions', description: 'Domains that are being auctioned now.' }

const MAX_AUCTIONS = 200
const MAX_DOMAIN_LENGTH = 253

const whole = (description: string, example: number) =>
  z
    .int()
    .optional()
    .meta({ description, examples: [example] })
const dollars = (description: string, example: number) =>
  z
    .number()
    .optional()
    .meta({ description: `${description} In US dollars.`, examples: [example] })
const moment = (description: string) =>
  z.string().meta({ description: `${description} ISO 8601.`, examples: ['2026-11-20T16:00:00.000Z'] })

const Metrics = z
  .object({
    metric_a_dr: whole('Domain rating of the first provider, 0 to 100.', 12),
    metric_a_backlinks: whole('Backlinks the first provider knows.', 160),
    metric_b_score: whole('Authority score of the second provider, 0 to 100.', 8),
    metric_b_backlinks: whole('Backlinks the second provider knows.', 31),
    metric_c_cf: whole('Citation flow of the third provider, 0 to 100.', 14),
    metric_c_tf: whole('Trust flow of the third provider, 0 to 100.', 11),
    metric_c_backlinks: whole('Backlinks the third provider knows.', 75),
    appraisal_a_value: dollars('What the first appraiser thinks it is worth.', 270),
    appraisal_b_value: dollars('What the second appraiser thinks it is worth.', 3853),
    keyword_search_volume: whole('Searches a month for its words.', 5400),
    extensions_taken: whole('TLDs under which the same name is registered.', 38),
    registered_date: z
      .string()
      .optional()
      .meta({ description: 'When it was registered, `YYYY-MM-DD`.', examples: ['2016-01-26'] }),
    last_sold_price: dollars('What it was last sold for.', 1200),
    last_sold_year: whole('When that was.', 2019),
    renewal_price: dollars('What a year more costs.', 13.98),
    inbound_links: whole('Links that lead to it.', 45),
    domain_age_years: whole('Years it has been registered.', 9),
  })
  .meta({ id: 'AuctionMetrics', description: 'What others have measured; each is left out where nobody did.' })

const AuctionSchema = z
  .object({
    domain: z.string().meta({ description: 'Domain in ASCII.', examples: ['example.com'] }),
    tld: z.string().meta({ description: 'What follows its first dot.', examples: ['com'] }),
    source: z.enum(SOURCE_IDS).meta({ description: 'Where it is sold.' }),
    source_url: z.string().optional().meta({ description: 'Page of the auction; left out where it is unknown.' }),
    current_price: z.number().meta({ description: 'Price now, in `currency`.', examples: [69] }),
    start_price: z
      .number()
      .optional()
      .meta({ description: 'First price, in `currency`.', examples: [1] }),
    currency: z.string().meta({ description: 'ISO 4217.', examples: ['USD'] }),
    price_usd: z.number().meta({ description: 'Price now in US dollars.', examples: [69] }),
    bid_count: z.int().meta({ description: 'Bids so far.', examples: [3] }),
    started_at: moment('When it began.').optional(),
    ends_at: moment('When it ends.'),
    quality_score: z.int().meta({
      description: '0 to 100, weighed out of the metrics, the bids and the name itself.',
      examples: [64],
    }),
    metrics: Metrics.optional(),
    updated_at: moment('When anything about it last changed here.').optional(),
  })
  .meta({ id: 'Auction', description: 'One auction that has not ended.' })

const Answer = z
  .object({
    auctions: z.array(AuctionSchema).meta({ description: 'In the order asked for.' }),
    meta: z
      .object({
        total: z.int().meta({ description: 'How many there are; exact.', examples: [1] }),
        limit: z.int().meta({ description: 'Most auctions in this answer.', examples: [50] }),
        offset: z.int().meta({ description: 'Auctions left out before these.', examples: [0] }),
        sources: z
          .record(
            z.string(),
            z.object({
              last_sync: moment('When it was last read completely; left out before the first time.').optional(),
              count: z.int().meta({ description: 'Live auctions of it.', examples: [1_104_121] }),
            }),
          )
          .meta({ description: 'Every source that is configured.' }),
      })
      .meta({ description: 'About the list.' }),
  })
  .meta({ id: 'Auctions', description: 'Auctions found.' })

const words = <Word extends string>(table: Readonly<Record<Word, unknown>>) => Object.keys(table) as [Word, ...Word[]]
const name = (description: string) =>
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
  description: 'Live auctions of every configured source, filtered and sorted. Equals keep their order between pages.',
  input: z.object({
    q: name(
      'Any part of the domain, TLD included, in any case. All characters are literal; with `tld`, `q=shop` finds shops under one TLD.',
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
      .meta({ description: 'Lowest price now, US dollars.', examples: [10] }),
    max_price: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Highest price now, US dollars.', examples: [500] }),
    min_bids: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Fewest bids.', examples: [1] }),
    ending_within: z
      .enum(words(SPANS))
      .optional()
      .meta({ description: 'Only auctions that end within this time.', examples: ['24h'] }),
    sort: z
      .enum([...words(SORTS), ...words(ORDERED_SORTS)])
      .optional()
      .meta({
        description:
          'Order; `ending_soon` by default. `price`, `end_time`, `bids` and `quality_score` belong to the second parameter set and may be turned round by `order`.',
        examples: ['ending_soon'],
      }),
    quality_min: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: 'Lowest quality score; 0 by default.', examples: [60] }),
    hot: z.boolean().default(false).meta({
      description: 'Short for `quality_min=60`, `min_bids=1`, `sort=quality`; what is said explicitly holds.',
    }),
    limit: z
      .int()
      .min(1)
      .default(50)
      .transform((value) => Math.min(value, MAX_AUCTIONS))
      .meta({ description: `Most auctions; more than ${MAX_AUCTIONS} is taken as ${MAX_AUCTIONS}.`, examples: [50] }),
    offset: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(0)
      .meta({ description: 'Auctions to leave out before the first.', examples: [0] }),
    keyword: name('The same as `q`, which holds where both are there.'),
    order: z
      .enum(['asc', 'desc'])
      .optional()
      .meta({
        description: 'For the sorts of the second parameter set: `desc` by default for bids and quality, else `asc`.',
        examples: ['asc'],
      }),
  }),
  output: Answer,
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
