import type { Hex } from 'viem'
import { NEIGHBOUR, WALLET } from './accounts.ts'
import { ELSEWHERE, MAINNET } from './addresses.ts'

export type RegisteredName = {
  /** With `.eth`. */
  readonly name: string
  /** Who holds it, or held it last. */
  readonly owner: Hex
  /** Seconds since the epoch. */
  readonly expires: number
  /** Held in the NameWrapper. */
  readonly wrapped: boolean
  /** Null where it has none. */
  readonly resolver: Hex | null
  readonly records: Records
}

/** Those that are set. */
export type Records = {
  readonly address?: Hex
  readonly text?: Readonly<Record<string, string>>
  readonly contenthash?: Hex
}

export type Plan = Omit<RegisteredName, 'expires'> & {
  /** Days from now; below zero where it is over. */
  readonly expiresIn: number
  /** The name its owner goes by. */
  readonly isPrimary?: boolean
}

const unwrapped = { wrapped: false, resolver: MAINNET.resolver, records: {} } as const

/** What is registered when the chain starts. */
export const PLANS = [
  {
    ...unwrapped,
    name: 'taken.eth',
    owner: WALLET.address,
    expiresIn: 300,
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
  // The name all examples are about.
  {
    ...unwrapped,
    name: 'example.eth',
    owner: NEIGHBOUR.address,
    expiresIn: 500,
    records: { address: NEIGHBOUR.address, text: { url: 'https://example.com' } },
  },
  {
    ...unwrapped,
    name: 'vault.eth',
    owner: NEIGHBOUR.address,
    expiresIn: 900,
    records: { address: NEIGHBOUR.address },
  },
  {
    name: 'wrapped.eth',
    owner: WALLET.address,
    expiresIn: 200,
    wrapped: true,
    resolver: MAINNET.wrappedResolver,
    records: { address: WALLET.address, text: { url: 'https://wrapped.example' } },
  },
  { ...unwrapped, name: 'grace.eth', owner: WALLET.address, expiresIn: -30, records: { address: WALLET.address } },
  // 90 days of grace, and three and a half of its premium.
  { ...unwrapped, name: 'premium.eth', owner: NEIGHBOUR.address, expiresIn: -93.5 },
  { ...unwrapped, name: 'lapsed.eth', owner: NEIGHBOUR.address, expiresIn: -400 },
  { ...unwrapped, name: 'bare.eth', owner: WALLET.address, expiresIn: 100, resolver: null },
  // Its resolver sends whoever asks to an address of its own choice.
  {
    ...unwrapped,
    name: 'offchain.eth',
    owner: NEIGHBOUR.address,
    expiresIn: 700,
    resolver: ELSEWHERE.offchainResolver,
  },
] as const satisfies readonly Plan[]

export type NameAtStart = (typeof PLANS)[number]['name']
