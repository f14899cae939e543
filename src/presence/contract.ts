import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { failureMessage } from '../kernel/errors.ts'
import { asList } from '../kernel/field-values.ts'

const capability = { name: 'presence', description: 'How visible a name already is in search engines.' }

export const ENGINES = ['engine_a', 'engine_b'] as const
export type EngineId = (typeof ENGINES)[number]

/** What an engine over open knowledge searches instead of the web. */
export const OPEN_SOURCES = ['wikidata', 'wikipedia', 'gleif', 'github', 'itunes', 'dns'] as const
export type OpenSourceId = (typeof OPEN_SOURCES)[number]

export const STATUSES = ['clean', 'low', 'medium', 'high'] as const
export const KINDS = ['domain', 'company', 'product', 'brand'] as const
export const RELEVANCES = ['high', 'medium', 'low'] as const

export const DEFAULT_TIMEOUT_MS = 5_000
export const MAX_TIMEOUT_MS = 15_000
export const MAX_NAME_LENGTH = 100

const score = z.int().min(0).max(100)
const seen = (what: string) => z.boolean().meta({ description: `Whether ${what}.` })

const Coverage = z
  .object({
    answered: z.array(z.enum(OPEN_SOURCES)).meta({ description: 'The open sources that answered.' }),
    failed: z
      .array(
        z
          .object({
            source: z.enum(OPEN_SOURCES).meta({ description: 'Which open source failed.' }),
            message: z.string().meta({ description: 'Why it failed.' }),
          })
          .meta({ id: 'PresenceSourceError', description: 'An open source that failed.' }),
      )
      .meta({ description: 'Those that failed: what they have is missing from the score.' }),
  })
  .meta({
    id: 'PresenceCoverage',
    description: 'Present if this engine searches only these open sources, not the web. Left out otherwise.',
  })

const Engine = z
  .object({
    engine: z.enum(ENGINES).meta({ description: 'Which engine.' }),
    score: score.meta({ description: 'How visible the name is in this engine, 0 to 100.' }),
    exact_hits: z.int().meta({ description: 'Results about exactly this name.' }),
    loose_hits: z.int().meta({ description: 'Results that only mention it, or something close.' }),
    total_results_estimate: z
      .int()
      .meta({ description: "The engine's estimate, or the number of results looked at if it gives none." }),
    top_matches: z
      .array(
        z
          .object({
            title: z.string().meta({ description: 'Title of the page.' }),
            url: z.string().meta({ description: 'URL of the page.' }),
            type: z.enum(KINDS).meta({ description: 'What the name refers to on this page.' }),
            relevance: z.enum(RELEVANCES).meta({ description: 'How closely it is about the name.' }),
          })
          .meta({ id: 'PresenceMatch', description: 'A page that contains the name.' }),
      )
      .meta({ description: 'The best matches, at most five; posts in forums and social networks are left out.' }),
    response_ms: z.int().meta({ description: 'Response time in milliseconds.' }),
    coverage: Coverage.optional(),
  })
  .meta({ id: 'PresenceEngine', description: 'What one engine found.' })

const Failure = z
  .object({
    engine: z.string().meta({ description: 'Which engine failed.' }),
    message: z.string().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'PresenceError', description: 'An engine that failed.' })

export const Presence = z
  .object({
    name: z.string().meta({ description: 'The requested name.', examples: ['example'] }),
    score: score.meta({ description: 'How visible the name is, over all engines that answered.' }),
    status: z.enum(STATUSES).meta({ description: '0–10 clean, 11–30 low, 31–60 medium, 61–100 high.' }),
    summary: z.string().meta({ description: 'The result in a few sentences; the wording varies.' }),
    engines: z.array(Engine).meta({ description: 'One for each engine that answered.' }),
    signals: z
      .object({
        exact_phrase_found: seen('exactly this name was found anywhere'),
        brand_exists: seen('a company, a product, a site or an account has this name'),
        company_exists: seen('a company has this name, or several businesses have it in their names'),
        product_exists: seen('a product has this name'),
        domain_registered: seen('its .com is registered, according to the registry; also false if unknown'),
        domain_registered_unknown: z.boolean().optional().meta({
          description: 'True if it is unknown whether its .com is registered; left out otherwise.',
        }),
        social_handles_found: z
          .array(z.string())
          .meta({ description: 'Handles of exactly this name.', examples: [['github.com/example']] }),
        notable_individuals: z
          .array(z.string())
          .meta({ description: 'People with this name whom others write about.' }),
      })
      .meta({ id: 'PresenceSignals', description: 'Evidence that the name is already in use.' }),
    errors: z.array(Failure).meta({ description: 'Engines that failed; the results of the others are complete.' }),
    total_ms: z.int().meta({ description: 'Total time in milliseconds.' }),
    timestamp: z.iso.datetime().meta({ description: 'When the response was created, ISO 8601 in UTC.' }),
    cache_hit: z.boolean().meta({ description: 'Whether the results came from the cache.' }),
  })
  .meta({ id: 'Presence', description: 'How visible a name is on the web.' })

export const searchPresence = endpoint({
  name: 'searchPresence',
  capability,
  command: 'presence',
  method: 'GET',
  path: '/v1/name-search-presence',
  summary: 'Measure how visible a name already is in search engines',
  description:
    'Helps to find a name that is not in use yet: the lower the score, the less it is used. ' +
    'Without a configured web search, `engine_a` searches open registers (Wikidata, Wikipedia, the LEI index, GitHub, the App Store) and DNS, and its `coverage` says so. ' +
    'Engines that fail are listed in `errors`; the status is 503 if all failed or none is configured. Results are cached for ten minutes.',
  input: z.object({
    name: z.string().meta({ description: 'The name or brand, one word or a few.', examples: ['example labs'] }),
    engines: asList(z.string())
      .optional()
      .meta({ description: `Only these, comma-separated: ${ENGINES.join(', ')}.`, examples: [ENGINES.join()] }),
    timeout: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: `Timeout for each engine in milliseconds; default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
        examples: [DEFAULT_TIMEOUT_MS],
      }),
  }),
  output: Presence,
  complaints: { name: { missing: 'missing_parameter', invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter', 'service_unavailable'],
  errorMembers: {
    service_unavailable: z.object({
      errors: z
        .array(Failure)
        .optional()
        .meta({
          description: 'How each engine failed; left out if none is configured.',
          examples: [[{ engine: 'engine_a', message: failureMessage('engine_a', { failure: 'timeout' }) }]],
        }),
    }),
  },
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example labs' },
    output: {
      name: 'example labs',
      score: 42,
      status: 'medium',
      summary:
        'example labs is fairly visible in search results: a company has this name, its .com is registered and a handle is taken (github.com/examplelabs).',
      engines: [
        {
          engine: 'engine_a',
          score: 42,
          exact_hits: 3,
          loose_hits: 2,
          total_results_estimate: 1230,
          top_matches: [{ title: 'Example Labs', url: 'https://examplelabs.com/', type: 'domain', relevance: 'high' }],
          response_ms: 310,
        },
      ],
      signals: {
        exact_phrase_found: true,
        brand_exists: true,
        company_exists: true,
        product_exists: false,
        domain_registered: true,
        social_handles_found: ['github.com/examplelabs'],
        notable_individuals: [],
      },
      errors: [],
      total_ms: 312,
      timestamp: '2026-11-15T12:00:00.000Z',
      cache_hit: false,
    },
  },
})
