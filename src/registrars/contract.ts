import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { domainField } from '../kernel/names.ts'

const capability = { name: 'registrars', description: 'Where a domain can be registered.' }

export const REGISTRARS = ['registrar_a', 'registrar_b', 'registrar_c'] as const
export type RegistrarSlug = (typeof REGISTRARS)[number]

/** The contract allows an estimated price only at this registrar and for these TLDs. */
export const PRICED_REGISTRAR: RegistrarSlug = 'registrar_a'
export const PRICED_TLDS = ['com', 'org', 'app', 'xyz', 'ai', 'bot'] as const

export const RegistrarLink = z
  .object({
    name: z.string().meta({ description: 'Display name of the registrar.', examples: ['Porkbun'] }),
    slug: z.enum(REGISTRARS).meta({ description: 'Its identifier in requests.' }),
    url: z.url().meta({
      description: 'Where the domain can be registered; an affiliate link if the operator has one.',
      examples: ['https://porkbun.com/checkout/search?q=example.com'],
    }),
    estimatedPrice: z
      .number()
      .optional()
      .meta({
        description: `US dollars for the first year, an estimate; only at ${PRICED_REGISTRAR} and only for ${PRICED_TLDS.join(', ')}.`,
        examples: [11.06],
      }),
    registrationPrice: z
      .number()
      .optional()
      .meta({
        description:
          'US dollars for the first year, for any TLD in the price list of the registrar. Left out if unknown.',
        examples: [11.06],
      }),
    renewalPrice: z
      .number()
      .optional()
      .meta({ description: 'US dollars for every further year. Left out if unknown.', examples: [11.06] }),
    priceAsOf: z.iso
      .date()
      .optional()
      .meta({ description: 'The day of the price list, if there is a price.', examples: ['2026-11-15'] }),
  })
  .meta({ id: 'RegistrarLink', description: 'Where to register a domain.' })

export const RegistrationLinks = z
  .object({
    domain: z.string().meta({ description: 'The requested domain, in lower case.', examples: ['example.com'] }),
    premium: z
      .boolean()
      .optional()
      .meta({
        description:
          "Whether the operator's registrar sells the name at a premium price; the usual prices are left out then. Left out if it was not asked.",
        examples: [false],
      }),
    premiumPrice: z
      .number()
      .optional()
      .meta({ description: 'US dollars for the first year of a premium name.', examples: [1250] }),
    premiumRenewalPrice: z
      .number()
      .optional()
      .meta({ description: 'US dollars for every further year of a premium name.', examples: [49.5] }),
    registrars: z.array(RegistrarLink).meta({ description: 'One link for each requested registrar.' }),
    timestamp: z.iso
      .datetime()
      .meta({ description: 'When the response was created, ISO 8601 in UTC.', examples: ['2026-11-15T12:00:00.000Z'] }),
  })
  .meta({ id: 'RegistrationLinks', description: 'Where one domain can be registered.' })

export const registrationLinks = endpoint({
  name: 'registrationLinks',
  capability,
  command: 'register',
  method: 'GET',
  path: '/v1/register',
  summary: 'Get links to register a domain at registrars',
  description:
    'The links are built from the domain alone; `/v1/check` tells whether it is available. ' +
    'Prices come from a price list that is refreshed daily; `priceAsOf` is its day. ' +
    'The domain must be directly under a supported TLD or suffix; a subdomain is refused, and the error names the domain to use.',
  input: z.object({
    domain: domainField,
    registrar: z
      .enum(REGISTRARS)
      .optional()
      .meta({ description: 'Only the link of this registrar.', examples: ['registrar_a'] }),
  }),
  output: RegistrationLinks,
  complaints: {
    domain: { missing: 'missing_domain', invalid: 'invalid_domain' },
    registrar: { invalid: 'invalid_registrar' },
  },
  errors: ['missing_domain', 'invalid_domain', 'invalid_registrar'],
  rate: 'counted',
  tool: true,
  example: {
    input: { domain: 'example.com' },
    output: {
      domain: 'example.com',
      registrars: [
        {
          name: 'Porkbun',
          slug: 'registrar_a',
          url: 'https://porkbun.com/checkout/search?q=example.com',
          estimatedPrice: 11.06,
          registrationPrice: 11.06,
          priceAsOf: '2025-03-22',
        },
        {
          name: 'Namecheap',
          slug: 'registrar_b',
          url: 'https://www.namecheap.com/domains/registration/results/?domain=example.com',
        },
        {
          name: 'GoDaddy',
          slug: 'registrar_c',
          url: 'https://www.godaddy.com/domainsearch/find?domainToCheck=example.com',
        },
      ],
      timestamp: '2026-11-15T12:00:00.000Z',
    },
  },
})
