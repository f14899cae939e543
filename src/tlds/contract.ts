import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const capability = { name: 'tlds', description: 'The supported TLDs and their categories.' }

/** Number of TLDs, in total and in each category. */
export const TLD_COUNT = 511
export const CATEGORY_COUNTS = {
  top20: 20,
  business: 22,
  country: 68,
  creative: 19,
  education: 12,
  finance: 20,
  food: 13,
  health: 12,
  realestate: 15,
  shopping: 17,
  social: 14,
  sports: 16,
  technology: 22,
  travel: 12,
  web: 11,
} as const

export type CategoryName = keyof typeof CATEGORY_COUNTS
export const CATEGORY_NAMES = Object.keys(CATEGORY_COUNTS) as [CategoryName, ...CategoryName[]]
export const TLD_TYPES = ['gTLD', 'ccTLD'] as const
export type TldType = (typeof TLD_TYPES)[number]

const tld = z.string().meta({ description: 'The TLD without a dot, in lower case.', examples: ['com'] })
const type = z.enum(TLD_TYPES).meta({ description: 'Generic TLD (gTLD) or country-code TLD (ccTLD).' })
const rdapServer = z.string().meta({
  description: "Base URL of the registry's RDAP server; empty if the registry has none.",
  examples: ['https://rdap.verisign.com/com/v1/'],
})
const enabled = z.boolean().meta({ description: 'Whether names under the TLD can be looked up at present.' })

export const TldCategory = z
  .object({
    name: z.enum(CATEGORY_NAMES).meta({ description: 'Value of the parameter `category`.' }),
    label: z.string().meta({ description: 'Display name.', examples: ['Food and drink'] }),
    description: z.string().meta({ description: 'What its TLDs have in common.' }),
    count: z.int().meta({ description: 'How many TLDs it has.', examples: [20] }),
    tlds: z.array(tld).meta({ description: 'Its TLDs, the best known first where there is such an order.' }),
  })
  .meta({ id: 'TldCategory', description: 'A named group of TLDs. A TLD may be in several, or in none.' })

export const TldInfo = z
  .object({
    tld,
    type,
    rdapServer,
    categories: z.array(z.enum(CATEGORY_NAMES)).meta({ description: 'The categories it is in; may be empty.' }),
    enabled,
  })
  .meta({ id: 'TldInfo', description: 'One TLD.' })

const LegacyTldInfo = z
  .object({ tld, type, rdapServer, enabled })
  .meta({ id: 'LegacyTldInfo', description: 'One TLD in the format of old clients.' })

export const TldOverview = z
  .object({
    total: z.int().meta({ description: 'How many TLDs are supported.', examples: [TLD_COUNT] }),
    categories: z.array(TldCategory).meta({ description: 'Every category.' }),
    all: z.array(tld).meta({ description: 'Every supported TLD, alphabetically.' }),
  })
  .meta({ id: 'TldOverview', description: 'The whole catalogue: the answer without parameters.' })

export const TldCategoryAnswer = z
  .object({
    total: z.int().meta({ description: 'How many TLDs the category has.', examples: [20] }),
    categories: z.array(TldCategory).meta({ description: 'The requested category.' }),
  })
  .meta({ id: 'TldCategoryAnswer', description: 'One category: the answer to `category`.' })

export const TldList = z
  .object({
    total: z.int().meta({ description: 'How many TLDs are listed.', examples: [92] }),
    tlds: z.array(TldInfo).meta({ description: 'The TLDs of that type, alphabetically.' }),
  })
  .meta({ id: 'TldList', description: 'A flat list: the answer to `type`.' })

export const SuffixInfo = z
  .object({
    suffix: z.string().meta({ description: 'The suffix without a leading dot, in lower case.', examples: ['co.uk'] }),
    tld: z.string().meta({ description: 'The TLD above it.', examples: ['uk'] }),
    source: z
      .enum(['rdap', 'whois'])
      .meta({ description: 'The protocol by which its registry says whether a name is available.' }),
    rdapServer,
  })
  .meta({ id: 'SuffixInfo', description: 'A suffix of two labels.' })

export const SuffixList = z
  .object({
    total: z.int().meta({ description: 'How many suffixes are listed.', examples: [6] }),
    suffixes: z.array(SuffixInfo).meta({ description: 'The suffixes, alphabetically.' }),
  })
  .meta({ id: 'SuffixList', description: 'Suffixes of two labels under which names can be looked up.' })

export const LegacyTldList = z
  .object({
    count: z.int().meta({ description: 'How many TLDs are supported.', examples: [TLD_COUNT] }),
    tlds: z.array(LegacyTldInfo).meta({ description: 'Every supported TLD, alphabetically.' }),
  })
  .meta({ id: 'LegacyTldList', description: 'The whole catalogue in the format of old clients.' })

export const listTlds = endpoint({
  name: 'listTlds',
  capability,
  command: 'tlds',
  method: 'GET',
  path: '/v1/tlds',
  summary: 'List the supported TLDs and their categories',
  description:
    'Without a parameter: every category and an alphabetical list of every TLD. With `category`: that category alone. ' +
    'With `type`: a flat list of the TLDs of that type with details. ' +
    'With both: the flat list, narrowed to the TLDs of that category (it may be empty).',
  input: z.object({
    type: z
      .enum(TLD_TYPES)
      .optional()
      .meta({ description: 'Only TLDs of this type, as a flat list.', examples: ['ccTLD'] }),
    category: z
      .enum(CATEGORY_NAMES)
      .optional()
      .meta({ description: 'Only the TLDs of this category.', examples: ['top20'] }),
  }),
  output: z
    .union([TldOverview, TldCategoryAnswer, TldList])
    .meta({ description: 'One of three formats, depending on the parameters.' }),
  complaints: { type: { invalid: 'invalid_type' }, category: { invalid: 'invalid_category' } },
  errors: ['invalid_type', 'invalid_category'],
  rate: 'counted',
  tool: true,
  ttlSeconds: 3600,
  example: {
    input: { category: 'web' },
    output: {
      total: 11,
      categories: [
        {
          name: 'web',
          label: 'Web',
          description: 'Sites, pages and hosting',
          count: 11,
          tlds: ['blog', 'click', 'domains', 'host', 'link', 'online', 'page', 'site', 'space', 'website', 'wiki'],
        },
      ],
    },
  },
})

export const listSuffixes = endpoint({
  name: 'listSuffixes',
  capability,
  command: 'suffixes',
  method: 'GET',
  path: '/v1/suffixes',
  summary: 'List suffixes such as co.uk under which names can be looked up',
  description:
    'In many countries names are registered one level lower: `example.co.uk`, `example.com.au`. ' +
    'Wherever a TLD is accepted, a suffix of this list is accepted too; `/v1/tlds` lists the TLDs.',
  input: z.object({
    tld: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9-]{2,63}$/, 'must be a TLD without a dot, for example uk.')
      .optional()
      .meta({ description: 'Only suffixes under this TLD; the list may be empty.', examples: ['uk'] }),
  }),
  output: SuffixList,
  errors: ['invalid_parameter'],
  rate: 'counted',
  tool: true,
  ttlSeconds: 3600,
  example: {
    input: { tld: 'ua' },
    output: {
      total: 1,
      suffixes: [{ suffix: 'com.ua', tld: 'ua', source: 'rdap', rdapServer: 'https://rdap.hostmaster.ua/' }],
    },
  },
})

export const listTldsLegacy = endpoint({
  name: 'listTldsLegacy',
  capability,
  method: 'GET',
  path: '/tlds',
  summary: 'List the supported TLDs in the format of the unversioned API',
  description: 'Kept for old clients; new ones use `/v1/tlds`. The example is shortened to three of the TLDs.',
  input: z.object({}),
  output: LegacyTldList,
  errors: [],
  rate: 'free',
  ttlSeconds: 3600,
  deprecated: { since: '2026-11-15', successor: '/v1/tlds' },
  example: {
    input: {},
    output: {
      count: TLD_COUNT,
      tlds: [
        { tld: 'at', type: 'ccTLD', rdapServer: '', enabled: true },
        { tld: 'com', type: 'gTLD', rdapServer: 'https://rdap.verisign.com/com/v1/', enabled: true },
        { tld: 'net', type: 'gTLD', rdapServer: 'https://rdap.verisign.com/net/v1/', enabled: true },
      ],
    },
  },
})
