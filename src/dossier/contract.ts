import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { asList } from '../kernel/field-values.ts'
import { CATEGORY_NAMES } from '../tlds/catalogue.ts'
import { PART_NAMES, type PartName } from './part.ts'

const capability = { name: 'names', description: 'Everything about a name at once.' }

const DEFAULT_DEADLINE_SECONDS = 3
const MAX_DEADLINE_SECONDS = 10
const MIN_DEADLINE_SECONDS = 0.1

const stateOf = <State extends string>(state: State) =>
  z.literal(state).meta({ description: 'Which of the four kinds this part is.' })

const unknown = z
  .object({
    state: stateOf('unknown'),
    reason: z.enum(['timeout', 'rate_limited', 'upstream_error']).meta({ description: 'Why it is not known.' }),
    message: z.string().meta({ description: 'The same in a sentence.' }),
    retryAfterSeconds: z.int().meta({ description: 'When to ask again.', examples: [5] }),
  })
  .meta({ id: 'UnknownPart', description: 'No source answered in time.' })
const nothing = z
  .object({
    state: stateOf('nothing'),
    message: z.string().optional().meta({ description: 'Why there is nothing, if there is a reason.' }),
  })
  .meta({ id: 'EmptyPart', description: 'It was looked up, and there is nothing.' })
const off = z
  .object({
    state: stateOf('off'),
    message: z.string().meta({ description: 'What the operator would have to set.' }),
  })
  .meta({ id: 'ClosedPart', description: 'This service does not offer it.' })

const partOf = (name: PartName, data: z.ZodType) =>
  z
    .discriminatedUnion('state', [
      z.object({ state: stateOf('known'), data }).meta({ description: 'It is known.' }),
      nothing,
      unknown,
      off,
    ])
    .optional()
    .meta({ description: `Left out unless asked for${FOR_DOMAINS.has(name) ? ', and for a name without a TLD' : ''}.` })

/** Looked up for a whole domain only. */
export const FOR_DOMAINS: ReadonlySet<PartName> = new Set(['whois', 'dns'])

const PaidPart = z
  .object({
    what: z.string().meta({ description: 'What it tells.', examples: ['What the domain is worth'] }),
    usd: z.string().meta({ description: 'Price in US dollars.', examples: ['0.02'] }),
    path: z.string().meta({ description: 'The request that is paid for.', examples: ['/v1/valuation/acme.com'] }),
    command: z.string().meta({
      description:
        'A command that pays for it and prints the answer; it needs Node, and the key of a wallet with funds in MPPX_PRIVATE_KEY.',
      examples: ["npx mppx 'https://names.example.org/v1/valuation/acme.com?tier=quick'"],
    }),
  })
  .meta({ id: 'PaidPart', description: 'What can be bought about the domain. Never bought unasked.' })

const CompactDossier = z
  .object({
    name: z.string().meta({ description: 'The name without its TLD.', examples: ['acme'] }),
    domain: z.string().optional().meta({ description: 'The domain, if one was asked for.' }),
    sentence: z.string().meta({
      description: 'A summary in plain words.',
      examples: ['11 of 20 free. .com is taken, for sale from $2,400.'],
    }),
    available: z.array(z.string()).meta({ description: 'TLDs under which it is available, 60 at most.' }),
    registered: z.int().meta({ description: 'Under how many TLDs it is registered or reserved.' }),
    unknown: z.int().meta({ description: 'Under how many TLDs it is not known.' }),
    parts: z.record(z.string(), z.string()).meta({ description: 'The state of each part, or its main figure.' }),
  })
  .meta({ id: 'CompactDossier', description: 'At most 2 KB, with `view=compact`.' })

/** Both views, without what the parts know: their schemas would take 20 KB of every conversation. */
const ToolDossier = z.object({
  name: z.string(),
  domain: z.string().optional(),
  sentence: z.string(),
  parts: z.record(
    z.string(),
    z.union([
      z.string(),
      z.object({
        state: z.enum(['known', 'nothing', 'unknown', 'off']),
        data: z.unknown().optional(),
        message: z.string().optional(),
        reason: z.string().optional(),
        retryAfterSeconds: z.int().optional(),
      }),
    ]),
  ),
  available: z.array(z.string()).optional(),
  registered: z.int().optional(),
  unknown: z.int().optional(),
  paid: z.array(z.object({ what: z.string(), usd: z.string(), path: z.string(), command: z.string() })).optional(),
})

/** `dataOf` has the schema of what each part knows: the answer of the endpoint that it comes from. */
export const nameDossier = (dataOf: Readonly<Record<PartName, z.ZodType>>) =>
  endpoint({
    name: 'nameDossier',
    capability,
    command: 'name',
    method: 'GET',
    path: '/v1/names/{name}',
    summary: 'Get everything about a name at once',
    description:
      'Takes a name or a whole domain and looks up all parts concurrently: availability under a set of TLDs, registrars, ENS, trademarks, offers, auctions and presence; for a domain also WHOIS and DNS. Each part is `known`, `nothing`, `unknown` (with the reason and when to ask again) or `off` (with what to set): a part that fails never fails the answer. After the deadline, what is not there is `unknown`. Counts as one request. With `Accept: application/x-ndjson` or `text/event-stream` the first line says what is asked; each availability result and each part follow as soon as they are known, and the summary is last. What costs money is listed in `paid` and never bought unasked.',
    input: z.object({
      name: z
        .string()
        .min(1)
        .max(260)
        .meta({ description: 'A name, or a whole domain.', examples: ['acme', 'acme.com'] }),
      tld: asList(z.string())
        .optional()
        .meta({ description: 'TLDs, separated by commas.', examples: ['com,net'] }),
      category: z
        .enum([...CATEGORY_NAMES, 'all'])
        .optional()
        .meta({ description: 'A category of TLDs, or all of them; the 20 most popular ones by default.' }),
      parts: asList(z.string())
        .optional()
        .meta({
          description: `Only these parts, separated by commas: ${PART_NAMES.join(', ')}.`,
          examples: ['ens,dns'],
        }),
      deadline: z
        .number()
        .min(MIN_DEADLINE_SECONDS)
        .max(MAX_DEADLINE_SECONDS)
        .default(DEFAULT_DEADLINE_SECONDS)
        .meta({ description: 'Seconds until the answer, at most 10.', examples: [3] }),
      view: z
        .enum(['full', 'compact'])
        .default('full')
        .meta({ description: '`compact` gives a summary of at most 2 KB, for agents.' }),
    }),
    output: z
      .union([
        z
          .object({
            name: z.string().meta({ description: 'The name without its TLD.', examples: ['acme'] }),
            domain: z.string().optional().meta({ description: 'The domain, if one was asked for.' }),
            sentence: z.string().meta({
              description: 'A summary in plain words, the verdict first.',
              examples: ['11 of 20 free. .com is taken, for sale from $2,400. One live mark in class 9.'],
            }),
            parts: z
              .object(Object.fromEntries(PART_NAMES.map((name) => [name, partOf(name, dataOf[name])])))
              .meta({ description: 'What is known, by part.' }),
            paid: z.array(PaidPart).meta({ description: 'What can be bought about the domain; empty for a name.' }),
            totalMs: z.number().meta({ description: 'Milliseconds for the whole request.' }),
            timestamp: z.iso.datetime().meta({ description: 'When the answer was made, ISO 8601 in UTC.' }),
          })
          .meta({ id: 'Dossier', description: 'Everything about a name.' }),
        CompactDossier,
      ])
      .meta({ description: 'Everything, or a summary.' }),
    complaints: { name: { missing: 'missing_parameter', invalid: 'invalid_name' } },
    errors: ['missing_parameter', 'invalid_name', 'invalid_domain', 'unsupported_tld', 'invalid_parameter'],
    errorMembers: {
      unsupported_tld: z.object({
        tld: z.string().meta({ description: 'The TLD that is not supported.', examples: ['example'] }),
      }),
    },
    rate: 'counted',
    tool: true,
    toolOutput: ToolDossier,
    streams: true,
    example: {
      input: { name: 'acme', tld: 'com', parts: 'ens' },
      output: {
        name: 'acme',
        sentence: 'Nothing is known about it at the moment.',
        parts: { ens: { state: 'nothing' } },
        paid: [],
        totalMs: 41,
        timestamp: '2026-11-16T12:00:00.000Z',
      },
    },
  })
