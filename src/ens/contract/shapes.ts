/** Schemas shared by several ENS endpoints. */
import * as z from 'zod'

export const EXAMPLE_OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const EXAMPLE_CONTROLLER = '0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547'

export const address = (description: string) => z.string().meta({ description, examples: [EXAMPLE_OWNER] })
export const wei = (description: string) => z.string().meta({ description, examples: ['1666666666666667'] })
export const ensName = z
  .string()
  .meta({ description: 'The name with `.eth`, in lower case.', examples: ['example.eth'] })
export const responseMs = z.number().meta({ description: 'Time taken to answer, in milliseconds.', examples: [42] })
export const source = z
  .enum(['rpc', 'rpc+cache'])
  .meta({ description: '`rpc` is a fresh answer of the Ethereum node; `rpc+cache` is a cached one.' })
export const checkedAt = z.iso.datetime().meta({ description: 'When the node was read, ISO 8601 in UTC.' })
export const network = z
  .literal('mainnet')
  .optional()
  .meta({ description: 'Only `mainnet`, which is the default.', examples: ['mainnet'] })
export const durationYears = z
  .int()
  .min(1)
  .max(100)
  .default(1)
  .meta({ description: 'Years, 1 to 100.', examples: [1] })

export const RentPrice = z
  .object({
    base_wei: wei('Rent without the premium.'),
    premium_wei: z.string().meta({
      description: 'Temporary premium on a recently expired name; it falls every second.',
      examples: ['0'],
    }),
    total_wei: wei('Rent plus premium.'),
    total_eth: z.string().meta({ description: 'The total in ether.', examples: ['0.001666666666666667'] }),
    usd_estimate: z
      .number()
      .optional()
      .meta({ description: 'The total in US dollars, at the rate of the price feed on the chain.', examples: [5] }),
  })
  .meta({ id: 'EnsRentPrice', description: 'The price the ENS controller charges.' })

const Decoded = z
  .object({
    function: z.string().meta({ description: 'Contract function that is called.', examples: ['commit'] }),
    contract: z
      .string()
      .meta({ description: 'Contract the transaction is sent to.', examples: ['ETH registrar controller'] }),
    summary: z.string().meta({
      description: 'One sentence that says what the transaction does.',
      examples: ['Commits to a registration without revealing the name.'],
    }),
    arguments: z
      .record(z.string(), z.string())
      .meta({ description: 'Each argument in readable form.', examples: [{ commitment: '0x1f…' }] }),
  })
  .meta({
    id: 'EnsDecoded',
    description: 'The transaction in readable form, decoded from the bytes a wallet would sign.',
  })

export const UnsignedTransaction = z
  .object({
    to: z.string().meta({ description: 'Contract to send the transaction to.', examples: [EXAMPLE_CONTROLLER] }),
    data: z.string().meta({ description: 'Call data, in hexadecimal.', examples: ['0xf14fcbc8'] }),
    value: z.string().meta({ description: 'Wei to send, in hexadecimal.', examples: ['0x0'] }),
    gas_estimate: z
      .int()
      .meta({ description: 'Gas limit to use: the estimate of the node plus 20%.', examples: [53_000] }),
    chain_id: z.int().meta({ description: 'Always 1, Ethereum mainnet.', examples: [1] }),
    gas_source: z.enum(['node', 'constant']).meta({
      description:
        '`constant` if the node gave no estimate or an implausible one; `gas_estimate` is then a typical value.',
    }),
    decoded: Decoded,
  })
  .meta({
    id: 'EnsTransaction',
    description: 'An unsigned transaction. The caller signs and sends it; this service does neither.',
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
    summary: 'Commits to a registration without revealing the name.',
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
