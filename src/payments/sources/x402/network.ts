import type { Hex } from '../../scheme.ts'

/** A chain as x402 knows it. */
export type Network = {
  readonly chainId: number
  /** CAIP-2, as version 2 writes it. */
  readonly id: `eip155:${number}`
  /** As version 1 writes it. */
  readonly name: string
  /** How far blocks are apart, as a first guess. */
  readonly blockSeconds: number
}

/** A token of EIP-3009 and the words wallets sign for it with (EIP-712). */
export type Token = {
  readonly address: Hex
  readonly name: string
  readonly version: string
}

export const BASE: Network = { chainId: 8453, id: 'eip155:8453', name: 'base', blockSeconds: 2 }

/** Circle's USDC on Base; six decimals, as our dollars have. */
export const BASE_USDC: Token = {
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  version: '2',
}
