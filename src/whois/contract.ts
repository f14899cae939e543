import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { Evidence } from '../kernel/evidence.ts'
import { domainField } from '../kernel/names.ts'

const capability = { name: 'whois', description: 'Who holds a domain, and until when.' }

const text = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] })
const date = (description: string) => z.iso.datetime().optional().meta({ description })

export const WhoisRecord = z
  .object({
    domain: z.string().meta({ description: 'The domain asked about.', examples: ['example.com'] }),
    available: z.boolean().meta({ description: 'True if the registry says that it is not registered.' }),
    source: z.enum(['rdap', 'whois']).meta({ description: 'The protocol by which the registry answered.' }),
    registrar: z
      .object({
        name: text('Name.', 'Example Registrar, Inc.'),
        url: text('Home page.', 'https://registrar.example'),
        abuseEmail: text('Where to report abuse.', 'abuse@registrar.example'),
        abusePhone: text('Telephone number to report abuse.', '+1.5555550100'),
        ianaId: text('Its number at IANA.', '9999'),
      })
      .optional()
      .meta({ description: 'The registrar. Left out if the domain is available.' }),
    dates: z
      .object({
        created: date('When it was registered.'),
        updated: date('When the record last changed.'),
        expires: date('When the registration ends.'),
      })
      .optional()
      .meta({ description: 'ISO 8601 in UTC. Left out if the domain is available.' }),
    status: z
      .array(z.string())
      .optional()
      .meta({ description: 'EPP status values. Left out if the domain is available.', examples: [['ok']] }),
    nameservers: z
      .array(z.string())
      .optional()
      .meta({ description: 'Left out if the domain is available.', examples: [['a.iana-servers.net']] }),
    dnssec: z
      .object({ delegationSigned: z.boolean().meta({ description: 'Whether the delegation is signed.' }) })
      .optional()
      .meta({ description: 'Left out if not known.' }),
    registrant: z
      .object({
        name: text('Name.', 'Jo Example'),
        organization: text('Organisation.', 'Example Ltd'),
        country: text('Country, as the registry writes it.', 'GB'),
      })
      .optional()
      .meta({ description: 'The holder; left out if redacted, which is common.' }),
    cached: z.boolean().meta({ description: 'Whether the record came from the cache.' }),
    cachedAt: z.iso.datetime().nullable().meta({ description: 'When the record was cached; null if it is fresh.' }),
    queriedAt: z.iso.datetime().meta({ description: 'When the registry was queried, ISO 8601 in UTC.' }),
    evidence: z
      .array(Evidence)
      .optional()
      .meta({ description: 'Every query that was sent and its outcome, with `evidence=true`.' }),
  })
  .meta({ id: 'WhoisRecord', description: 'The registration record of a domain.' })

const OfTld = z.object({
  tld: z.string().meta({ description: 'The TLD whose registry failed or is not supported.', examples: ['com'] }),
})

export const whoisLookup = endpoint({
  name: 'whoisLookup',
  capability,
  command: 'whois',
  method: 'GET',
  path: '/v1/whois',
  summary: 'Get the registration record of a domain',
  description:
    'Queries the registry by RDAP or, if it has no RDAP or that fails, by WHOIS. A name that the registry does not register (reserved, blocked) is `domain_not_found`.',
  input: z.object({
    domain: domainField,
    refresh: z.boolean().optional().meta({ description: 'True to query the registry even if the record is cached.' }),
    evidence: z
      .boolean()
      .optional()
      .meta({ description: 'True to include every query that was sent and its outcome.' }),
  }),
  output: WhoisRecord,
  complaints: { domain: { missing: 'missing_parameter', invalid: 'invalid_domain' } },
  errors: [
    'missing_parameter',
    'invalid_domain',
    'invalid_parameter',
    'unsupported_tld',
    'domain_not_found',
    'upstream_error',
    'timeout',
  ],
  errorMembers: { unsupported_tld: OfTld, upstream_error: OfTld, timeout: OfTld },
  failsAs: 'upstream_error',
  rate: 'counted',
  tool: true,
  limitedAs: 'rate_limited',
  example: {
    input: { domain: 'example.com' },
    output: {
      domain: 'example.com',
      available: false,
      source: 'rdap',
      registrar: { name: 'Example Registrar, Inc.', ianaId: '9999' },
      dates: { created: '1995-08-14T04:00:00.000Z', expires: '2027-08-13T04:00:00.000Z' },
      status: ['clientTransferProhibited'],
      nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
      dnssec: { delegationSigned: true },
      cached: false,
      cachedAt: null,
      queriedAt: '2026-11-15T12:00:00.000Z',
    },
  },
})
