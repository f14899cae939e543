import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { failureMessage } from '../kernel/errors.ts'
import { asList } from '../kernel/field-values.ts'
import { domainField } from '../kernel/names.ts'

const capability = {
  name: 'aftermarket',
  description: 'Whether a registered domain is for sale, where and for how much.',
}

/** The two of the contract, further marketplaces, and sources that need no account. */
export const SOURCES = [
  'source_a',
  'source_b',
  'source_c',
  'source_d',
  'dns_for_sale',
  'name_servers',
  'auctions',
  'listings',
  'page',
] as const
export type SourceId = (typeof SOURCES)[number]

export const DEFAULT_TIMEOUT_MS = 5_000
export const MAX_TIMEOUT_MS = 15_000

const price = z
  .object({
    amount: z.number().meta({ description: 'The amount.', examples: [2500] }),
    currency: z.string().meta({ description: 'Currency code.', examples: ['USD'] }),
  })
  .meta({ description: 'A price.' })

const Listing = z
  .object({
    source: z.enum(SOURCES).meta({ description: 'The source.' }),
    platform: z.string().meta({ description: 'Display name of the marketplace.', examples: ['Sedo'] }),
    status: z
      .enum(['listed', 'notListed', 'auction', 'backorder', 'error'])
      .meta({ description: 'Whether and how the domain is for sale there.' }),
    saleType: z
      .enum(['buyNow', 'makeOffer', 'auction', 'backorder'])
      .optional()
      .meta({ description: 'How it can be bought; left out if it is not for sale.' }),
    price: price.optional().meta({ description: 'Left out if the seller gives no price.' }),
    makeOffer: z.boolean().meta({ description: 'Whether offers are accepted.' }),
    auction: z.boolean().meta({ description: 'Whether it is being auctioned.' }),
    auctionDetails: z
      .object({
        endsAt: z.iso.datetime().nullable().meta({ description: 'When the auction ends; null if unknown.' }),
        bidCount: z.int().nullable().meta({ description: 'Bids so far; null if unknown.' }),
        reserveMet: z.boolean().nullable().meta({ description: 'Whether the reserve is met; null if unknown.' }),
      })
      .optional()
      .meta({ description: 'Only for auctions.' }),
    url: z.string().meta({ description: 'The page of the offer.' }),
    affiliateUrl: z
      .string()
      .meta({ description: 'The same page, with the affiliate id of this service if it has one.' }),
    lastChecked: z.iso
      .datetime()
      .meta({ description: 'When the source was queried, or when it saw the offer before, ISO 8601 in UTC.' }),
    responseMs: z.number().meta({ description: 'Response time in milliseconds.' }),
  })
  .meta({ id: 'AftermarketListing', description: 'What one source says about a domain.' })

const Failure = z
  .object({
    source: z.string().meta({ description: 'Which source failed.' }),
    code: z
      .enum(['not_configured', 'timeout', 'rate_limited', 'auth_error', 'unavailable'])
      .meta({ description: 'Why it failed.' }),
    message: z.string().meta({ description: 'The reason as a sentence.' }),
    retryable: z.boolean().meta({ description: 'Whether a retry can succeed.' }),
  })
  .meta({ id: 'AftermarketError', description: 'A source that failed.' })

export const AftermarketReport = z
  .object({
    error: z
      .literal('not_configured')
      .optional()
      .meta({ description: 'Only if no requested source is configured (501).' }),
    message: z.string().optional().meta({ description: 'The error as a sentence.' }),
    domain: z.string().meta({ description: 'The requested domain, in lower case.', examples: ['example.com'] }),
    timestamp: z.iso.datetime().meta({ description: 'When the response was created, ISO 8601 in UTC.' }),
    listed: z.boolean().meta({ description: 'Whether it is for sale at any source.' }),
    summary: z
      .object({
        totalSources: z.int().meta({ description: 'Number of sources.' }),
        sourcesChecked: z.int().meta({ description: 'Sources queried, including those that failed.' }),
        sourcesWithData: z.int().meta({ description: 'Sources that answered.' }),
        listedCount: z.int().meta({ description: 'Sources where it is for sale.' }),
        lowestPrice: price
          .extend({
            source: z.string().meta({ description: 'The source with this price.' }),
            saleType: z.string().meta({ description: 'The kind of sale.' }),
          })
          .optional()
          .meta({ description: 'The lowest price of all sources, compared in US dollars.' }),
        hasAuction: z.boolean().meta({ description: 'Whether any source auctions it.' }),
        hasMakeOffer: z.boolean().meta({ description: 'Whether any source accepts offers.' }),
        hasBackorder: z.boolean().meta({ description: 'Whether any source accepts backorders.' }),
      })
      .meta({ description: 'Totals over all sources.' }),
    listings: z
      .array(Listing)
      .meta({ description: 'One for each source that answered; `page` only if the page offers the domain.' }),
    errors: z.array(Failure).meta({ description: 'Sources that failed; the listings of the others are complete.' }),
    meta: z
      .object({
        totalMs: z.number().meta({ description: 'Total time in milliseconds.' }),
        affiliateDisclosure: z.string().meta({ description: 'Whether links are affiliate links.' }),
        cacheHit: z.boolean().meta({ description: 'Whether the listings came from the cache.' }),
        cacheTTL: z.number().meta({ description: 'Seconds until the cached listings expire.' }),
      })
      .meta({ description: 'About the response.' }),
  })
  .meta({ id: 'AftermarketReport', description: 'Where a domain is for sale.' })

const exampleFailure = (code: z.input<typeof Failure>['code'], retryable: boolean): z.input<typeof Failure> => ({
  source: 'source_a',
  code,
  message: failureMessage('source_a', { failure: code }),
  retryable,
})

export const findListings = endpoint({
  name: 'findListings',
  capability,
  command: 'aftermarket',
  method: 'GET',
  path: '/v1/aftermarket/{domain}',
  summary: 'Find where a domain is for sale',
  description:
    'Asks all marketplaces at once. One that fails is listed in `errors`; the answers of the others are not affected. ' +
    '501 if no requested source is configured, 503 if all failed for other reasons; both carry `errors`. ' +
    'Five sources need no account: the `_for-sale` record in the DNS (`dns_for_sale`, RFC 10023), the name servers of a ' +
    'marketplace (`name_servers`), the auctions of this service (`auctions`), lists of domains at a fixed price that ' +
    'it has loaded (`listings`), and the page of the domain if it has visited it lately (`page`).',
  input: z.object({
    domain: domainField,
    sources: asList(z.string())
      .optional()
      .meta({
        description: `Only these, comma-separated: ${SOURCES.join(', ')}.`,
        examples: ['source_a,dns_for_sale'],
      }),
    timeout: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: `Timeout for each source in milliseconds; default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
        examples: [DEFAULT_TIMEOUT_MS],
      }),
    currency: z
      .enum(['USD', 'EUR'])
      .optional()
      .meta({
        description: 'Currency of prices; default USD. Prices in other currencies are not converted.',
        examples: ['USD'],
      }),
  }),
  output: AftermarketReport,
  complaints: { domain: { missing: 'missing_domain', invalid: 'invalid_domain' } },
  errors: ['missing_domain', 'invalid_domain', 'invalid_parameter', 'service_unavailable'],
  errorMembers: {
    service_unavailable: z.object({
      errors: z
        .array(Failure)
        .optional()
        .meta({ description: 'How each source failed.', examples: [[exampleFailure('timeout', true)]] }),
    }),
  },
  otherAnswers: {
    501: {
      description: 'No requested source is configured: `error` is `not_configured`, and `errors` lists each.',
      example: {
        error: 'not_configured',
        message:
          'None of the requested sources is configured on this server. `sources=dns_for_sale,name_servers` needs no configuration.',
        domain: 'example.com',
        timestamp: '2026-11-15T12:00:00.000Z',
        listed: false,
        summary: {
          totalSources: 1,
          sourcesChecked: 1,
          sourcesWithData: 0,
          listedCount: 0,
          hasAuction: false,
          hasMakeOffer: false,
          hasBackorder: false,
        },
        listings: [],
        errors: [exampleFailure('not_configured', false)],
        meta: {
          totalMs: 1,
          affiliateDisclosure: 'Links lead to marketplaces; this service earns nothing by them.',
          cacheHit: false,
          cacheTTL: 30,
        },
      },
    },
  },
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  example: {
    input: { domain: 'example.com' },
    output: {
      domain: 'example.com',
      timestamp: '2026-11-15T12:00:00.000Z',
      listed: true,
      summary: {
        totalSources: 2,
        sourcesChecked: 2,
        sourcesWithData: 2,
        listedCount: 1,
        lowestPrice: { amount: 2700, currency: 'USD', source: 'source_a', saleType: 'buyNow' },
        hasAuction: false,
        hasMakeOffer: false,
        hasBackorder: false,
      },
      listings: [
        {
          source: 'source_a',
          platform: 'Sedo',
          status: 'listed',
          saleType: 'buyNow',
          price: { amount: 2700, currency: 'USD' },
          makeOffer: false,
          auction: false,
          url: 'https://sedo.com/search/details/?domain=example.com',
          affiliateUrl: 'https://sedo.com/search/details/?domain=example.com',
          lastChecked: '2026-11-15T12:00:00.000Z',
          responseMs: 180,
        },
        {
          source: 'source_b',
          platform: 'Dynadot',
          status: 'notListed',
          makeOffer: false,
          auction: false,
          url: 'https://www.dynadot.com/domain/search?domain=example.com',
          affiliateUrl: 'https://www.dynadot.com/domain/search?domain=example.com',
          lastChecked: '2026-11-15T12:00:00.000Z',
          responseMs: 95,
        },
      ],
      errors: [],
      meta: {
        totalMs: 181,
        affiliateDisclosure: 'Links lead to marketplaces; this service earns nothing by them.',
        cacheHit: false,
        cacheTTL: 900,
      },
    },
  },
})
