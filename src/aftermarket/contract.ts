import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { failureMessage } from '../kernel/errors.ts'
import { asList } from '../kernel/field-values.ts'
import { domainField } from '../kernel/names.ts'

const capability = {
  name: 'aftermarket',
  description: 'Whether a registered domain is for sale, where and for how much.',
}

/** The contract's two, and ours beside them, which is asked only by those who want it. */
export const SOURCES = ['source_a', 'source_b', 'dns_for_sale'] as const
export type SourceId = (typeof SOURCES)[number]

export const DEFAULT_TIMEOUT_MS = 5_000
export const MAX_TIMEOUT_MS = 15_000

const price = z
  .object({
    amount: z.number().meta({ description: 'How much.', examples: [2500] }),
    currency: z.string().meta({ description: 'Code of the currency.', examples: ['USD'] }),
  })
  .meta({ description: 'A price.' })

const Listing = z
  .object({
    source: z.enum(SOURCES).meta({ description: 'Which source says so.' }),
    platform: z.string().meta({ description: "The marketplace's name for people.", examples: ['Sedo'] }),
    status: z
      .enum(['listed', 'notListed', 'auction', 'backorder', 'error'])
      .meta({ description: 'Whether and how the name is for sale there.' }),
    saleType: z
      .enum(['buyNow', 'makeOffer', 'auction', 'backorder'])
      .optional()
      .meta({ description: 'How it can be bought; left out where it is not for sale.' }),
    price: price.optional().meta({ description: 'Left out where the seller names none.' }),
    makeOffer: z.boolean().meta({ description: 'Whether offers are heard.' }),
    auction: z.boolean().meta({ description: 'Whether it is auctioned now.' }),
    auctionDetails: z
      .object({
        endsAt: z.iso.datetime().nullable().meta({ description: 'When the auction ends; null where not known.' }),
        bidCount: z.int().nullable().meta({ description: 'Bids so far; null where not known.' }),
        reserveMet: z.boolean().nullable().meta({ description: 'Whether the reserve is met; null where not known.' }),
      })
      .optional()
      .meta({ description: 'Only where it is auctioned.' }),
    url: z.string().meta({ description: 'The page of the offer.' }),
    affiliateUrl: z
      .string()
      .meta({ description: 'The same page, with the affiliate id of this service if it has one.' }),
    lastChecked: z.iso.datetime().meta({ description: 'When the source was asked, ISO 8601 in UTC.' }),
    responseMs: z.number().meta({ description: 'Milliseconds it took to answer.' }),
  })
  .meta({ id: 'AftermarketListing', description: 'What one source says of a name.' })

const Failure = z
  .object({
    source: z.string().meta({ description: 'Which source failed.' }),
    code: z
      .enum(['not_configured', 'timeout', 'rate_limited', 'auth_error', 'unavailable'])
      .meta({ description: 'How it failed.' }),
    message: z.string().meta({ description: 'The same for people.' }),
    retryable: z.boolean().meta({ description: 'Whether asking again can help.' }),
  })
  .meta({ id: 'AftermarketError', description: 'A source that could not tell.' })

export const AftermarketReport = z
  .object({
    error: z
      .literal('not_configured')
      .optional()
      .meta({ description: 'Only where nothing asked for is set up (501).' }),
    message: z.string().optional().meta({ description: 'The same for people.' }),
    domain: z.string().meta({ description: 'The domain asked about, in lower case.', examples: ['example.com'] }),
    timestamp: z.iso.datetime().meta({ description: 'When the answer was made, ISO 8601 in UTC.' }),
    listed: z.boolean().meta({ description: 'Whether any source has it for sale.' }),
    summary: z
      .object({
        totalSources: z.int().meta({ description: 'Sources there are.' }),
        sourcesChecked: z.int().meta({ description: 'Sources that were asked, those that failed included.' }),
        sourcesWithData: z.int().meta({ description: 'Sources that answered.' }),
        listedCount: z.int().meta({ description: 'Sources that have it for sale.' }),
        lowestPrice: price
          .extend({
            source: z.string().meta({ description: 'Where.' }),
            saleType: z.string().meta({ description: 'How.' }),
          })
          .optional()
          .meta({ description: 'The best price anywhere, compared in US dollars.' }),
        hasAuction: z.boolean().meta({ description: 'Whether any source auctions it.' }),
        hasMakeOffer: z.boolean().meta({ description: 'Whether any source takes offers.' }),
        hasBackorder: z.boolean().meta({ description: 'Whether any source takes backorders.' }),
      })
      .meta({ description: 'All sources together.' }),
    listings: z.array(Listing).meta({ description: 'What each source said that answered.' }),
    errors: z.array(Failure).meta({ description: 'Sources that failed; the others are not worse for it.' }),
    meta: z
      .object({
        totalMs: z.number().meta({ description: 'Milliseconds for everything.' }),
        affiliateDisclosure: z.string().meta({ description: 'What there is to know about the links.' }),
        cacheHit: z.boolean().meta({ description: 'Whether the answer was known.' }),
        cacheTTL: z.number().meta({ description: 'Seconds it stays known.' }),
      })
      .meta({ description: 'About the answer.' }),
  })
  .meta({ id: 'AftermarketReport', description: 'Where a name is for sale.' })

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
    '501 if none of those asked is set up here, 503 if none gave an answer for any other reasons; both carry `errors`. ' +
    '`dns_for_sale` reads the `_for-sale` record that a holder puts into the DNS (RFC 10023) and needs no set-up.',
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
        description: `Milliseconds each source has: ${DEFAULT_TIMEOUT_MS} unless said, at most ${MAX_TIMEOUT_MS}.`,
        examples: [DEFAULT_TIMEOUT_MS],
      }),
    currency: z
      .enum(['USD', 'EUR'])
      .optional()
      .meta({ description: 'Prices in USD or EUR; USD unless said. Others stay as they are.', examples: ['USD'] }),
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
      description: 'None of the sources asked for is set up here: `error` is `not_configured`, `errors` names each.',
      example: {
        error: 'not_configured',
        message:
          'None of the marketplaces asked for is set up at this service. `sources=dns_for_sale` needs no set-up.',
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
          platform: 'Afternic',
          status: 'notListed',
          makeOffer: false,
          auction: false,
          url: 'https://www.afternic.com/forsale/example.com',
          affiliateUrl: 'https://www.afternic.com/forsale/example.com',
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
