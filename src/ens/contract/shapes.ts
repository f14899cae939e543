/** Shapes several ENS endpoints share. */
import { z } from 'zod'

export const EXAMPLE_OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const EXAMPLE_CONTROLLER = '0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547'

export const address = (description: string) => z.string().meta({ description, examples: [EXAMPLE_OWNER] })
export const wei = (description: string) => z.string().meta({ description, examples: ['1666666666666667'] })
export const ensName = z
  .string()
  .meta({ description: 'The name with `.eth`, in lower case.', examples: ['example.eth'] })
export const responseMs = z.number().meta({ description: 'Milliseconds it took to answer.', examples: [42] })
export const source = z
  .enum(['rpc', 'rpc+cache'])
  .meta({ description: 'From the Ethereum node just now, or from what it said a moment ago.' })
export const checkedAt = z.iso.datetime().meta({ description: 'When the node was asked, ISO 8601 in UTC.' })
export const network = z
  .literal('mainnet')
  .optional()
  .meta({ description: 'Only `mainnet`, which is also what is meant without it.', examples: ['mainnet'] })
export const durationYears = z
  .int()
  .min(1)
  .max(100)
  .default(1)
  .meta({ description: 'Years, 1 to 100.', examples: [1] })

export const RentPrice = z
  .object({
    base_wei: wei('The rent itself.'),
    premium_wei: z.string().meta({
      description: 'Temporary premium on a recently expired name, which falls by the second.',
      examples: ['0'],
    }),
    total_wei: wei('Rent and premium together.'),
    total_eth: z.string().meta({ description: 'The same in ether.', examples: ['0.001666666666666667'] }),
    usd_estimate: z
      .number()
      .optional()
      .meta({ description: 'The same in US dollars, at the rate the price oracle uses on the chain.', examples: [5] }),
  })
  .meta({ id: 'EnsRentPrice', description: 'What the ENS controller asks for.' })

const Decoded = z
  .object({
    function: z.string().meta({ description: 'Function of the contract that is called.', examples: ['commit'] }),
    contract: z.string().meta({ description: 'Which contract it is sent to.', examples: ['ETH registrar controller'] }),
    summary: z
      .string()
      .meta({ description: 'What it does, in a sentence.', examples: ['Announces a registration without naming it.'] }),
    arguments: z
      .record(z.string(), z.string())
      .meta({ description: 'Each argument in words.', examples: [{ commitment: '0x1f…' }] }),
  })
  .meta({ id: 'EnsDecoded', description: 'What a wallet would sign, in words a person can check.' })

export const UnsignedTransaction = z
  .object({
    to: z.string().meta({ description: 'Contract to send it to.', examples: [EXAMPLE_CONTROLLER] }),
    data: z.string().meta({ description: 'The call, in hexadecimal.', examples: ['0xf14fcbc8'] }),
    value: z.string().meta({ description: 'Wei to send along, in hexadecimal.', examples: ['0x0'] }),
    gas_estimate: z
      .int()
      .meta({ description: 'Gas to allow: what the node expects and a fifth more.', examples: [53_000] }),
    chain_id: z.int().meta({ description: 'Always 1, Ethereum mainnet.', examples: [1] }),
    gas_source: z.enum(['node', 'constant']).meta({
      description: '`constant` where the node gave no estimate, or an impossible one, and a usual figure stands in.',
    }),
    decoded: Decoded,
  })
  .meta({
    id: 'EnsTransaction',
    description: 'A transaction for the caller to sign and send; nothing is signed or sent here.',
  })

export const exampleTransaction = {
  to: EXAMPLE_CONTROLLER,
  data: '0xf14fcbc81f6e1d3e9b2c1d5c8a7f00c2d1a4b3e2f1908f7e6d5c4b3a29181706f5e4d3c2',
  value: '0x0',
  gas_estimate: 53_000,
  chain_id: 1,
  gas_source: 'node' as const,
  decoded: {
    function: 'commit',
    contract: 'ETH registrar controller',
    summary: 'Announces a registration without naming it.',
    arguments: { commitment: '0x1f6e1d3e9b2c1d5c8a7f00c2d1a4b3e2f1908f7e6d5c4b3a29181706f5e4d3c2' },
  },
}

export const examplePrice = {
  base_wei: '1666666666666667',
  premium_wei: '0',
  total_wei: '1666666666666667',
  total_eth: '0.001666666666666667',
  usd_estimate: 5,
}
