import * as z from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { ensNameField, ensNamesField } from './names.ts'
import { address, checkedAt, EXAMPLE_OWNER, ensName, responseMs, source } from './shapes.ts'
import { capability } from './capability.ts'

const EXAMPLE_RESOLVER = '0xF29100983E058B709F3D539b0c765937B804AC15'
const record = (description: string) => z.string().meta({ description: `${description}; empty if not set.` })

const CheckPrice = z.object({
  wei: z.string().meta({ description: 'In wei.', examples: ['1666666666666667'] }),
  eth: z.string().meta({ description: 'In ether.', examples: ['0.001666666666666667'] }),
  usdEstimate: z.number().meta({ description: 'In US dollars.', examples: [5] }),
})

const EnsAvailability = z
  .object({
    name: ensName,
    available: z.boolean().meta({ description: 'True only if the registrar accepts a registration now.' }),
    owner: address('Owner of the name. Left out if the name is available.').optional(),
    resolver: address('Resolver contract of the name. Left out if the name is available or has none.').optional(),
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
    owner: address('Owner of the name; for a wrapped name, the owner of the wrapped token.'),
    resolver: z.string().meta({
      description: 'Resolver contract of the name; empty if it has none.',
      examples: [EXAMPLE_RESOLVER],
    }),
    address: z.string().meta({
      description: 'Ethereum address the name resolves to; empty if none is set.',
      examples: [EXAMPLE_OWNER],
    }),
    records: z
      .object({
        avatar: record('Avatar, as a URL or a token reference'),
        url: record('Home page'),
        description: record('Description set by the owner'),
        twitter: record('Handle at com.twitter'),
        github: record('Handle at com.github'),
        email: record('Mail address'),
        contenthash: record('Content hash, in hexadecimal'),
      })
      .meta({ description: 'The records most clients show.' }),
    offchain: z.literal(true).optional().meta({
      description:
        'True if the records are stored off-chain at a gateway chosen by the owner, which this service does not call.',
    }),
    responseMs,
    source,
    checkedAt,
  })
  .meta({ id: 'EnsMetadata', description: 'Owner, resolver and records of an ENS name.' })

const NoMetadata = z
  .object({
    name: ensName,
    error: z.string().meta({ description: 'Error code.', examples: ['not_found'] }),
    message: z.string().meta({ description: 'Explanation of the error.', examples: ['free.eth is not registered.'] }),
  })
  .meta({ id: 'EnsNoMetadata', description: 'A requested name without metadata.' })

const EnsMetadataList = z
  .object({
    results: z
      .array(z.union([EnsMetadata, NoMetadata]))
      .meta({ description: 'Results in the order of the request, each name once.' }),
    responseMs,
    timestamp: z.iso.datetime().meta({ description: 'When the response was created, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'EnsMetadataList', description: 'Metadata of several names.' })

const EnsHealth = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({
      description:
        '`degraded` if no Ethereum node answers, or if no transaction can be prepared: fewer than two of several nodes answer and agree, or the registrar no longer authorizes the controller in use.',
    }),
    service: z.string().meta({ description: 'Name of the service.', examples: ['ens'] }),
    ens: z
      .object({
        status: z.string().meta({ description: '`ok`, or what is wrong.', examples: ['ok'] }),
        rpcConnected: z.boolean().meta({ description: 'Whether an Ethereum node answers.' }),
      })
      .meta({ description: 'The connection to Ethereum.' }),
    cacheStats: z
      .object({
        availability: z.int().meta({ description: 'Cached availability results.', examples: [0] }),
        metadata: z.int().meta({ description: 'Cached metadata results.', examples: [0] }),
      })
      .meta({ description: 'Number of cached results.' }),
  })
  .meta({ id: 'EnsHealth', description: 'Health of the ENS part of the service.' })

const TransactionStatus = z
  .object({
    tx_hash: z.string().meta({ description: 'The requested transaction.', examples: [`0x${'1f'.repeat(32)}`] }),
    status: z.enum(['pending', 'confirmed', 'failed']).meta({ description: '`failed` means mined and reverted.' }),
    seen: z.boolean().meta({
      description: 'False while no node knows the transaction: not sent yet, or dropped.',
    }),
    block_number: z
      .int()
      .optional()
      .meta({ description: 'Block that contains the transaction. Left out while pending.' }),
    gas_used: z.int().optional().meta({ description: 'Gas used. Left out while pending.' }),
    effective_gas_price: z
      .string()
      .optional()
      .meta({ description: 'Wei paid for each unit of gas. Left out while pending.', examples: ['1000000000'] }),
  })
  .meta({ id: 'EnsTransactionStatus', description: 'Status of a transaction.' })

const refresh = z.boolean().optional().meta({ description: 'True to bypass the cache and read from the node.' })

export const checkEns = endpoint({
  name: 'checkEns',
  capability,
  command: 'ens check',
  method: 'GET',
  path: '/v1/ens/check',
  summary: 'Check whether an ENS name can be registered',
  description: [
    'Returns the owner of a registered name, or the annual price of an available one. The premium of a recently expired',
    'name is listed separately. Cached for up to 30 seconds.',
  ].join(' '),
  input: z.object({ name: ensNameField, refresh }),
  output: EnsAvailability,
  complaints: { name: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter'],
  failsAs: { code: 'check_failed', status: 500 },
  rate: 'counted',
  tool: true,
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
  capability,
  command: 'ens metadata',
  argument: {
    shown: 'name|names',
    description: 'One name (as --name), or several separated by commas (as --names).',
    field: (text) => (text.includes(',') ? 'names' : 'name'),
  },
  method: 'GET',
  path: '/v1/ens/metadata',
  summary: 'Get owner, resolver and records of ENS names',
  description: [
    'Reads the chain in one round trip. Cached for up to a minute; `refresh=true` bypasses the cache.',
    'With `names` up to 50 names are read at once; one that is not registered does not affect the others.',
  ].join(' '),
  input: z.object({ name: ensNameField.optional(), names: ensNamesField.optional(), refresh }),
  output: z.union([EnsMetadata, EnsMetadataList]),
  complaints: { name: { invalid: 'invalid_name' }, names: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter', 'not_found'],
  failsAs: 'metadata_failed',
  rate: 'counted',
  tool: true,
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
  capability,
  command: 'ens health',
  method: 'GET',
  path: '/v1/ens/health',
  summary: 'Get the health of the ENS part of the service',
  description: 'Tells whether an Ethereum node answers and transactions can be prepared. Never rate-limited.',
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
  capability,
  command: 'ens tx',
  method: 'GET',
  path: '/v1/ens/tx/status',
  summary: 'Get the status of a transaction',
  description:
    'Poll every 5 seconds until the status is `confirmed` or `failed`; a block is mined about every 12 seconds.',
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
  tool: true,
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
