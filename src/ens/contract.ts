import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { ensNameField, ensNamesField } from './names.ts'
import { address, checkedAt, EXAMPLE_OWNER, ensName, responseMs, source } from './shapes.ts'

const EXAMPLE_RESOLVER = '0xF29100983E058B709F3D539b0c765937B804AC15'
const record = (description: string) => z.string().meta({ description: `${description}; empty where it is not set.` })

const CheckPrice = z.object({
  wei: z.string().meta({ description: 'In wei.', examples: ['1666666666666667'] }),
  eth: z.string().meta({ description: 'In ether.', examples: ['0.001666666666666667'] }),
  usdEstimate: z.number().meta({ description: 'In US dollars.', examples: [5] }),
})

const EnsAvailability = z
  .object({
    name: ensName,
    available: z.boolean().meta({ description: 'True only if the registrar would take a registration now.' }),
    owner: address('Who holds it. Left out if it is available.').optional(),
    resolver: address('Contract that answers for it. Left out if it is available or has none.').optional(),
    registrationPrice: CheckPrice.optional().meta({
      description: 'Annual price by the length of the name, without a premium. Left out if the name is taken.',
    }),
    premiumPrice: CheckPrice.optional().meta({
      description:
        'Temporary premium on a recently expired name, paid once on top of the annual price; falls to zero within 21 days. Left out if none applies.',
    }),
    responseMs,
    source,
    checkedAt,
  })
  .meta({ id: 'EnsAvailability', description: 'Whether an ENS name can be registered.' })

const EnsMetadata = z
  .object({
    name: ensName,
    owner: address('Who holds the name; of a wrapped name, who holds its wrapper.'),
    resolver: z.string().meta({
      description: 'Contract that answers for the name; empty where it has none.',
      examples: [EXAMPLE_RESOLVER],
    }),
    address: z.string().meta({
      description: 'Ethereum address the name resolves to; empty where it resolves to none.',
      examples: [EXAMPLE_OWNER],
    }),
    records: z
      .object({
        avatar: record('Picture of the owner, as a URL or a token reference'),
        url: record('Home page'),
        description: record('What the owner says of the name'),
        twitter: record('Handle on the micro-blog'),
        github: record('Handle at the code host'),
        email: record('Mail address'),
        contenthash: record('Where content for the name is found, as hexadecimal bytes'),
      })
      .meta({ description: 'The records most clients show.' }),
    offchain: z.literal(true).optional().meta({
      description: 'Present where the records lie outside the chain, at an address its owner chose; it is not asked.',
    }),
    responseMs,
    source,
    checkedAt,
  })
  .meta({ id: 'EnsMetadata', description: 'Owner, resolver and records of an ENS name.' })

const NoMetadata = z
  .object({
    name: ensName,
    error: z.string().meta({ description: 'Why there is none.', examples: ['not_found'] }),
    message: z.string().meta({ description: 'The same in words.', examples: ['free.eth is not registered.'] }),
  })
  .meta({ id: 'EnsNoMetadata', description: 'A name of the list without metadata.' })

const EnsMetadataList = z
  .object({
    results: z
      .array(z.union([EnsMetadata, NoMetadata]))
      .meta({ description: 'In the order asked for, each name once.' }),
    responseMs,
    timestamp: z.iso.datetime().meta({ description: 'When the answer was made, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'EnsMetadataList', description: 'Metadata of several names.' })

const EnsHealth = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({
      description:
        '`degraded` when no Ethereum node answers, or no transaction can be prepared: of several nodes fewer than two answer and agree, or the registrar no longer lets our controller register.',
    }),
    service: z.string().meta({ description: 'Which service answers.', examples: ['ens'] }),
    ens: z
      .object({
        status: z.string().meta({ description: 'How the ENS part is, in a few words.', examples: ['ok'] }),
        rpcConnected: z.boolean().meta({ description: 'Whether an Ethereum node answers.' }),
      })
      .meta({ description: 'The connection to Ethereum.' }),
    cacheStats: z
      .object({
        availability: z.int().meta({ description: 'How many answers on availability are kept.', examples: [0] }),
        metadata: z.int().meta({ description: 'How many answers on metadata are kept.', examples: [0] }),
      })
      .meta({ description: 'What the caches hold at this moment.' }),
  })
  .meta({ id: 'EnsHealth', description: 'How the ENS part of the service is.' })

const TransactionStatus = z
  .object({
    tx_hash: z.string().meta({ description: 'The transaction asked about.', examples: [`0x${'1f'.repeat(32)}`] }),
    status: z.enum(['pending', 'confirmed', 'failed']).meta({ description: '`failed` is mined and reverted.' }),
    seen: z.boolean().meta({
      description: 'False while no node has heard of it: not sent yet, or dropped.',
    }),
    block_number: z.int().optional().meta({ description: 'Block it is in. Left out while pending.' }),
    gas_used: z.int().optional().meta({ description: 'Gas it used. Left out while pending.' }),
    effective_gas_price: z
      .string()
      .optional()
      .meta({ description: 'Wei paid for each unit of gas. Left out while pending.', examples: ['1000000000'] }),
  })
  .meta({ id: 'EnsTransactionStatus', description: 'How far a transaction has come.' })

const refresh = z
  .boolean()
  .optional()
  .meta({ description: 'True to ask the node even where a recent answer is known.' })

export const checkEns = endpoint({
  name: 'checkEns',
  capability: 'ens',
  command: 'ens check',
  method: 'GET',
  path: '/v1/ens/check',
  summary: 'Check whether an ENS name can be registered',
  description: [
    'Says who holds a name that is taken, or what a year of a free one costs, with the premium of a recently expired one',
    'apart. Kept for up to half a minute.',
  ].join(' '),
  input: z.object({ name: ensNameField, refresh }),
  output: EnsAvailability,
  complaints: { name: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter'],
  failsAs: { code: 'check_failed', status: 500 },
  rate: 'counted',
  example: {
    input: { name: 'example' },
    output: {
      name: 'example.eth',
      available: true,
      registrationPrice: { wei: '1666666666666667', eth: '0.001666666666666667', usdEstimate: 5 },
      responseMs: 42,
      source: 'rpc',
      checkedAt: '2026-11-15T12:00:00.000Z',
    },
  },
})

export const ensMetadata = endpoint({
  name: 'ensMetadata',
  capability: 'ens',
  command: 'ens metadata',
  argument: {
    shown: 'name|names',
    description: 'A name, as --name takes it; with a comma in it several, as --names takes them.',
    field: (text) => (text.includes(',') ? 'names' : 'name'),
  },
  method: 'GET',
  path: '/v1/ens/metadata',
  summary: 'Get owner, resolver and records of ENS names',
  description: [
    'Reads the chain in one round trip; nothing is signed or sent. Kept for up to a minute; `refresh=true` reads anew.',
    'With `names` up to 50 names are read at once, and one that is not registered does not spoil the others.',
  ].join(' '),
  input: z.object({ name: ensNameField.optional(), names: ensNamesField.optional(), refresh }),
  output: z.union([EnsMetadata, EnsMetadataList]),
  complaints: { name: { invalid: 'invalid_name' }, names: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter', 'not_found'],
  failsAs: 'metadata_failed',
  rate: 'counted',
  example: {
    input: { name: 'example.eth' },
    output: {
      name: 'example.eth',
      owner: EXAMPLE_OWNER,
      resolver: EXAMPLE_RESOLVER,
      address: EXAMPLE_OWNER,
      records: {
        avatar: '',
        url: 'https://example.com',
        description: '',
        twitter: '',
        github: '',
        email: '',
        contenthash: '',
      },
      responseMs: 42,
      source: 'rpc',
      checkedAt: '2026-11-15T12:00:00.000Z',
    },
  },
})

export const ensHealth = endpoint({
  name: 'ensHealth',
  capability: 'ens',
  command: 'ens health',
  method: 'GET',
  path: '/v1/ens/health',
  summary: 'Tell whether the ENS part of the service is up',
  description: 'Says whether an Ethereum node answers and transactions can be prepared. Never rate-limited.',
  input: z.object({}),
  output: EnsHealth,
  errors: [],
  rate: 'free',
  example: {
    input: {},
    output: {
      status: 'ok',
      service: 'ens',
      ens: { status: 'ok', rpcConnected: true },
      cacheStats: { availability: 0, metadata: 0 },
    },
  },
})

export const ensTransactionStatus = endpoint({
  name: 'ensTransactionStatus',
  capability: 'ens',
  command: 'ens tx',
  method: 'GET',
  path: '/v1/ens/tx/status',
  summary: 'Follow a transaction',
  description: 'Ask again every 5 seconds until it is `confirmed` or `failed`; a block comes about every 12.',
  input: z.object({
    hash: z
      .string()
      .trim()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
      .meta({ description: 'Transaction hash: 0x and 64 hexadecimal digits.', examples: [`0x${'1f'.repeat(32)}`] }),
  }),
  output: TransactionStatus,
  complaints: { hash: { invalid: 'tx_status_failed' } },
  errors: ['missing_parameter', 'tx_status_failed'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  example: {
    input: { hash: `0x${'1f'.repeat(32)}` },
    output: {
      tx_hash: `0x${'1f'.repeat(32)}`,
      status: 'confirmed',
      seen: true,
      block_number: 24_000_000,
      gas_used: 44_000,
      effective_gas_price: '1000000000',
    },
  },
})
