import { Challenge, Credential } from 'mppx'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { Hex } from '../../src/payments/scheme.ts'
import { type Draft, signTransfer } from '../../src/payments/sources/mpp/mpp.fixture.ts'
import { BASE_USDC } from '../../src/payments/sources/x402/network.ts'
import { type Authorization, base64, signAuthorization } from '../../src/payments/sources/x402/x402.fixture.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Reply } from './door.ts'
import type { PaidChains } from './paid-chains.ts'

export type Wallet = { readonly key: Hex; readonly account: PrivateKeyAccount; readonly address: Hex }
export type PaymentHeaders = Record<string, string>

/** What every wallet of the tests has at first, on each chain. */
const POCKET = 1_000_000n

export function newWallet(): Wallet {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  return { key, account, address: account.address }
}

export function fundedWallet({ base, tempo }: Pick<PaidChains, 'base' | 'tempo'>, units = POCKET): Wallet {
  const wallet = newWallet()
  base.fund(wallet.address, units)
  tempo.fund(wallet.address, units)
  return wallet
}

/** How much it has paid, on both chains together. */
export const paidBy = ({ base, tempo }: Pick<PaidChains, 'base' | 'tempo'>, { address }: Wallet): bigint =>
  2n * POCKET - base.balanceOf(address) - tempo.balanceOf(address)

const TRANSFER = parseAbi(['function transfer(address to, uint256 value)'])
const ELSEWHERE: Hex = '0x3333333333333333333333333333333333333333'

/** The payer moves all money away. */
export async function emptyOnBase({ base }: Pick<PaidChains, 'base'>, { account, address }: Wallet): Promise<void> {
  const data = encodeFunctionData({ abi: TRANSFER, args: [ELSEWHERE, base.balanceOf(address)] })
  const fees = { gas: 200_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const to = BASE_USDC.address
  const raw = await account.signTransaction({ type: 'eip1559', chainId: 8453, nonce: 0, to, data, ...fees })
  await base.answer('eth_sendRawTransaction', [raw])
}

export async function emptyOnTempo(
  { tempo }: Pick<PaidChains, 'tempo'>,
  { key, address }: Wallet,
  clock: Clock,
): Promise<void> {
  const draft = { key, challengeId: 'none', recipient: ELSEWHERE, amount: tempo.balanceOf(address) }
  await tempo.answer('eth_sendRawTransaction', [await signTransfer(clock.now(), draft)])
}

type Accepts = { readonly amount: string; readonly payTo: Hex }

export type X402Changes = Partial<Authorization> & {
  readonly domain?: object
  /** Laid over what the client says it accepts. */
  readonly accepted?: object
  /** Laid over the whole. */
  readonly whole?: object
  readonly signature?: string
}

/** Pays as an x402 client does that was told the price. */
export async function payX402(
  invited: Reply,
  wallet: Wallet,
  clock: Clock,
  changes: X402Changes = {},
): Promise<PaymentHeaders> {
  const { accepts } = fromBase64(invited.headers.get('payment-required')!) as { accepts: [Accepts] }
  const { domain, accepted, whole, signature, ...authorization } = changes
  const payload = await authorize(accepts[0], wallet, clock, authorization, domain)
  return {
    'payment-signature': base64({
      x402Version: 2,
      accepted: { ...accepts[0], ...accepted },
      payload: { ...payload, ...(signature !== undefined && { signature }) },
      ...whole,
    }),
  }
}

/** The same in the words of version 1, which stand in the body. */
export async function payX402v1(invited: Reply, wallet: Wallet, clock: Clock): Promise<PaymentHeaders> {
  const { accepts } = invited.body as { accepts: [{ maxAmountRequired: string; payTo: Hex }] }
  const [{ maxAmountRequired: amount, payTo }] = accepts
  const payload = await authorize({ amount, payTo }, wallet, clock)
  return { 'x-payment': base64({ x402Version: 1, scheme: 'exact', network: 'base', payload }) }
}

function authorize(
  { amount, payTo }: Accepts,
  { account }: Wallet,
  clock: Clock,
  changes: Partial<Authorization> = {},
  domain: object = {},
) {
  const now = BigInt(Math.floor(clock.now() / 1000))
  const usual = { to: payTo, value: BigInt(amount), validAfter: now - 600n, validBefore: now + 300n }
  return signAuthorization(account, { ...usual, ...changes }, domain)
}

export type MppChanges = Partial<Draft> & {
  /** Laid over the challenge that is sent back. */
  readonly challenge?: object
  readonly source?: string
}

/** Pays as an MPP client does: takes the challenge, signs a transfer that names it, sends both. */
export async function payMpp(
  invited: Reply,
  { key, address }: Wallet,
  clock: Clock,
  { challenge: changes, source = `did:pkh:eip155:4217:${address}`, ...draft }: MppChanges = {},
): Promise<PaymentHeaders> {
  const challenge = Challenge.deserialize(invited.headers.get('www-authenticate')!)
  const { amount, recipient } = challenge.request as { amount: string; recipient: Hex }
  const usual = { key, realm: challenge.realm, challengeId: challenge.id, amount: BigInt(amount), recipient }
  const signature = await signTransfer(clock.now(), { ...usual, ...draft })
  const credential = { challenge: { ...challenge, ...changes }, payload: { type: 'transaction', signature }, source }
  return { authorization: Credential.serialize(credential) }
}

/** Pays as an MPP client does that sends the transfer itself (push): the credential names its transaction. */
export const payMppPush =
  ({ tempo }: Pick<PaidChains, 'tempo'>): Payer =>
  async (invited, { key, address }, clock) => {
    const challenge = Challenge.deserialize(invited.headers.get('www-authenticate')!)
    const { amount, recipient } = challenge.request as { amount: string; recipient: Hex }
    const usual = { key, realm: challenge.realm, challengeId: challenge.id, amount: BigInt(amount), recipient }
    const raw = await signTransfer(clock.now(), usual)
    const { transactionHash: hash } = (await tempo.answer('eth_sendRawTransactionSync', [raw])) as {
      transactionHash: Hex
    }
    const source = `did:pkh:eip155:4217:${address}`
    return { authorization: Credential.serialize({ challenge, payload: { type: 'hash', hash }, source }) }
  }

export type Payer = (invited: Reply, wallet: Wallet, clock: Clock) => Promise<PaymentHeaders>

/** All ways to pay there are. */
export const PAYERS: readonly (readonly [string, Payer])[] = [
  ['x402 version 2', payX402],
  ['x402 version 1', payX402v1],
  ['MPP', payMpp],
]

export const fromBase64 = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString())
