import type { Hex } from 'viem'
import { NEIGHBOUR, WALLET } from './accounts.ts'
import { SANDBOX_ADDRESSES, MAINNET } from './addresses.ts'

export type RegisteredName = {
  /** With `.eth`. */
  readonly name: string
  /** The owner, or the last owner of an expired name. */
  readonly owner: Hex
  /** Seconds since the epoch. */
  readonly expires: number
  /** Whether it is in the NameWrapper. */
  readonly wrapped: boolean
  /** Null without a resolver. */
  readonly resolver: Hex | null
  readonly records: Records
}

/** Only the records that are set. */
export type Records = {
  readonly address?: Hex
  readonly text?: Readonly<Record<string, string>>
  readonly contenthash?: Hex
}

export type InitialName = Omit<RegisteredName, 'expires'> & {
  /** Days from now; negative if expired. */
  readonly expiresInDays: number
  /** Whether it is the primary name of its owner. */
  readonly isPrimary?: boolean
}

const unwrapped = { wrapped: false, resolver: MAINNET.resolver, records: {} } as const

/** The names that are registered when the chain starts. */
export const INITIAL_NAMES = [
  {
    ...unwrapped,
    name: 'taken.eth',
    owner: WALLET.address,
    expiresInDays: 300,
    isPrimary: true,
    records: {
      address: WALLET.address,
      text: {
        avatar: 'https://taken.example/face.png',
        description: 'A name with everything set',
        display: 'Taken',
        email: 'hello@taken.example',
        url: 'https://taken.example',
        'com.twitter': 'taken_example',
        'com.github': 'taken-example',
        'com.discord': 'taken.example',
        'org.telegram': 'taken_example',
      },
      // ipfs://QmRAQB6YaCyidP37UdDnjFY5vQuiBrcqdyoW1CuDgwxkD4
      contenthash: '0xe3010170122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f',
    },
  },
  // The name in the examples of the API.
  {
    ...unwrapped,
    name: 'example.eth',
    owner: NEIGHBOUR.address,
    expiresInDays: 500,
    records: { address: NEIGHBOUR.address, text: { url: 'https://example.com' } },
  },
  {
    ...unwrapped,
    name: 'vault.eth',
    owner: NEIGHBOUR.address,
    expiresInDays: 900,
    records: { address: NEIGHBOUR.address },
  },
  {
    name: 'wrapped.eth',
    owner: WALLET.address,
    expiresInDays: 200,
    wrapped: true,
    resolver: MAINNET.wrappedResolver,
    records: { address: WALLET.address, text: { url: 'https://wrapped.example' } },
  },
  { ...unwrapped, name: 'grace.eth', owner: WALLET.address, expiresInDays: -30, records: { address: WALLET.address } },
  // 90 days of grace period, and 3.5 days of premium.
  { ...unwrapped, name: 'premium.eth', owner: NEIGHBOUR.address, expiresInDays: -93.5 },
  { ...unwrapped, name: 'lapsed.eth', owner: NEIGHBOUR.address, expiresInDays: -400 },
  { ...unwrapped, name: 'bare.eth', owner: WALLET.address, expiresInDays: 100, resolver: null },
  // Its resolver redirects clients to a URL of its choice (EIP-3668).
  {
    ...unwrapped,
    name: 'offchain.eth',
    owner: NEIGHBOUR.address,
    expiresInDays: 700,
    resolver: SANDBOX_ADDRESSES.offchainResolver,
  },
] as const satisfies readonly InitialName[]

export type InitialEnsName = (typeof INITIAL_NAMES)[number]['name']
