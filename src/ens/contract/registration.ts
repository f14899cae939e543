import { z } from 'zod'
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
  description: 'Token that stands for this registration for 24 hours. Keep it to yourself: it holds the secret.',
  examples: [EXAMPLE_ID],
})

const RegistrationCheck = z
  .object({
    name: ensName,
    available: z.boolean().meta({ description: 'Whether it can be registered now. If not, nothing else is said.' }),
    rent_price: RentPrice.optional(),
    gas_estimate: z
      .object({
        commit_gas: z.int().meta({ description: 'Usual gas of the commit transaction.', examples: [60_000] }),
        register_gas: z.int().meta({ description: 'Usual gas of the register transaction.', examples: [350_000] }),
        gas_price_wei: z.string().meta({ description: 'Gas price now, in wei.', examples: ['1000000000'] }),
      })
      .optional()
      .meta({ description: 'What the two transactions cost beside the rent.' }),
    commit_wait: z
      .object({
        min_seconds: seconds('Least time between the two transactions.', 60),
        max_seconds: seconds('Most time between them.', 86_400),
      })
      .optional()
      .meta({ description: 'How long to wait after the commit is confirmed.' }),
  })
  .meta({ id: 'EnsRegistrationCheck', description: 'What registering a name would take.' })

const PreparedCommit = z
  .object({
    registration_id: registrationId,
    name: ensName,
    secret: z.string().meta({
      description: 'Random 32 bytes the commitment is made with. Whoever knows it can see what is being registered.',
      examples: [EXAMPLE_SECRET],
    }),
    commitment: z.string().meta({ description: 'Hash that goes on the chain.', examples: [`0x${'1f'.repeat(32)}`] }),
    transaction: UnsignedTransaction,
    min_wait_seconds: seconds('Least time after the commit is confirmed.', 60),
    max_wait_seconds: seconds('Most time after it.', 86_400),
  })
  .meta({ id: 'EnsPreparedCommit', description: 'First step of a registration.' })

const PreparedRegister = z
  .object({
    registration_id: registrationId,
    name: ensName,
    transaction: UnsignedTransaction,
    rent_price: RentPrice,
    value_with_buffer: wei(
      'What the transaction carries: a tenth more than the price; the contract pays back the rest.',
    ),
  })
  .meta({ id: 'EnsPreparedRegister', description: 'Second step of a registration.' })

const PremiumPoint = z
  .object({
    at: z.iso.datetime().meta({ description: 'Moment, ISO 8601 in UTC.' }),
    premium_usd: z.number().meta({ description: 'Premium at that moment, in US dollars.', examples: [390_625] }),
  })
  .meta({ id: 'EnsPremiumPoint', description: 'One point of the curve.' })

const Premium = z
  .object({
    name: ensName,
    state: z
      .enum(['registered', 'grace', 'premium', 'available'])
      .meta({ description: '`grace` may only be renewed; `premium` is free at a price that falls.' }),
    premium_usd: z.number().meta({ description: 'Premium now, in US dollars; 0 where there is none.', examples: [0] }),
    premium_wei: z
      .string()
      .optional()
      .meta({ description: 'The same as the contract asks it now. Left out where there is none.' }),
    starts_at: z.iso.datetime().optional().meta({ description: 'When the premium began or would begin.' }),
    ends_at: z.iso.datetime().optional().meta({ description: 'When it is gone or would be.' }),
    curve: z
      .array(PremiumPoint)
      .optional()
      .meta({ description: 'From now, or from its beginning, to its end. Left out for a name never registered.' }),
    below: z
      .object({
        usd: z.number().meta({ description: 'The sum asked about.', examples: [1000] }),
        at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'When the premium falls below it; null where it is below already.' }),
      })
      .optional()
      .meta({ description: 'With `below_usd`.' }),
  })
  .meta({ id: 'EnsPremium', description: 'The falling price of a recently expired name.' })

export const checkEnsRegistration = endpoint({
  name: 'checkEnsRegistration',
  capability,
  command: 'ens register check',
  method: 'POST',
  path: '/v1/ens/register/check',
  summary: 'Say what registering an ENS name would take',
  description: 'Price, gas and waiting time of a registration. Nothing is stored.',
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
    'Returns an unsigned commit transaction that was tried out against the chain. Sign and send it, wait 60 seconds',
    'after it is confirmed, then ask for the second with the `registration_id`.',
  ].join(' '),
  input: z.object({
    name: ensNameField,
    owner: z
      .string()
      .trim()
      .meta({ description: 'Ethereum address that will own the name.', examples: [EXAMPLE_OWNER] }),
    duration_years: durationYears,
    set_reverse_record: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the address shall show this name as its own. Sets the address record, too.' }),
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
    'Needs the commit transaction confirmed for at least 60 seconds. Returns an unsigned register transaction that was',
    'tried out against the chain; its value is a tenth above the price, and the contract pays back the rest.',
  ].join(' '),
  input: z.object({
    registration_id: z
      .string()
      .trim()
      .min(1)
      .max(2048)
      .meta({ description: 'From prepare-commit, not older than 24 hours.', examples: [EXAMPLE_ID] }),
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
  summary: 'Show how the price of a recently expired ENS name falls',
  description: 'The premium begins 90 days after expiry at 100 million dollars, halves every day and is gone after 21.',
  input: z.object({
    name: ensNameField,
    below_usd: z
      .number()
      .positive()
      .max(1e9)
      .optional()
      .meta({ description: 'Ask when the premium falls below so many US dollars.', examples: [1000] }),
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
