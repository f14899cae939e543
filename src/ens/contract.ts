import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const address = (description: string) =>
  z.string().meta({ description, examples: ['0x00000000000000000000000000000000000000e5'] })
const record = (description: string) => z.string().meta({ description: `${description}; empty where it is not set.` })

const EnsMetadata = z
  .object({
    name: z.string().meta({ description: 'The name with `.eth`, in lower case.', examples: ['example.eth'] }),
    owner: address('Ethereum address that owns the name.'),
    resolver: address('Contract that answers for the name.'),
    address: address('Ethereum address the name resolves to.'),
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
      .meta({ description: 'The text records most clients show.' }),
    responseMs: z.number().meta({ description: 'Milliseconds it took to answer.', examples: [42] }),
    source: z
      .enum(['rpc', 'rpc+cache'])
      .meta({ description: 'From the Ethereum node just now, or in part from what it said before.' }),
    checkedAt: z.iso.datetime().meta({ description: 'When the node was asked, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'EnsMetadata', description: 'Owner, resolver and records of an ENS name.' })

const EnsHealth = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .meta({ description: '`degraded` when the connection to the Ethereum node is down.' }),
    service: z.string().meta({ description: 'Which service answers.', examples: ['ens'] }),
    ens: z
      .object({
        status: z.string().meta({ description: 'How the ENS part is, in a word.', examples: ['ok'] }),
        rpcConnected: z.boolean().meta({ description: 'Whether the Ethereum node answers.' }),
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

export const ensMetadata = endpoint({
  name: 'ensMetadata',
  capability: 'ens',
  command: 'ens metadata',
  method: 'GET',
  path: '/v1/ens/metadata',
  summary: 'Get owner, resolver and records of an ENS name',
  description: 'Reads the chain; nothing is signed or sent. Only Ethereum mainnet is supported.',
  input: z.object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .meta({ description: 'ENS name, with or without `.eth`.', examples: ['example.eth'] }),
  }),
  output: EnsMetadata,
  complaints: { name: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'not_found', 'service_unavailable'],
  failsAs: 'metadata_failed',
  rate: 'counted',
  example: {
    input: { name: 'example.eth' },
    output: {
      name: 'example.eth',
      owner: '0x00000000000000000000000000000000000000e5',
      resolver: '0x00000000000000000000000000000000000000e6',
      address: '0x00000000000000000000000000000000000000e5',
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
  description: 'Says whether the Ethereum node can be reached. Never rate-limited.',
  input: z.object({}),
  output: EnsHealth,
  errors: ['service_unavailable'],
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
