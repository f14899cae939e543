import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { domainField } from '../kernel/names.ts'

const capability = { name: 'valuation', description: 'What a domain is worth.' }

const TIERS = ['quick', 'full'] as const
export const FACTORS = [
  'short_length',
  'dot_com',
  'dictionary_word',
  'high_search_volume',
  'brandable',
  'premium_tld',
  'exact_match',
  'numeric',
  'hyphenated',
  'long_name',
] as const

const MAX_DOMAINS = 1000

const dollars = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `${description}, in US dollars.` })

const Estimate = z
  .object({
    low: dollars('About 80 % of sales should be above this price'),
    mid: dollars('The expected price'),
    high: dollars('About 80 % of sales should be below this price'),
    currency: z.literal('USD').meta({ description: 'Always USD.' }),
  })
  .meta({ id: 'ValueEstimate', description: 'The expected price range on the aftermarket.' })

const common = {
  domain: z.string().meta({ description: 'The requested domain.', examples: ['example.com'] }),
  estimate: Estimate,
  confidence: z
    .number()
    .min(0)
    .max(1)
    .meta({ description: 'Probability that a sale is between half and twice `mid`. Above 0.7 is reliable.' }),
  factors: z
    .array(z.enum(FACTORS))
    .meta({ description: 'Properties of the name; `numeric`, `hyphenated` and `long_name` lower its value.' }),
}

const KeyFactors = z
  .object({
    length: z.int().meta({ description: 'Characters before the TLD.' }),
    tld: z.string().meta({ description: 'The TLD, or a suffix such as `co.uk`.' }),
    is_dictionary_word: z.boolean().meta({ description: 'Whether it is one word of the dictionary.' }),
    has_hyphens: z.boolean().meta({ description: 'Whether it contains a hyphen.' }),
    has_numbers: z.boolean().meta({ description: 'Whether it contains a digit.' }),
    category: z
      .string()
      .optional()
      .meta({ description: 'The trade its words belong to, if any.', examples: ['finance'] }),
  })
  .meta({ id: 'ValueKeyFactors', description: 'Verifiable properties of the name.' })

const Comparable = z
  .object({
    domain: z.string().meta({ description: 'The sold domain.' }),
    sale_price: dollars('Sale price'),
    sale_date: z.iso.date().meta({ description: 'Date of the sale or of its publication, YYYY-MM-DD.' }),
    source: z.string().meta({ description: 'Who published the sale.' }),
  })
  .meta({ id: 'ComparableSale', description: 'A sale of a similar domain.' })

export const Valuation = z
  .object({
    ...common,
    tier: z.enum(TIERS).meta({ description: 'The level of detail.' }),
    timestamp: z.iso.datetime().meta({ description: 'When the response was created, ISO 8601 in UTC.' }),
    explanation: z
      .string()
      .optional()
      .meta({ description: 'The valuation in a few sentences, for a buyer. Only `full`.' }),
    comparables: z
      .array(Comparable)
      .optional()
      .meta({ description: 'Sales of similar domains, the most similar first. Only `full`.' }),
    key_factors: KeyFactors.optional().meta({ description: 'Only `full`.' }),
  })
  .meta({ id: 'Valuation', description: 'What a domain is worth.' })

const ABOUT =
  'The estimate comes from a model trained on published sales, and `confidence` says how reliable it is. ' +
  'It is the price a buyer would pay to the current owner, not the price of a registration.'

export const valueDomain = endpoint({
  name: 'valueDomain',
  capability,
  command: 'valuation',
  method: 'GET',
  path: '/v1/valuation/{domain}',
  summary: 'Estimate what a domain is worth',
  description: ABOUT,
  input: z.object({
    domain: domainField,
    tier: z
      .enum(TIERS)
      .default('quick')
      .meta({
        description: '`full` adds an explanation, sales of similar domains, and key factors.',
        examples: ['full'],
      }),
  }),
  output: Valuation,
  complaints: {
    domain: { missing: 'missing_domain', invalid: 'invalid_domain' },
    tier: { invalid: 'invalid_tier' },
  },
  errors: ['missing_domain', 'invalid_domain', 'invalid_tier', 'payment_required', 'service_unavailable'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  price: { by: 'tier', usd: { quick: '0.02', full: '0.08' } },
  example: {
    input: { domain: 'example.com', tier: 'full' },
    output: {
      domain: 'example.com',
      tier: 'full',
      estimate: { low: 1900, mid: 3600, high: 8200, currency: 'USD' },
      confidence: 0.52,
      factors: ['dot_com', 'dictionary_word'],
      timestamp: '2026-11-15T12:00:00.000Z',
      explanation: 'example.com would bring about $3,600, most likely between $1,900 and $8,200.',
      comparables: [{ domain: 'sample.com', sale_price: 4200, sale_date: '2025-03-14', source: 'Example Auctions' }],
      key_factors: {
        length: 7,
        tld: 'com',
        is_dictionary_word: true,
        has_hyphens: false,
        has_numbers: false,
      },
    },
  },
})

const domainsMeta = {
  description: `Up to ${MAX_DOMAINS} full domains.`,
  examples: [['example.com', 'example.net']],
}

export const valueDomains = endpoint({
  name: 'valueDomains',
  capability,
  method: 'POST',
  path: '/v1/valuation',
  summary: 'Estimate what many domains are worth, for one payment',
  description: `${ABOUT} Duplicates are valued and charged once.`,
  input: z.object({
    domains: z
      .array(domainField)
      .min(1)
      .max(MAX_DOMAINS)
      // Before and after the transform: one describes the input, the other the parsed list.
      .meta(domainsMeta)
      .transform((domains) => [...new Set(domains)])
      .meta(domainsMeta),
  }),
  output: z
    .object({
      valuations: z
        .array(z.object(common).meta({ id: 'QuickValuation', description: 'What one domain is worth.' }))
        .meta({ description: 'In the order of the request.' }),
      total: z.int().meta({ description: 'Number of valuations.' }),
      timestamp: z.iso.datetime().meta({ description: 'When the response was created, ISO 8601 in UTC.' }),
    })
    .meta({ id: 'Valuations', description: 'What several domains are worth.' }),
  complaints: { domains: { invalid: 'invalid_domain' } },
  errors: ['missing_parameter', 'invalid_domain', 'invalid_request', 'payment_required', 'service_unavailable'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  price: { usd: '0.02', each: 'domains' },
  maxBodyBytes: 300 * 1024,
  example: {
    input: { domains: ['example.com'] },
    output: {
      valuations: [
        {
          domain: 'example.com',
          estimate: { low: 1900, mid: 3600, high: 8200, currency: 'USD' },
          confidence: 0.52,
          factors: ['dot_com', 'dictionary_word'],
        },
      ],
      total: 1,
      timestamp: '2026-11-15T12:00:00.000Z',
    },
  },
})
