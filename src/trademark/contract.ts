import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { MAX_REACHABLE_RESULTS } from './search-index.ts'

const capability = { name: 'trademark', description: 'Whether a name is registered as a trademark.' }

const MAX_RESULTS = 100
const NO_DATE = '0001-01-01T00:00:00Z'

const date = (description: string) =>
  z.string().meta({
    description: `${description} ISO 8601; \`${NO_DATE}\` if unknown.`,
    examples: ['2019-05-01T00:00:00Z'],
  })

const MatchDetails = z
  .object({
    exact_match: z
      .boolean()
      .meta({ description: 'Whether the texts are equal, ignoring spaces, case and punctuation.' }),
    phonetic_match: z.boolean().meta({ description: 'Whether they sound the same.' }),
    fuzzy_distance: z
      .int()
      .meta({ description: 'Edit distance: letters to change to make the texts equal.', examples: [0] }),
    string_similarity: z.number().meta({ description: 'Similarity of the spelling, 0 to 1.', examples: [1] }),
    prefix_match: z.boolean().meta({ description: 'Whether one text begins with the other.' }),
    phonetic_codes: z
      .string()
      .optional()
      .meta({ description: 'Phonetic codes of the query.', examples: ['AKM'] }),
    matched_codes: z
      .string()
      .optional()
      .meta({ description: 'Phonetic codes of the mark.', examples: ['AKM'] }),
    index_score: z
      .number()
      .meta({ description: 'Weight of the matched words; rarer words weigh more.', examples: [12.5] }),
    reasons: z
      .array(z.string())
      .meta({ description: 'Why this mark is a result, in plain words.', examples: [['sounds the same: AKM']] }),
  })
  .meta({ id: 'TrademarkMatch', description: 'How a mark matches the query.' })

const RecordData = z
  .object({
    current_status: z.string().meta({ description: 'Status as text.', examples: ['Registered and renewed'] }),
    current_owner: z.string().meta({ description: 'Latest owner on record.', examples: ['Acme Ltd'] }),
    last_updated: z
      .string()
      .meta({ description: '`YYYY-MM-DD`; when the record last changed.', examples: ['2026-01-15'] }),
    prosecution_history_summary: z
      .string()
      .meta({ description: 'Latest events, newest first, separated by semicolons.' }),
    attorney_of_record: z.string().meta({ description: 'Empty if unknown.' }),
    live_dead: z.enum(['LIVE', 'DEAD']).meta({ description: '`LIVE` if registered or pending, else `DEAD`.' }),
    record_url: z.string().meta({ description: 'Page of this record at the Office.' }),
    goods_services_classes: z.array(z.string()).meta({ description: 'Nice classes.', examples: [['009']] }),
  })
  .meta({ id: 'TrademarkRecordData', description: 'Current details of the record.' })

const Trademark = z
  .object({
    serial_number: z.string().meta({ description: 'Application serial number.', examples: ['75123456'] }),
    mark_text: z
      .string()
      .meta({ description: 'Words of the mark; empty for a mark without words.', examples: ['ACME'] }),
    status_code: z.string().meta({ description: 'Three-digit status code of the Office.', examples: ['800'] }),
    filing_date: date('Day of the application.'),
    registration_date: date('Day of the registration.'),
    renewal_date: date('Day the current term began.'),
    owner_name: z.string().meta({ description: 'Latest owner on record.', examples: ['Acme Ltd'] }),
    goods_services: z.string().meta({ description: 'Goods and services.', examples: ['Anvils; rockets'] }),
    class_numbers: z.array(z.string()).meta({ description: 'Nice classes, zero-padded.', examples: [['009']] }),
    match_score: z.number().meta({ description: '0 to 1; 1 means the same mark.', examples: [1] }),
    group_count: z
      .int()
      .optional()
      .meta({
        description: 'With `group=mark`: records with this text among the results, this one included.',
        examples: [3],
      }),
    match_details: MatchDetails,
    record_enriched: z.boolean().meta({ description: 'Whether `record_data` is present.' }),
    record_data: RecordData.optional(),
  })
  .meta({ id: 'Trademark', description: 'One record of the register.' })

const scope = z.string().optional().meta({
  description:
    'Which part of the register is in the index, such as `only filed since 2024-01-01`; left out for all of it.',
})

const Results = z
  .object({
    results: z.array(Trademark).meta({
      description:
        'Best first: by `match_score`, then live before dead, then newest, then by serial number. Expiring marks come soonest first.',
    }),
    total: z.int().meta({ description: 'Number of results; exact up to 10,000.', examples: [1] }),
    total_is_lower_bound: z.literal(true).optional().meta({
      description:
        'Present if there may be more: above 10,000, or if a large register has more candidates than were compared.',
    }),
    limit: z.int().meta({ description: 'Maximum number of results in this response.', examples: [10] }),
    offset: z.int().meta({ description: 'Number of results skipped.', examples: [0] }),
    query: z.string().meta({ description: 'The query.', examples: ['acme'] }),
    took_ms: z.int().meta({ description: 'Duration of the search in milliseconds.', examples: [4] }),
    index_info: z
      .object({
        total_documents: z.int().meta({ description: 'Records in the index.', examples: [14_000_000] }),
        last_updated: z.string().meta({ description: 'When records were last added, ISO 8601.' }),
        snapshot: z.string().meta({ description: 'Version of the index; equal snapshots give equal results.' }),
        scope,
      })
      .meta({ description: 'The index that was searched.' }),
    disclaimer: z.string().meta({ description: 'Legal notice.' }),
  })
  .meta({ id: 'TrademarkResults', description: 'Trademarks found.' })

const IndexStatus = z
  .object({
    available: z.boolean().meta({ description: 'Whether an index is loaded.' }),
    total_documents: z.int().meta({ description: 'Records in the index.', examples: [14_000_000] }),
    index_size_bytes: z.int().meta({ description: 'Size on disk in bytes.', examples: [2_260_000_000] }),
    last_updated: z.string().meta({ description: `When records were last added, ISO 8601; \`${NO_DATE}\` if never.` }),
    scope,
  })
  .meta({ id: 'TrademarkIndexStatus', description: 'Status of the trademark index.' })

const queryText = (description: string, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description, examples: [example] })
const limit = z
  .int()
  .min(1)
  .default(10)
  .transform((value) => Math.min(value, MAX_RESULTS))
  .meta({
    description: `Maximum number of results; values above ${MAX_RESULTS} are taken as ${MAX_RESULTS}.`,
    examples: [10],
  })
const offset = z
  .int()
  .min(0)
  .max(MAX_REACHABLE_RESULTS)
  .default(0)
  .meta({
    description: `Results to skip; \`offset\` plus \`limit\` is at most ${MAX_REACHABLE_RESULTS}.`,
    examples: [0],
  })
const status = z
  .enum(['live', 'dead', 'all'])
  .default('all')
  .meta({
    description: '`live`: registered or pending. `dead`: abandoned, cancelled or expired.',
    examples: ['live'],
  })

const example = {
  results: [
    {
      serial_number: '75123456',
      mark_text: 'ACME',
      status_code: '800',
      filing_date: '1996-06-03T00:00:00Z',
      registration_date: '1998-02-10T00:00:00Z',
      renewal_date: '2018-02-10T00:00:00Z',
      owner_name: 'Acme Ltd',
      goods_services: 'Anvils; rockets',
      class_numbers: ['006', '013'],
      match_score: 1,
      match_details: {
        exact_match: true,
        phonetic_match: true,
        fuzzy_distance: 0,
        string_similarity: 1,
        prefix_match: true,
        phonetic_codes: 'AKM',
        matched_codes: 'AKM',
        index_score: 12.5,
        reasons: ['same mark'],
      },
      record_enriched: false,
    },
  ],
  total: 1,
  limit: 10,
  offset: 0,
  query: 'acme',
  took_ms: 4,
  index_info: { total_documents: 14_000_000, last_updated: '2026-11-14T00:00:00.000Z', snapshot: '5f2c9a10' },
  disclaimer: 'This is not legal advice.',
}

const common = {
  capability,
  method: 'GET',
  output: Results,
  errors: ['missing_parameter', 'invalid_parameter', 'service_unavailable'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  limitedAs: 'rate_limited',
} as const

export const searchTrademarks = endpoint({
  ...common,
  name: 'searchTrademarks',
  command: 'trademark search',
  path: '/v1/trademark/search',
  summary: 'Find marks that look or sound like a name',
  description: 'Searches by words, sound and spelling. Best match first, with the reasons for each result.',
  input: z.object({
    q: queryText('Mark text.', 'acme'),
    limit,
    offset,
    class: z
      .string()
      .optional()
      .meta({ description: 'Nice class: 9, 09 or 009; also A, B and 200.', examples: ['009'] }),
    status,
    group: z
      .enum(['mark'])
      .optional()
      .meta({
        description:
          '`mark` returns one result per mark text: its best record, with the number of records as `group_count`. `total` then counts texts. Texts that differ only in case, accents or punctuation are one text.',
        examples: ['mark'],
      }),
  }),
  example: { input: { q: 'acme' }, output: example },
})

export const searchTrademarkDescriptions = endpoint({
  ...common,
  name: 'searchTrademarkDescriptions',
  command: 'trademark description',
  path: '/v1/trademark/search/description',
  summary: 'Find marks by their goods and services',
  description: 'Marks whose goods and services contain all words of the query.',
  input: z.object({ q: queryText('Words of goods and services.', 'rockets'), limit, offset, status }),
  example: { input: { q: 'rockets' }, output: { ...example, query: 'rockets' } },
})

export const searchTrademarkOwners = endpoint({
  ...common,
  name: 'searchTrademarkOwners',
  command: 'trademark owner',
  path: '/v1/trademark/search/owner',
  summary: 'Find marks by their owner',
  description: 'Marks whose latest owner has all words of the query in the name.',
  input: z.object({ q: queryText("Words of the owner's name.", 'acme'), limit, offset, status }),
  example: { input: { q: 'acme' }, output: example },
})

export const expiringTrademarks = endpoint({
  ...common,
  name: 'expiringTrademarks',
  command: 'trademark expiring',
  path: '/v1/trademark/search/expiring',
  summary: 'Find marks that expire soon',
  description: 'Live marks whose term ends within the given number of days, soonest first.',
  input: z.object({
    days: z
      .int()
      .min(1)
      .max(3650)
      .meta({ description: 'Days from today, 1 to 3650.', examples: [30] }),
    limit,
    offset,
  }),
  example: { input: { days: 30 }, output: { ...example, query: '' } },
})

export const trademarkStatus = endpoint({
  ...common,
  name: 'trademarkStatus',
  command: 'trademark status',
  path: '/v1/trademark/search/status',
  summary: 'Show the status of the trademark index',
  description: 'Whether an index is loaded, its size and when it was last updated.',
  input: z.object({}),
  output: IndexStatus,
  errors: [],
  example: {
    input: {},
    output: {
      available: true,
      total_documents: 14_000_000,
      index_size_bytes: 2_260_000_000,
      last_updated: '2026-11-14T00:00:00.000Z',
    },
  },
})
