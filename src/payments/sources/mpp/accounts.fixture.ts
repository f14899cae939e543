import { Account } from 'viem/tempo'
import type { SimulatedTempo } from '../../play-money/tempo.ts'
import type { Hex, Payment } from '../../scheme.ts'
import { challengeOf, type createTestScheme, type Draft, headersOf, OFFER, transferFor } from './mpp.fixture.ts'

const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`
const root = () => Account.fromSecp256k1(keyOf('51'))
const PASSKEY = { rpId: 'wallet.example', origin: 'https://wallet.example' }

/** Every kind of account that viem makes for Tempo, without access keys. */
export const ROOT_ACCOUNTS = {
  secp256k1: root,
  P256: () => Account.fromP256(keyOf('52')),
  passkey: () => Account.fromHeadlessWebAuthn(keyOf('53'), PASSKEY),
}

/** Access keys of every kind, each for an account with an ordinary key. */
export const ACCESS_KEYS = {
  'secp256k1 access key': () => Account.fromSecp256k1(keyOf('61'), { access: root() }),
  'P256 access key': () => Account.fromP256(keyOf('62'), { access: root() }),
  'passkey access key': () => Account.fromHeadlessWebAuthn(keyOf('63'), { ...PASSKEY, access: root() }),
}

/** The account that the access keys sign for. */
export const accessKeyRoot = root

/** The root account authorizes the access key, in a transaction of its own. */
export async function authorize(
  chain: Pick<SimulatedTempo, 'answer'>,
  accessKey: Account.AccessKeyAccount,
  now = Date.now(),
) {
  const signer = root()
  const keyAuthorization = await signer.signKeyAuthorization(accessKey, { chainId: 4217n })
  const raw = await signer.signTransaction({
    type: 'tempo',
    chainId: 4217,
    calls: [{ to: signer.address }],
    gas: 200_000n,
    maxFeePerGas: 24_000_000_000n,
    nonceKey: 2n ** 256n - 1n,
    validBefore: Math.floor(now / 1000) + 25,
    keyAuthorization,
  } as never)
  await chain.answer('eth_sendRawTransactionSync', [raw])
}

type World = Pick<ReturnType<typeof createTestScheme>, 'scheme' | 'clock'>

/** A credential for a new challenge, signed by this account. */
export async function credentialBy(world: World, account: Account.Account, draft: Partial<Draft> = {}) {
  const challenge = challengeOf(world.scheme)
  const transaction = transferFor(world.clock.now(), { challengeId: challenge.id, ...draft })
  const signature = await account.signTransaction(transaction as never)
  return {
    challenge,
    payload: { type: 'transaction', signature },
    source: `did:pkh:eip155:4217:${account.address}`,
  }
}

export async function paymentBy(world: World, account: Account.Account, draft: Partial<Draft> = {}): Promise<Payment> {
  return world.scheme.parse(headersOf(await credentialBy(world, account, draft)), OFFER)!
}
