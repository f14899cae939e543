import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const capability = { name: 'payments', description: 'An endpoint to try simulated payments on, in the sandbox only.' }

/** Two sandbox endpoints to try payments on: nothing real is sold, and no real money is paid. */

export const paidEcho = endpoint({
  name: 'paidEcho',
  capability,
  method: 'GET',
  path: '/v1/sandbox/echo',
  summary: 'Repeat a word, for money that is worth nothing',
  description: 'In the sandbox only: a paid endpoint to try payments on, by x402 or MPP.',
  input: z.object({
    say: z
      .string()
      .min(1)
      .max(200)
      .default('hello')
      .meta({ description: 'What to repeat.', examples: ['hello'] }),
  }),
  output: z
    .object({
      said: z.string().meta({ description: 'The repeated word.', examples: ['hello'] }),
      at: z.iso.datetime().meta({ description: 'Time of the answer, ISO 8601 in UTC.' }),
    })
    .meta({ id: 'PaidEcho', description: 'A word, repeated.' }),
  errors: ['invalid_parameter', 'payment_required', 'service_unavailable'],
  rate: 'counted',
  tool: true,
  price: { usd: '0.05' },
  example: { input: { say: 'hello' }, output: { said: 'hello', at: '2026-11-15T12:00:00.000Z' } },
})

export const sandboxLedger = endpoint({
  name: 'sandboxLedger',
  capability,
  method: 'GET',
  path: '/v1/sandbox/ledger',
  summary: 'Show what was paid in the sandbox',
  description: 'In the sandbox only: the latest payments, newest first.',
  input: z.object({}),
  output: z
    .object({
      payments: z
        .array(
          z
            .object({
              scheme: z.string().meta({ description: 'x402 or mpp.', examples: ['x402'] }),
              payer: z.string().meta({ description: 'Address of the payer.' }),
              endpoint: z
                .string()
                .meta({ description: 'Name of the endpoint that was paid for.', examples: ['paidEcho'] }),
              usd: z.string().meta({ description: 'Amount in US dollars.', examples: ['0.05'] }),
              state: z.enum(['claimed', 'computed', 'settled']).meta({
                description:
                  '`claimed`: in progress. `computed`: answer saved, payment not confirmed. `settled`: paid.',
              }),
              transaction: z.string().optional().meta({ description: 'Hash of the settlement transaction.' }),
              at: z.iso
                .datetime()
                .meta({ description: 'Time of the first request with this payment, ISO 8601 in UTC.' }),
            })
            .meta({ id: 'SandboxPayment', description: 'One payment.' }),
        )
        .meta({ description: 'At most 100.' }),
    })
    .meta({ id: 'SandboxLedger', description: 'The payments of the sandbox.' }),
  errors: ['service_unavailable'],
  rate: 'free',
  example: {
    input: {},
    output: {
      payments: [
        {
          scheme: 'x402',
          payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
          endpoint: 'paidEcho',
          usd: '0.05',
          state: 'settled',
          transaction: `0x${'1f'.repeat(32)}`,
          at: '2026-11-15T12:00:00.000Z',
        },
      ],
    },
  },
})
