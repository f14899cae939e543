import * as z from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { ensNameField } from './names.ts'
import {
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

const EXAMPLE_ID = 'AQAAAGk3X0ZzY3JlZW4tc2hvdHMtYXJlLW5vdC10b2tlbnM'
const EXAMPLE_SECRET = `0x${'2b'.repeat(32)}`

const seconds = (description: string, example: number) => z.int().meta({ description, examples: [example] })
const registrationId = z.string().meta({
  description: 'Token for the second step, valid for 24 hours. Keep it private: it contains the secret.',
  examples: [EXAMPLE_ID],
})

const RegistrationCheck = z
  .object({
    name: ensName,
    available: z
      .boolean()
      .meta({ description: 'Whether the name can be registered now. If false, the other fields are left out.' }),
    rent_price: RentPrice.optional(),
    gas_estimate: z
      .object({
        commit_gas: z.int().meta({ description: 'Typical gas of the commit transaction.', examples: [60_000] }),
        register_gas: z.int().meta({ description: 'Typical gas of the register transaction.', examples: [350_000] }),
        gas_price_wei: z.string().meta({ description: 'Current gas price, in wei.', examples: ['1000000000'] }),
      })
      .optional()
      .meta({ description: 'Gas of the two transactions, on top of the rent.' }),
    commit_wait: z
      .object({
        min_seconds: seconds('Minimum time between the two transactions.', 60),
        max_seconds: seconds('Maximum time between the two transactions.', 86_400),
      })
      .optional()
      .meta({ description: 'How long to wait after the commit is confirmed.' }),
  })
  .meta({ id: 'EnsRegistrationCheck', description: 'Price, gas and waiting time of a registration.' })

const PreparedCommit = z
  .object({
    registration_id: registrationId,
    name: ensName,
    secret: z.string().meta({
      description:
        'Random 32 bytes in the commitment. Anyone who knows them can find out which name is being registered.',
      examples: [EXAMPLE_SECRET],
    }),
    commitment: z.string().meta({
      description: 'Commitment hash, published by the commit transaction.',
      examples: [`0x${'1f'.repeat(32)}`],
    }),
    transaction: UnsignedTransaction,
    min_wait_seconds: seconds('Minimum wait after the commit is confirmed.', 60),
    max_wait_seconds: seconds('Maximum wait after the commit is confirmed.', 86_400),
  })
  .meta({ id: 'EnsPreparedCommit', description: 'First step of a registration.' })

const PreparedRegister = z
  .object({
    registration_id: registrationId,
    name: ensName,
    transaction: UnsignedTransaction,
    rent_price: RentPrice,
    value_with_buffer: wei('Value of the transaction: the price plus 10%; the contract refunds the excess.'),
  })
  .meta({ id: 'EnsPreparedRegister', description: 'Second step of a registration.' })

const PremiumPoint = z
  .object({
    at: z.iso.datetime().meta({ description: 'Time of the point, ISO 8601 in UTC.' }),
    premium_usd: z.number().meta({ description: 'Premium at that time, in US dollars.', examples: [390_625] }),
  })
  .meta({ id: 'EnsPremiumPoint', description: 'One point of the premium curve.' })

const Premium = z
  .object({
    name: ensName,
    state: z.enum(['registered', 'grace', 'premium', 'available']).meta({
      description: '`grace`: expired, can only be renewed. `premium`: can be registered with a falling premium.',
    }),
    premium_usd: z.number().meta({ description: 'Current premium, in US dollars; 0 if none applies.', examples: [0] }),
    premium_wei: z
      .string()
      .optional()
      .meta({ description: 'Current premium the contract charges, in wei. Left out if none applies.' }),
    starts_at: z.iso.datetime().optional().meta({ description: 'When the premium starts or started.' }),
    ends_at: z.iso.datetime().optional().meta({ description: 'When the premium reaches zero.' }),
    curve: z.array(PremiumPoint).optional().meta({
      description:
        'Future points of the curve. Left out for a name that was never registered or whose premium is over.',
    }),
    below: z
      .object({
        usd: z.number().meta({ description: 'The requested threshold.', examples: [1000] }),
        at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'When the premium falls below it; null if it is below already.' }),
      })
      .optional()
      .meta({ description: 'Only with `below_usd`.' }),
  })
  .meta({ id: 'EnsPremium', description: 'The falling premium of a recently expired name.' })

export const checkEnsRegistration = endpoint({
  name: 'checkEnsRegistration',
  capability,
  command: 'ens register check',
  method: 'POST',
  path: '/v1/ens/register/check',
  summary: 'Get price, gas and waiting time of an ENS registration',
  description: 'Says whether the name is available, and if so what registering it costs. Nothing is stored.',
  input: z.object({ name: ensNameField, duration_years: durationYears, network }),
  output: RegistrationCheck,
  complaints: { name: { invalid: 'invalid_name' }, network: { invalid: 'unsupported_network' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter', 'invalid_request', 'unsupported_network'],
  failsAs: 'check_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example', duration_years: 1 },
    output: {
      name: 'example.eth',
      available: true,
      rent_price: examplePrice,
      gas_estimate: { commit_gas: 60_000, register_gas: 350_000, gas_price_wei: '1000000000' },
      commit_wait: { min_seconds: 60, max_seconds: 86_400 },
    },
  },
})

export const prepareEnsCommit = endpoint({
  name: 'prepareEnsCommit',
  capability,
  command: 'ens register commit',
  method: 'POST',
  path: '/v1/ens/register/prepare-commit',
  summary: 'Prepare the first transaction of an ENS registration',
  description: [
    'Returns an unsigned commit transaction, simulated against the chain. Sign and send it, wait 60 seconds after it is',
    'confirmed, then request the second transaction with the `registration_id`.',
  ].join(' '),
  input: z.object({
    name: ensNameField,
    owner: z
      .string()
      .trim()
      .meta({ description: 'Ethereum address that will own the name.', examples: [EXAMPLE_OWNER] }),
    duration_years: durationYears,
    set_reverse_record: z.boolean().default(true).meta({
      description: 'Whether to make this name the primary name of the address. Also sets the address record.',
    }),
    network,
  }),
  output: PreparedCommit,
  complaints: {
    name: { invalid: 'invalid_name' },
    owner: { invalid: 'prepare_commit_failed' },
    network: { invalid: 'unsupported_network' },
  },
  errors: [
    'missing_parameter',
    'invalid_name',
    'invalid_parameter',
    'invalid_request',
    'unsupported_network',
    'prepare_commit_failed',
  ],
  failsAs: 'prepare_commit_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example', owner: EXAMPLE_OWNER, duration_years: 1 },
    output: {
      registration_id: EXAMPLE_ID,
      name: 'example.eth',
      secret: EXAMPLE_SECRET,
      commitment: `0x${'1f'.repeat(32)}`,
      transaction: exampleTransaction,
      min_wait_seconds: 60,
      max_wait_seconds: 86_400,
    },
  },
})

export const prepareEnsRegister = endpoint({
  name: 'prepareEnsRegister',
  capability,
  command: 'ens register finish',
  method: 'POST',
  path: '/v1/ens/register/prepare-register',
  summary: 'Prepare the second transaction of an ENS registration',
  description: [
    'Requires a commit transaction confirmed at least 60 seconds ago. Returns an unsigned register transaction, simulated',
    'against the chain. Its value is the price plus 10%; the contract refunds the excess.',
  ].join(' '),
  input: z.object({
    registration_id: z
      .string()
      .trim()
      .min(1)
      .max(2048)
      .meta({
        description: 'The `registration_id` from prepare-commit, at most 24 hours old.',
        examples: [EXAMPLE_ID],
      }),
    network,
  }),
  output: PreparedRegister,
  complaints: {
    registration_id: { invalid: 'prepare_register_failed' },
    network: { invalid: 'unsupported_network' },
  },
  errors: ['missing_parameter', 'invalid_request', 'unsupported_network', 'prepare_register_failed'],
  failsAs: 'prepare_register_failed',
  rate: 'counted',
  tool: true,
  example: {
    input: { registration_id: EXAMPLE_ID },
    output: {
      registration_id: EXAMPLE_ID,
      name: 'example.eth',
      transaction: { ...exampleTransaction, value: '0x682fd2e6aaaab' },
      rent_price: {
        base_wei: examplePrice.base_wei,
        premium_wei: '0',
        total_wei: examplePrice.total_wei,
        total_eth: examplePrice.total_eth,
      },
      value_with_buffer: '1833333333333334',
    },
  },
})

export const ensPremium = endpoint({
  name: 'ensPremium',
  capability,
  command: 'ens premium',
  method: 'GET',
  path: '/v1/ens/premium',
  summary: 'Show the falling premium of a recently expired ENS name',
  description:
    'The premium starts at 100 million dollars 90 days after expiry, halves every day and reaches zero after 21 days.',
  input: z.object({
    name: ensNameField,
    below_usd: z
      .number()
      .positive()
      .max(1e9)
      .optional()
      .meta({ description: 'Also return when the premium falls below this amount, in US dollars.', examples: [1000] }),
  }),
  output: Premium,
  complaints: { name: { invalid: 'invalid_name' } },
  errors: ['missing_parameter', 'invalid_name', 'invalid_parameter'],
  failsAs: { code: 'check_failed', status: 500 },
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'example', below_usd: 1000 },
    output: {
      name: 'example.eth',
      state: 'premium',
      premium_usd: 390_577.32,
      premium_wei: '130192440000000000000',
      starts_at: '2026-11-07T12:00:00.000Z',
      ends_at: '2026-11-28T12:00:00.000Z',
      curve: [
        { at: '2026-11-15T12:00:00.000Z', premium_usd: 390_577.32 },
        { at: '2026-11-28T12:00:00.000Z', premium_usd: 0 },
      ],
      below: { usd: 1000, at: '2026-11-24T02:36:41.000Z' },
    },
  },
})
