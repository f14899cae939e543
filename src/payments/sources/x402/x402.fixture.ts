import type { TestContext } from 'node:test'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactEvmScheme } from '@x402/evm'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { type BaseChain, startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { type Clock, systemClock } from '../../../kernel/clock.ts'
import { createLog } from '../../../kernel/log.ts'
import { parseUsd } from '../../../kernel/money.ts'
import { createUpstream } from '../../../kernel/upstream/client.ts'
import { createEthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { Hex, Offer, Payment, Scheme } from '../../scheme.ts'
import type { GasCap } from './fees.ts'
import { createKeySettler } from './key-settler.ts'
import { BASE, BASE_USDC } from './network.ts'
import { createX402 } from './x402.ts'

/** The gas of a test chain costs a hundred times as much as Base's; here ether costs a dollar. */
export const CHEAP_ETHER: GasCap = { maxShare: 1, maxEtherUsd: 1 }
export const PRICE = parseUsd('0.05')
export const OFFER: Offer = {
  scope: 'getIntel',
  description: 'Everything about "a" name — now',
  price: PRICE,
  url: 'https://api.example.com/v1/intel?domain=bücher.example&x="1"',
}
export const PAY_TO = '0x1111111111111111111111111111111111111111'
export const SECRETS = ['a secret of the tests, and of nobody else']
export const NEVER_ABORTED = new AbortController().signal

/** Typed data of EIP-3009, written from the specification. */
export const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
export const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC.address } as const

export type Authorization = {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

const seconds = (clock: Clock = systemClock) => BigInt(Math.floor(clock.now() / 1000))

/** What a wallet signs for the offer, but for what is to be different. */
export async function signAuthorization(
  account: PrivateKeyAccount,
  changes: Partial<Authorization> = {},
  domain: object = {},
) {
  const authorization: Authorization = {
    from: account.address,
    to: PAY_TO,
    value: PRICE,
    validAfter: seconds() - 600n,
    validBefore: seconds() + 300n,
    nonce: generatePrivateKey(),
    ...changes,
  }
  const signature = await account.signTypedData({
    domain: { ...DOMAIN, ...domain },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  return { signature, authorization: written(authorization) }
}

type Signed = Awaited<ReturnType<typeof signAuthorization>>

const written = ({ value, validAfter, validBefore, ...rest }: Authorization) => ({
  ...rest,
  value: String(value),
  validAfter: String(validAfter),
  validBefore: String(validBefore),
})

export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

export const ACCEPTED = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '50000',
  asset: BASE_USDC.address,
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}

export const v2Headers = (payload: Signed, changes: object = {}) => ({
  'payment-signature': base64({ x402Version: 2, accepted: ACCEPTED, payload, ...changes }),
})
export const v1Headers = (payload: Signed, changes: object = {}) => ({
  'x-payment': base64({ x402Version: 1, scheme: 'exact', network: 'base', payload, ...changes }),
})

export type OpenScheme = ReturnType<typeof createSchemeOn>

/** A chain and a scheme that takes its money; many tests can share the chain. */
export async function openScheme(t: TestContext, chain?: BaseChain, options: SchemeOptions = {}): Promise<OpenScheme> {
  const own = chain ?? (await startBaseChain())
  if (!chain) t.after(() => own.stop())
  const till = createSchemeOn(own, options)
  t.after(till.close)
  await own.fuel(till.settler.address, 10n ** 18n)
  return till
}

type SchemeOptions = {
  readonly urls?: readonly string[]
  readonly clock?: Clock
  readonly gasCap?: GasCap
  readonly confirmTimeoutMs?: number
  readonly timeoutMs?: number
  readonly key?: Hex
  readonly walletFactories?: readonly Hex[]
}

function createSchemeOn(chain: BaseChain, options: SchemeOptions) {
  const { urls = [chain.url], clock = systemClock, gasCap = CHEAP_ETHER, confirmTimeoutMs = 20_000 } = options
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const upstream = createUpstream({
    name: 'base',
    userAgent: 'onoma-test',
    clock: systemClock,
    timeoutMs: 20_000,
    maxBytes: 1_000_000,
    connections: 8,
    maxQueue: 1000,
    allow: (address) => address === '127.0.0.1',
  })
  const { timeoutMs = 20_000 } = options
  const rpc = createEthereumRpc({ upstream, urls, chainId: 8453, clock: systemClock, log, timeoutMs, cooldownMs: 1 })
  const shared = { rpc, network: BASE, token: BASE_USDC }
  const settler = createKeySettler({ ...shared, key: options.key ?? generatePrivateKey(), gasCap, clock, log })
  const scheme = createX402({
    ...shared,
    payTo: PAY_TO,
    secrets: SECRETS,
    clock,
    settler,
    walletFactories: new Set(options.walletFactories?.map((factory) => factory.toLowerCase())),
    confirmTimeoutMs,
    pollIntervalMs: 5,
  })
  return { chain, scheme, settler, rpc, upstream, lines, log, close: () => upstream.close() }
}

/** A wallet with so much USDC and no ether. */
export async function createWallet(chain: BaseChain, units: bigint = PRICE): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  if (units > 0n) await chain.fund(account.address, units)
  return account
}

export function parsePayment(scheme: Scheme, headers: Record<string, string>, offer = OFFER): Payment {
  const payment = scheme.parse(headers, offer)
  if (!payment) throw new Error('no payment was found')
  return payment
}

/** The real client before a door that answers 402 and takes whatever is then sent. */
export function payingFetch(scheme: Scheme, account: PrivateKeyAccount) {
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
  const door = async (input: Request | URL | string): Promise<Response> => {
    const headers = Object.fromEntries(new Request(input).headers)
    const payment = scheme.parse(headers, OFFER)
    if (!payment) {
      const { headers: list, members } = scheme.challenge(OFFER, undefined)
      const body = `{"error":"payment_required","message":"Pay.",${members}}`
      return new Response(body, { status: 402, headers: pairs(list) })
    }
    await payment.verify(NEVER_ABORTED)
    return new Response('{}', { headers: pairs((await payment.settle(NEVER_ABORTED)).headers) })
  }
  return wrapFetchWithPayment(door, client)
}

export const pairs = (list: readonly string[]): [string, string][] =>
  list.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, list[at + 1]!]] : []))
