import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { CREDIT_ENDPOINT } from './credit.ts'

const capability = {
  name: 'credit',
  description: 'Prepaid credit: pay once, then use paid endpoints without a payment each.',
}

const dollars = (description: string, example: string) =>
  z.string().meta({ description: `${description}, in US dollars as decimal text.`, examples: [example] })

const shared = {
  currency: z.literal('USD').meta({ description: 'Always USD.' }),
  expiresAt: z.iso.datetime().nullable().meta({ description: 'When unused credit expires; null: never.' }),
}

const TOKEN = 'onoma_credit_q3vXc0m5bq1o7r8J4k2uTnYpZ6dWfHsLxEaGiCtRwQo'

export const buyCredit = endpoint({
  name: CREDIT_ENDPOINT,
  capability,
  method: 'POST',
  path: '/v1/credit',
  summary: 'Buy prepaid credit',
  description:
    'Costs its amount, paid by x402 or MPP. Paid endpoints then accept the token as `Authorization: Bearer …` and draw ' +
    'their price from the credit. Only a hash of the token is kept: it cannot be shown again later than 24 hours. An ' +
    'x402 payment needs a `Payment-Token` header with 43 to 128 random characters of base64url.',
  input: z.object({
    amount: z
      .int()
      .min(1)
      .max(100)
      .meta({ description: 'Whole US dollars.', examples: [5] }),
  }),
  output: z
    .object({
      token: z
        .string()
        .meta({ description: 'The credit. Keep it secret: anybody who knows it can spend it.', examples: [TOKEN] }),
      bought: dollars('Amount of the credit', '5.00'),
      ...shared,
    })
    .meta({ id: 'BoughtCredit', description: 'A new credit.' }),
  errors: ['missing_parameter', 'invalid_parameter', 'payment_required', 'service_unavailable'],
  rate: 'counted',
  price: { usd: '1.00', times: 'amount' },
  sellsCredit: true,
  example: { input: { amount: 5 }, output: { token: TOKEN, bought: '5.00', currency: 'USD', expiresAt: null } },
})

export const showCredit = endpoint({
  name: 'showCredit',
  capability,
  method: 'GET',
  path: '/v1/credit',
  summary: 'Show the balance of a credit',
  description:
    'The credit of the token in `Authorization: Bearer …`. The token is not accepted anywhere else in a request.',
  input: z.object({}),
  output: z
    .object({
      balance: dollars('What can be spent now', '4.95'),
      bought: dollars('What was bought', '5.00'),
      spent: dollars('What was spent', '0.05'),
      reserved: dollars('Price of requests that are being answered', '0.00'),
      state: z.enum(['usable', 'lost']).meta({
        description: '`usable`, or `lost`: the chain has dropped the payment that bought it, and nothing can be spent.',
      }),
      ...shared,
    })
    .meta({ id: 'CreditBalance', description: 'What is left of a credit.' }),
  errors: ['invalid_token', 'service_unavailable'],
  needsToken: true,
  rate: 'counted',
  example: {
    input: {},
    output: {
      balance: '4.95',
      bought: '5.00',
      spent: '0.05',
      reserved: '0.00',
      state: 'usable',
      currency: 'USD',
      expiresAt: null,
    },
  },
})
