import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const capability = { name: 'trademark', description: 'Whether a name is registered as a trademark.' }

/** Most results one question may reach: further down nobody looks, and counting is dear. */
export const FARTHEST = 10_000
const MAX_RESULTS = 100
const NO_DATE = '0001-01-01T00:00:00Z'

const date = (description: string) =>
  z.string().meta({
    description: `${description} ISO 8601; \`${NO_DATE}\` where there is none.`,
    examples: ['2019-05-01T00:00:00Z'],
  })

const MatchDetails = z
  .object({
    exact_match: z.boolean().meta({ description: 'Whether it is the same, but for spaces, case and punctuation.' }),
    phonetic_match: z.boolean().meta({ description: 'Whether it sounds the same.' }),
    fuzzy_distance: z.int().meta({ description: 'Letters to change to make them equal.', examples: [0] }),
    string_similarity: z.number().meta({ description: 'How alike they are written, 0 to 1.', examples: [1] }),
    prefix_match: z.boolean().meta({ description: 'Whether one begins with the other.' }),
    phonetic_codes: z
      .string()
      .optional()
      .meta({ description: 'Sound of what was asked for.', examples: ['AKM'] }),
    matched_codes: z
      .string()
      .optional()
      .meta({ description: 'Sound of the mark.', examples: ['AKM'] }),
    index_score: z
      .number()
      .meta({ description: 'What the index made of it before it was compared.', examples: [12.5] }),
    reasons: z.array(z.string()).meta({ description: 'Why it was found, in words.', examples: [['sounds the same']] }),
  })
  .meta({ id: 'TrademarkMatch', description: 'How a mark answers a question.' })

const RecordData = z
  .object({
    current_status: z.string().meta({ description: 'Status in words.', examples: ['Registered and renewed'] }),
    current_owner: z.string().meta({ description: 'Latest owner on record.', examples: ['Acme Ltd'] }),
    last_updated: z
      .string()
      .meta({ description: '`YYYY-MM-DD`; when the register last touched it.', examples: ['2026-01-15'] }),
    prosecution_history_summary: z.string().meta({ description: 'Latest events, newest first.' }),
    attorney_of_record: z.string().meta({ description: 'Empty where there is none.' }),
    live_dead: z.enum(['LIVE', 'DEAD']).meta({ description: 'Whether it is in force or on its way.' }),
    record_url: z.string().meta({ description: "The Office's own page." }),
    goods_services_classes: z.array(z.string()).meta({ description: 'Nice classes.', examples: [['009']] }),
  })
  .meta({ id: 'TrademarkRecordData', description: 'What the register knows beyond the mark.' })

const Trademark = z
  .object({
    serial_number: z.string().meta({ description: 'Application serial number.', examples: ['75123456'] }),
    mark_text: z.string().meta({ description: 'Words of the mark; empty for a picture.', examples: ['ACME'] }),
    status_code: z.string().meta({ description: 'Three digits, as the Office has them.', examples: ['800'] }),
    filing_date: date('When it was applied for.'),
    registration_date: date('When it was registered.'),
    renewal_date: date('When its latest term began.'),
    owner_name: z.string().meta({ description: 'Latest owner on record.', examples: ['Acme Ltd'] }),
    goods_services: z.string().meta({ description: 'What it stands for.', examples: ['Anvils; rockets'] }),
    class_numbers: z.array(z.string()).meta({ description: 'Nice classes, zero-padded.', examples: [['009']] }),
    match_score: z.number().meta({ description: '0 to 1; 1 is the same mark.', examples: [1] }),
    group_count: z
      .int()
      .optional()
      .meta({
        description: 'With `group=mark`: records with this text among the results, this one included.',
        examples: [3],
      }),
    match_details: MatchDetails,
    record_enriched: z.boolean().meta({ description: 'Whether `record_data` is there.' }),
    record_data: RecordData.optional(),
  })
  .meta({ id: 'Trademark', description: 'One record of the register.' })

const Results = z
  .object({
    results: z.array(Trademark).meta({
      description:
        'Best first: by `match_score`, then live before dead, then newest, then by serial number. Expiring marks come soonest first.',
    }),
    total: z.int().meta({ description: 'How many there are; exact up to 10,000.', examples: [1] }),
    total_is_lower_bound: z.literal(true).optional().meta({
      description:
        'Present if there may be more: above 10,000, or if a large register has more candidates than were compared.',
    }),
    limit: z.int().meta({ description: 'Most results in this answer.', examples: [10] }),
    offset: z.int().meta({ description: 'Results left out before these.', examples: [0] }),
    query: z.string().meta({ description: 'What was asked for.', examples: ['acme'] }),
    took_ms: z.int().meta({ description: 'Milliseconds it took.', examples: [4] }),
    index_info: z
      .object({
        total_documents: z.int().meta({ description: 'Records in the index.', examples: [14_000_000] }),
        last_updated: z.string().meta({ description: 'When records were last added, ISO 8601.' }),
        snapshot: z.string().meta({ description: 'Name of this state of the index; the same gives the same answers.' }),
      })
      .meta({ description: 'The index that was searched.' }),
    disclaimer: z.string().meta({ description: 'What this answer is not.' }),
  })
  .meta({ id: 'TrademarkResults', description: 'Trademarks found.' })

const IndexStatus = z
  .object({
    available: z.boolean().meta({ description: 'Whether there is an index to search.' }),
    total_documents: z.int().meta({ description: 'Records in it.', examples: [14_000_000] }),
    index_size_bytes: z.int().meta({ description: 'Bytes it takes on the disk.', examples: [2_260_000_000] }),
    last_updated: z.string().meta({ description: `When records were last added, ISO 8601; \`${NO_DATE}\` before.` }),
  })
  .meta({ id: 'TrademarkIndexStatus', description: 'The trademark index.' })

const question = (description: string, example: string) =>
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
  .meta({ description: `Most results; more than ${MAX_RESULTS} is taken as ${MAX_RESULTS}.`, examples: [10] })
const offset = z
  .int()
  .min(0)
  .max(FARTHEST)
  .default(0)
  .meta({ description: `Results to leave out; with \`limit\` at most ${FARTHEST}.`, examples: [0] })
const status = z
  .enum(['live', 'dead', 'all'])
  .default('all')
  .meta({
    description: '`live` is in force or on its way, `dead` abandoned, cancelled or expired.',
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
        reasons: ['the same mark'],
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
  disclaimer: 'This is no legal advice.',
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
  description: 'By words, sound and spelling, best first, with the reasons for every result.',
  input: z.object({
    q: question('Mark text.', 'acme'),
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
          '`mark` gives one result for each mark text, the best of its records, with their number as `group_count`; `total` then counts texts. Case, accents and punctuation do not make another text.',
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
  description: 'Marks whose goods and services have all the words.',
  input: z.object({ q: question('Words of goods and services.', 'rockets'), limit, offset, status }),
  example: { input: { q: 'rockets' }, output: { ...example, query: 'rockets' } },
})

export const searchTrademarkOwners = endpoint({
  ...common,
  name: 'searchTrademarkOwners',
  command: 'trademark owner',
  path: '/v1/trademark/search/owner',
  summary: 'Find marks by their owner',
  description: 'Marks whose latest owner has all the words in its name.',
  input: z.object({ q: question('Name of an owner.', 'acme'), limit, offset, status }),
  example: { input: { q: 'acme' }, output: example },
})

export const expiringTrademarks = endpoint({
  ...common,
  name: 'expiringTrademarks',
  command: 'trademark expiring',
  path: '/v1/trademark/search/expiring',
  summary: 'Find marks that expire soon',
  description: 'Live marks whose term ends within so many days, soonest first.',
  input: z.object({
    days: z
      .int()
      .min(1)
      .max(3650)
      .meta({ description: 'Days ahead, 1 to 3650.', examples: [30] }),
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
  summary: 'Tell how the trademark index is',
  description: 'Whether there is an index, how large it is and how fresh.',
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
