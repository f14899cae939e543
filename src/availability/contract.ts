import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { Evidence } from '../kernel/evidence.ts'
import { asList } from '../kernel/field-values.ts'
import { CATEGORY_NAMES } from '../tlds/catalogue.ts'

export const capability = { name: 'availability', description: 'Whether a name is available, and under which TLDs.' }

const fields = {
  domain: z.string().meta({ description: 'Full domain.', examples: ['example.com'] }),
  tld: z.string().meta({ description: 'Its TLD, or its suffix such as `co.uk`.', examples: ['com'] }),
  available: z.boolean().meta({ description: 'True only if the registry says so.' }),
  status: z.array(z.string()).meta({
    description: 'First `available`, `registered`, `reserved` or `unknown`; status values of the registry may follow.',
    examples: [['registered', 'clientTransferProhibited']],
  }),
  premium: z.boolean().meta({ description: "True if the registry, or the operator's registrar, calls it premium." }),
  source: z
    .enum(['dns', 'rdap', 'whois'])
    .meta({ description: 'The source that decided, or the last one asked if none could.' }),
  checkedAt: z.iso.datetime().meta({ description: 'When it was found out, ISO 8601 in UTC.' }),
  responseMs: z.number().meta({ description: 'Milliseconds this domain took.' }),
}
const more = {
  cached: z.boolean().meta({ description: 'Whether the answer was known from an earlier check.' }),
  error: z
    .enum(['timeout', 'rate_limited', 'upstream_error'])
    .optional()
    .meta({ description: 'Why the first status flag is `unknown`.' }),
  evidence: z
    .array(Evidence)
    .optional()
    .meta({ description: 'Every query that was sent and its outcome, with `evidence=true`.' }),
}
const name = z.string().meta({ description: 'The name without its TLD.', examples: ['example'] })

export const CheckResult = z
  .object({ name: name.optional(), ...fields, ...more })
  .meta({ id: 'CheckResult', description: 'What is known of one domain.' })

export const CheckSummary = z
  .object({
    checked: z.int().meta({ description: 'Domains checked.' }),
    available: z.int().meta({ description: 'Available according to the registry.' }),
    unavailable: z.int().meta({ description: 'Registered or reserved.' }),
    unknown: z.int().meta({ description: 'Not known: no source that could decide answered in time.' }),
    premium: z.int().meta({ description: "Premium according to the registry or the operator's registrar." }),
  })
  .meta({ id: 'CheckSummary', description: 'How many domains have each verdict.' })

export const LegacyCheckResult = z
  .object(fields)
  .meta({ id: 'LegacyCheckResult', description: 'What is known of one domain.' })

const RefusedDomain = z
  .object({
    domain: z.string().meta({ description: 'The domain as it was given.' }),
    error: z.string().meta({ description: 'Why it cannot be checked, as a code.', examples: ['invalid_domain'] }),
    message: z.string().meta({ description: 'Why it cannot be checked, as a sentence.' }),
  })
  .meta({ id: 'RefusedDomain', description: 'A domain of the list that cannot be checked.' })

const totalMs = z.number().meta({ description: 'Milliseconds for the whole request.' })
export const timestamp = z.iso.datetime().meta({ description: 'When the answer was made, ISO 8601 in UTC.' })

const SingleCheck = z
  .object({ name, ...fields, ...more })
  .meta({ id: 'SingleCheck', description: 'The answer for one domain.' })
const SeveralChecks = z
  .object({
    name: name.optional().meta({ description: 'The name, where all domains share it.' }),
    results: z.array(CheckResult).meta({ description: 'One entry per domain, in the order asked for.' }),
    summary: CheckSummary,
    totalMs,
    timestamp,
  })
  .meta({ id: 'SeveralChecks', description: 'The answer for several domains.' })

const group = (what: string) =>
  z
    .array(z.string())
    .optional()
    .meta({ description: `${what}; left out if empty.` })
export const CompactCheck = z
  .object({
    name: name.optional().meta({ description: 'The name, where all domains share it; the lists then hold TLDs.' }),
    available: group('Available according to the registry'),
    registered: group('Registered'),
    reserved: group('Reserved by the registry'),
    unknown: group('No source that could decide answered in time'),
    refused: group('Not checked: not a valid domain with a supported TLD'),
  })
  .meta({ id: 'CompactCheck', description: 'Only the verdicts, with `view=compact`.' })

const evidence = z
  .boolean()
  .optional()
  .meta({ description: 'True to include every query that was sent and its outcome.' })
const view = z
  .enum(['full', 'compact'])
  .default('full')
  .meta({ description: '`compact` gives only the verdicts, grouped, in a few bytes per name.' })

const EXAMPLE_RESULT = {
  domain: 'example.com',
  tld: 'com',
  available: false,
  status: ['registered'],
  premium: false,
  source: 'dns' as const,
  checkedAt: '2026-11-15T12:00:00.000Z',
  responseMs: 31,
}

export const checkDomains = endpoint({
  name: 'checkDomains',
  capability,
  command: 'check',
  argument: {
    shown: 'name|domain',
    description: 'A name, as for --name; with a dot, full domains, as for --domain.',
    field: (text) => (text.includes('.') ? 'domain' : 'name'),
  },
  method: 'GET',
  path: '/v1/check',
  summary: 'Check whether domains can be registered',
  description:
    'Give `name`, and `tld` or `category` (both: their union) unless you want the 20 most popular TLDs; or give full domains as `domain`, which takes precedence. One domain gives a flat answer, several give `results` with a `summary`. A name is `available` only if its registry says so. If no source could decide, it is `unknown` with the reason in `error`, and the status is still 200. With `Accept: application/x-ndjson` or `text/event-stream` each result is sent as soon as it is known, the summary last.',
  input: z.object({
    name: z
      .string()
      .optional()
      .meta({ description: 'Name without TLD; required unless `domain` is given.', examples: ['example'] }),
    tld: asList(z.string())
      .optional()
      .meta({
        description: 'TLDs or suffixes such as `co.uk`, separated by commas, 20 at most.',
        examples: ['com,net'],
      }),
    category: z.enum(CATEGORY_NAMES).optional().meta({ description: 'A category of TLDs with 20 members at most.' }),
    domain: asList(z.string())
      .optional()
      .meta({ description: 'Full domains, separated by commas, 20 at most.', examples: ['example.com,example.net'] }),
    evidence,
    view,
  }),
  output: z
    .union([SingleCheck, SeveralChecks, CompactCheck])
    .meta({ description: 'Flat for one domain, with a summary for several, or compact.' }),
  complaints: {
    name: { invalid: 'invalid_name' },
    tld: { invalid: 'unsupported_tld' },
    category: { invalid: 'invalid_category' },
    domain: { invalid: 'invalid_domain' },
  },
  errors: [
    'missing_parameter',
    'invalid_name',
    'invalid_domain',
    'unsupported_tld',
    'invalid_category',
    'too_many_tlds',
  ],
  errorMembers: {
    unsupported_tld: z.object({
      tld: z.string().meta({ description: 'The TLD that is not supported.', examples: ['example'] }),
    }),
  },
  rate: 'counted',
  tool: true,
  streams: true,
  example: {
    input: { name: 'example', tld: 'com' },
    output: { name: 'example', ...EXAMPLE_RESULT, cached: false },
  },
})

/** For the whole request, including the time in which it waits for its turn. */
export const LEGACY_TIMEOUT_MS = 30_000

export const checkDomainsLegacy = endpoint({
  name: 'checkDomainsLegacy',
  capability,
  method: 'GET',
  path: '/check',
  summary: 'Check a name under every supported TLD, as old clients expect it',
  description: `Checks all 511 TLDs at once, and answers within ${LEGACY_TIMEOUT_MS / 1000} seconds: a name that was not decided by then is \`unknown\`. Not rate-limited, but of each client one request runs and two wait; a further one, and one whose turn does not come in half of that time, is 503 with \`Retry-After\`. At a registry with a rate limit it gets a quarter of it, so some names may be \`unknown\` there.`,
  input: z.object({ name: z.string().meta({ description: 'Name without TLD.', examples: ['example'] }) }),
  output: z
    .object({
      name,
      results: z.array(LegacyCheckResult).meta({ description: 'One entry per TLD.' }),
      totalMs,
      timestamp,
    })
    .meta({ id: 'LegacyChecks', description: 'The answer for every TLD.' }),
  complaints: { name: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name'],
  // The only failure of this endpoint as a whole: too many of these requests at once.
  failsAs: 'service_unavailable',
  rate: 'free',
  deprecated: { since: '2026-11-15', successor: '/v1/check' },
  example: {
    input: { name: 'example' },
    output: { name: 'example', results: [EXAMPLE_RESULT], totalMs: 812, timestamp: '2026-11-15T12:00:00.000Z' },
  },
})

/** Maximum domains of one bulk check, and how many of them count as one request. */
const MAX_BULK_DOMAINS = 10_000
export const DOMAINS_PER_REQUEST = 20

export const checkBulk = endpoint({
  name: 'checkBulk',
  capability,
  command: 'check bulk',
  method: 'POST',
  path: '/v1/check/bulk',
  summary: 'Check up to 10,000 domains, each result as soon as it is known',
  description: `The answer is one body when all results are known. With \`Accept: application/x-ndjson\` or \`text/event-stream\` each result is sent as soon as it is known, the summary last: better for long lists. There an invalid domain has its own line with \`error\` and \`message\`; in one body it is in \`refused\`. Every ${DOMAINS_PER_REQUEST} domains of the list, valid or not, count as one request for the rate limit when it is their turn; when the limit is reached, the rest waits. The work ends when the client disconnects.`,
  input: z.object({
    domains: z
      .array(z.string())
      .min(1)
      .max(MAX_BULK_DOMAINS)
      .meta({ description: 'Full domains.', examples: [['example.com', 'example.org']] }),
    evidence,
    view,
  }),
  output: z
    .union([
      z
        .object({
          results: z.array(CheckResult).meta({ description: 'One entry per domain, in the order they became known.' }),
          refused: z.array(RefusedDomain).optional().meta({ description: 'Domains that cannot be checked.' }),
          summary: CheckSummary,
        })
        .meta({ id: 'BulkCheck', description: 'The answer for a list of domains.' }),
      CompactCheck,
    ])
    .meta({ description: 'All answers in one body, or compact.' }),
  errors: ['missing_parameter', 'invalid_parameter'],
  rate: 'counted',
  tool: true,
  streams: true,
  large: true,
  maxBodyBytes: 1024 * 1024,
  example: {
    input: { domains: ['example.com'] },
    output: {
      results: [{ name: 'example', ...EXAMPLE_RESULT, cached: false }],
      summary: { checked: 1, available: 0, unavailable: 1, unknown: 0, premium: 0 },
    },
  },
})
