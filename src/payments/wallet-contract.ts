import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const capability = { name: 'payments', description: 'An endpoint to try simulated payments on, in the sandbox only.' }

const hex = (bytes: number, description: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[\\da-fA-F]{${2 * bytes}}$`), `must be 0x and ${2 * bytes} hexadecimal digits`)
    .meta({ description })
const seconds = (description: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description })

const NONCE = `0x${'2b'.repeat(32)}`

/** For pages, which have no library that signs: the wallet's key is published, so it protects nothing. */
export const playWallet = endpoint({
  name: 'playWallet',
  capability,
  method: 'POST',
  path: '/v1/sandbox/wallet',
  summary: 'Sign a payment with the wallet of the play money',
  description:
    'Only while payments are simulated: signs a transfer of USDC on the simulated Base (EIP-3009, as the scheme `exact` of x402 asks for) with the wallet whose key is published.',
  input: z.object({
    to: hex(20, 'The recipient, as the 402 names it.'),
    value: z
      .string()
      .regex(/^\d{1,20}$/, 'must be a whole number in decimal digits')
      .meta({ description: 'Millionths of a USDC.', examples: ['20000'] }),
    validAfter: seconds('Not valid before, in seconds since 1970.'),
    validBefore: seconds('Not valid after, in seconds since 1970.'),
    nonce: hex(32, '32 random bytes.'),
  }),
  output: z
    .object({
      from: z.string().meta({ description: 'Address of the wallet.' }),
      signature: z.string().meta({ description: '65 bytes, in hexadecimal digits.' }),
    })
    .meta({ id: 'PlayMoneySignature', description: 'A signed transfer of play money.' }),
  errors: ['missing_parameter', 'invalid_parameter'],
  rate: 'counted',
  example: {
    input: {
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      value: '20000',
      validAfter: 1_794_744_000,
      validBefore: 1_794_744_300,
      nonce: NONCE,
    },
    output: { from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', signature: `0x${'3c'.repeat(64)}1b` },
  },
})
