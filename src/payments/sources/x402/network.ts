import type { Hex } from '../../scheme.ts'

/** A chain and its names in x402. */
export type Network = {
  readonly chainId: number
  /** CAIP-2 identifier, used by version 2. */
  readonly id: `eip155:${number}`
  /** Used by version 1. */
  readonly name: string
  /** Typical block interval; the first guess when a block is searched by its time. */
  readonly blockSeconds: number
}

/** An EIP-3009 token and its EIP-712 domain name and version. */
export type Token = {
  readonly address: Hex
  readonly name: string
  readonly version: string
}

export const BASE: Network = { chainId: 8453, id: 'eip155:8453', name: 'base', blockSeconds: 2 }

/** Circle's USDC on Base. It has six decimals, so one unit is a millionth of a dollar, like `Usd`. */
export const BASE_USDC: Token = {
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  version: '2',
}
