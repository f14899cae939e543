import assert from 'node:assert/strict'
import { Challenge, Credential } from 'mppx'
import { privateKeyToAccount } from 'viem/accounts'
import { Secp256k1, Transaction } from 'viem/tempo'
import { encodeFunctionData, keccak256, parseAbi } from 'viem/utils'
import { manualClock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseUsd } from '../../../kernel/money.ts'
import { seededRandom } from '../../../kernel/random.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import {
  type Hex,
  type Offer,
  type Payment,
  type PaymentProblem,
  PaymentRefused,
  type RequestHeaders,
  type Scheme,
} from '../../scheme.ts'
import { type SimulatedNode, RpcFault } from '../../play-money/rpc.ts'
import { createSimulatedTempo } from '../../play-money/tempo.ts'
import { createMpp, type MppOptions, TEMPO_USDC } from './scheme.ts'

export const REALM = 'api.example'
export const SECRET = 'a secret of the tests that is long enough to be one'
export const LEDGER_ID = 'the ledger of the tests'
export const RECIPIENT: Hex = '0x00000000000000000000000000000000000A11cE'
export const KEY: Hex = `0x${'42'.repeat(32)}`
export const PAYER = privateKeyToAccount(KEY).address.toLowerCase() as Hex

export const OFFER: Offer = {
  scope: 'intel',
  description: 'Everything about a domain',
  price: parseUsd('0.05'),
  url: 'https://api.example/v1/intel?domain=a.com',
}

const ABI = parseAbi(['function transferWithMemo(address to, uint256 amount, bytes32 memo)'])

/** Half of what may go wrong between us and a node. */
type RpcInterceptor = (call: RpcCall, ask: () => Promise<RpcOutcome>) => Promise<RpcOutcome>

/** A scheme, a simulated chain with a rich payer, and a line between them that can be cut. */
export function createTestScheme(options: Partial<MppOptions> = {}) {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const chain = createSimulatedTempo({ clock, token: TEMPO_USDC })
  chain.fund(PAYER, 1_000_000n)
  const requests: string[][] = []
  let line: RpcInterceptor = (_call, ask) => ask()
  const rpc = createRpc(
    chain,
    (call, ask) => line(call, ask),
    (calls) => requests.push(calls.map(({ method }) => method)),
  )
  const base = {
    realm: REALM,
    secrets: [SECRET],
    ledgerId: LEDGER_ID,
    recipient: RECIPIENT,
    rpc,
    clock,
    random: seededRandom(1),
  }
  const scheme = createMpp({ ...base, wait: async () => {}, ...options })
  return {
    clock,
    chain,
    rpc,
    scheme,
    requests,
    /** From now on questions go like this. */
    intercept(next: RpcInterceptor) {
      line = next
    },
  }
}

/** A simulated chain as sources ask it, without a network between. */
export function createRpc(
  chain: SimulatedNode,
  line: RpcInterceptor = (_call, ask) => ask(),
  note: (calls: readonly RpcCall[]) => void = () => {},
): Pick<EthereumRpc, 'ask'> {
  return {
    async ask<T = RpcOutcome[]>(
      calls: readonly RpcCall[],
      { read, signal }: { read?: (outcomes: RpcOutcome[]) => T; signal?: AbortSignal | undefined } = {},
    ): Promise<T> {
      signal?.throwIfAborted()
      note(calls)
      const outcomes = await Promise.all(calls.map((call) => line(call, () => outcomeOf(chain, call))))
      return read ? read(outcomes) : (outcomes as T)
    },
  }
}

async function outcomeOf(chain: SimulatedNode, call: RpcCall): Promise<RpcOutcome> {
  try {
    return { ok: true, result: await chain.answer(call.method, call.params) }
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error
    const { code, message, data } = error
    return { ok: false, code, message, ...(data !== undefined && { data: data as Hex }) }
  }
}

export const disconnect = (): never => {
  throw new UpstreamError('unavailable', 'the line is cut')
}

/** The challenge of an invitation, as mppx reads it. */
export function challengeOf(scheme: Scheme, offer = OFFER) {
  const { headers } = scheme.challenge(offer, undefined)
  return Challenge.deserialize(headers[1]!)
}

export type Draft = {
  readonly key: Hex
  readonly realm: string
  readonly challengeId: string
  readonly memo: Hex
  readonly token: Hex
  readonly recipient: Hex
  readonly amount: bigint
  /** Laid over the transaction before it is signed. */
  readonly fields: Readonly<Record<string, unknown>>
}

const textHash = (text: string) => keccak256(new TextEncoder().encode(text))

/** The memo as the rules of the method have it, written down again for the tests. */
export const memoOf = (realm: string, challengeId: string): Hex =>
  `${textHash('mpp').slice(0, 10) as Hex}01${textHash(realm).slice(2, 22)}${'0'.repeat(20)}${textHash(challengeId).slice(2, 16)}`

/** The transaction that pays for a challenge, to be signed. */
export function transferFor(now: number, draft: Partial<Draft> & Pick<Draft, 'challengeId'>) {
  const { realm = REALM, token = TEMPO_USDC, recipient = RECIPIENT, amount = 50_000n } = draft
  const { memo = memoOf(realm, draft.challengeId), fields = {} } = draft
  const data = encodeFunctionData({ abi: ABI, functionName: 'transferWithMemo', args: [recipient, amount, memo] })
  return {
    type: 'tempo',
    chainId: 4217,
    calls: [{ to: token, data }],
    gas: 110_000n,
    maxFeePerGas: 24_000_000_000n,
    nonceKey: 2n ** 256n - 1n,
    validBefore: Math.floor(now / 1000) + 25,
    validAfter: 1_700_000_000,
    ...fields,
  } as const
}

/** A signed transaction for a challenge, by viem's code for Tempo. */
export async function signTransfer(now: number, draft: Partial<Draft> & Pick<Draft, 'challengeId'>): Promise<Hex> {
  const transaction = transferFor(now, draft)
  const payload = keccak256(await Transaction.serialize(transaction as never))
  const signature = Secp256k1.sign({ payload, privateKey: draft.key ?? KEY })
  return await Transaction.serialize({ ...transaction, signature: { type: 'secp256k1', signature } } as never)
}

/** Pays as a client does: takes a challenge, signs, sends. */
export async function credentialFor(
  { scheme, clock }: Pick<ReturnType<typeof createTestScheme>, 'scheme' | 'clock'>,
  { offer = OFFER, ...draft }: Partial<Draft> & { readonly offer?: Offer } = {},
) {
  const challenge = challengeOf(scheme, offer)
  const signature = await signTransfer(clock.now(), { challengeId: challenge.id, amount: offer.price, ...draft })
  const payer = privateKeyToAccount(draft.key ?? KEY).address
  return { challenge, payload: { type: 'transaction', signature }, source: `did:pkh:eip155:4217:${payer}` }
}

type Written = Parameters<typeof Credential.serialize>[0]
export const headersOf = (credential: unknown): RequestHeaders => ({
  authorization: Credential.serialize(credential as Written),
})

/** The payment of such a client. */
export async function paymentFor(
  world: Pick<ReturnType<typeof createTestScheme>, 'scheme' | 'clock'>,
  draft: Partial<Draft> & { readonly offer?: Offer } = {},
): Promise<Payment> {
  const payment = world.scheme.parse(headersOf(await credentialFor(world, draft)), draft.offer ?? OFFER)
  if (!payment) throw new Error('there is no payment')
  return payment
}

export const neverAborted = () => new AbortController().signal

/** For `assert.throws` and `assert.rejects`. */
export const refused = (problem: PaymentProblem, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PaymentRefused, String(error))
  assert.match(error.message, words)
  assert.equal(error.problem, problem)
  return true
}
