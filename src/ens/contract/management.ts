import * as z from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { ensNameField } from './names.ts'
import {
  address,
  durationYears,
  EXAMPLE_OWNER,
  ensName,
  examplePrice,
  exampleTransaction,
  network,
  RentPrice,
  UnsignedTransaction,
  wei,
} from './shapes.ts'
import { capability } from './capability.ts'

const EXAMPLE_RESOLVER = '0xF29100983E058B709F3D539b0c765937B804AC15'

const EnsRecords = z
  .object({
    name: ensName,
    node: z.string().meta({ description: 'EIP-137 hash of the name.', examples: [`0x${'3c'.repeat(32)}`] }),
    resolver: z.string().meta({
      description: 'Resolver contract of the name; empty if it has none.',
      examples: [EXAMPLE_RESOLVER],
    }),
    addresses: z
      .record(z.string(), z.string())
      .meta({ description: 'Addresses by coin; only ETH is supported.', examples: [{ ETH: EXAMPLE_OWNER }] }),
    text: z.record(z.string(), z.string()).meta({
      description: 'Text records by key; only those that are set.',
      examples: [{ url: 'https://example.com' }],
    }),
    contenthash: z.string().optional().meta({ description: 'Content hash in hexadecimal. Left out if not set.' }),
    offchain: z.literal(true).optional().meta({
      description:
        'True if the records are stored off-chain at a gateway chosen by the owner, which this service does not call.',
    }),
  })
  .meta({ id: 'EnsRecords', description: 'The records of an ENS name that are set.' })

const Change = z
  .object({
    type: z.enum(['addr', 'text', 'contenthash']).meta({ description: 'Kind of record.' }),
    key: z.string().meta({ description: 'Coin, text key, or `contenthash`.', examples: ['url'] }),
    value: z
      .string()
      .meta({ description: 'New value; empty if the record is cleared.', examples: ['https://example.com'] }),
  })
  .meta({ id: 'EnsRecordChange', description: 'One record change.' })

const PreparedUpdate = z
  .object({
    name: ensName,
    resolver: address('Resolver the transaction is sent to.'),
    transaction: UnsignedTransaction,
    changes: z.array(Change).meta({ description: 'The record changes, in order.' }),
    warning: z
      .string()
      .optional()
      .meta({ description: 'Why the change would not be visible; left out if it would be.' }),
  })
  .meta({ id: 'EnsPreparedUpdate', description: 'A prepared record update.' })

const Expiry = z
  .object({
    name: ensName,
    expires_at: z.iso.datetime().meta({ description: 'When the registration ends, ISO 8601 in UTC.' }),
    expires_at_unix: z.int().meta({ description: '`expires_at` in seconds since 1970.', examples: [1_794_700_800] }),
    grace_period_ends: z.iso.datetime().meta({
      description: 'End of the grace period, 90 days after expiry. Until then the name cannot be registered by others.',
    }),
    is_expired: z.boolean().meta({ description: 'Whether the registration has ended.' }),
    in_grace_period: z.boolean().meta({ description: 'Whether the registration has ended and can still be renewed.' }),
    renewal_cost: RentPrice,
  })
  .meta({ id: 'EnsExpiry', description: 'When an ENS name expires and what a renewal costs.' })

const PreparedRenewal = z
  .object({
    name: ensName,
    transaction: UnsignedTransaction,
    rent_price: RentPrice,
    value_with_buffer: wei('Value of the transaction: the price plus 10%; the contract refunds the excess.'),
    new_expiry: z.iso
      .datetime()
      .meta({ description: 'When the name would expire after the renewal, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'EnsPreparedRenewal', description: 'A prepared renewal.' })

export const ensRecords = endpoint({
  name: 'ensRecords',
  capability,
  command: 'ens records',
  method: 'GET',
  path: '/v1/ens/records',
  summary: 'Read the records of an ENS name',
  description:
    'Reads the ETH address, nine text keys and the content hash in one round trip. Returns only those that are set.',
  input: z.object({ name: ensNameField }),
  output: EnsRecords,
  complaints: { name: { invalid: 'records_failed' } },
  errors: ['missing_parameter', 'records_failed'],
  failsAs: 'records_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example.eth' },
    output: {
      name: 'example.eth',
      node: `0x${'3c'.repeat(32)}`,
      resolver: EXAMPLE_RESOLVER,
      addresses: { ETH: EXAMPLE_OWNER },
      text: { url: 'https://example.com' },
    },
  },
})

export const prepareEnsUpdate = endpoint({
  name: 'prepareEnsUpdate',
  capability,
  command: 'ens records update',
  method: 'POST',
  path: '/v1/ens/records/prepare-update',
  summary: 'Prepare a record update of an ENS name',
  description: [
    "Returns one unsigned transaction to the name's resolver, simulated against the chain as sent by `owner`.",
    'Give at least one of `addresses`, `text` and `contenthash`; an empty value clears a record.',
  ].join(' '),
  input: z.object({
    name: ensNameField,
    owner: z
      .string()
      .trim()
      .meta({ description: 'Ethereum address that will send the transaction.', examples: [EXAMPLE_OWNER] }),
    addresses: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Addresses by coin; only ETH is supported.', examples: [{ ETH: EXAMPLE_OWNER }] }),
    text: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Text records by key.', examples: [{ url: 'https://example.com' }] }),
    contenthash: z
      .string()
      .optional()
      .meta({ description: 'Content hash in hexadecimal (ENSIP-7).', examples: ['0xe30101701220'] }),
    network,
  }),
  output: PreparedUpdate,
  complaints: {
    name: { invalid: 'invalid_name' },
    owner: { invalid: 'prepare_update_failed' },
    addresses: { invalid: 'prepare_update_failed' },
    text: { invalid: 'prepare_update_failed' },
    contenthash: { invalid: 'prepare_update_failed' },
    network: { invalid: 'unsupported_network' },
  },
  errors: ['missing_parameter', 'invalid_name', 'invalid_request', 'unsupported_network', 'prepare_update_failed'],
  failsAs: 'prepare_update_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example.eth', owner: EXAMPLE_OWNER, text: { url: 'https://example.com' } },
    output: {
      name: 'example.eth',
      resolver: EXAMPLE_RESOLVER,
      transaction: { ...exampleTransaction, to: EXAMPLE_RESOLVER },
      changes: [{ type: 'text', key: 'url', value: 'https://example.com' }],
    },
  },
})

export const ensExpiry = endpoint({
  name: 'ensExpiry',
  capability,
  command: 'ens expiry',
  method: 'GET',
  path: '/v1/ens/expiry',
  summary: 'Get the expiry of an ENS name and the cost of renewing it',
  description: 'Tells whether the name is active, in its grace period or expired, by the clock of the chain.',
  input: z.object({ name: ensNameField, duration_years: durationYears }),
  output: Expiry,
  complaints: { name: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter', 'expiry_failed'],
  failsAs: 'expiry_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example.eth' },
    output: {
      name: 'example.eth',
      expires_at: '2026-11-15T00:00:00.000Z',
      expires_at_unix: 1_794_700_800,
      grace_period_ends: '2027-02-13T00:00:00.000Z',
      is_expired: false,
      in_grace_period: false,
      renewal_cost: examplePrice,
    },
  },
})

export const prepareEnsRenewal = endpoint({
  name: 'prepareEnsRenewal',
  capability,
  command: 'ens renew',
  method: 'POST',
  path: '/v1/ens/renew/prepare',
  summary: 'Prepare the renewal of an ENS name',
  description: [
    'Anyone can renew any name until the end of its grace period. Returns an unsigned transaction, simulated against the',
    'chain. A wrapped name is renewed through the controller that also extends its wrapper.',
  ].join(' '),
  input: z.object({ name: ensNameField, duration_years: durationYears, network }),
  output: PreparedRenewal,
  complaints: { name: { invalid: 'invalid_name' }, network: { invalid: 'unsupported_network' } },
  errors: [
    'missing_parameter',
    'invalid_name',
    'invalid_parameter',
    'invalid_request',
    'unsupported_network',
    'prepare_renew_failed',
  ],
  failsAs: 'prepare_renew_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example.eth', duration_years: 1 },
    output: {
      name: 'example.eth',
      transaction: { ...exampleTransaction, value: '0x682fd2e6aaaab' },
      rent_price: examplePrice,
      value_with_buffer: '1833333333333334',
      new_expiry: '2027-11-15T00:00:00.000Z',
    },
  },
})
