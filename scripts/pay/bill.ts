import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import type { Usd } from '../../src/kernel/money.ts'

export type Protocol = 'x402' | 'mpp'

/** What a 402 asks for, and how to pay it. */
export type Bill = {
  readonly price: Usd
  /** What the money is, for a person. */
  readonly money: string
  readonly recipient: string
  /** The header that carries the payment: name and value. Never shown. */
  sign(key: Hex): Promise<[string, string]>
}

/** A dollar is a dollar only in these tokens; all of them have six decimals, like our own. */
const BASE_USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const TEMPO_DOLLARS = new Set([
  '0x20c000000000000000000000b9537d11c60e8b50',
  '0x20c0000000000000000000000000000000000000',
])
const BASE = 'eip155:8453'

/** The ways to pay this answer offers. */
export const waysIn = ({ headers }: Response): Protocol[] => [
  ...(headers.has('payment-required') ? ['x402' as const] : []),
  ...(/(?:^|,)\s*payment\s/i.test(headers.get('www-authenticate') ?? '') ? ['mpp' as const] : []),
]

/** Throws where nothing is asked for that can be told in dollars. */
export function x402Bill({ headers }: Response): Bill {
  const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse((name) => headers.get(name))
  const asked = required.accepts.find(
    ({ scheme, network, asset }) => scheme === 'exact' && network === BASE && asset.toLowerCase() === BASE_USDC,
  )
  if (!asked) throw new Error('It does not take USDC on Base; --mpp pays another way.')
  return {
    price: unitsOf(asked.amount),
    money: 'USDC on Base',
    recipient: asked.payTo,
    async sign(key) {
      const scheme = new ExactEvmScheme(privateKeyToAccount(key))
      // How much is too much has been decided before, and on these very words.
      const client = new x402HTTPClient(new x402Client().register(BASE, scheme).setSpendControls(false))
      const payload = await client.createPaymentPayload({ ...required, accepts: [asked] })
      return Object.entries(client.encodePaymentSignatureHeader(payload))[0]!
    },
  }
}

/** The wallet asks `rpc` what a transaction costs; the public node where none is named. */
export async function mppBill(response: Response, rpc: string | undefined): Promise<Bill> {
  const getClient = () => createClient({ chain: tempoChain, transport: http(rpc) })
  const mppx = Mppx.create({ polyfill: false, methods: [tempo.charge({ getClient })] })
  const payment = await mppx.preparePayment(response)
  const { amount, currency, recipient, methodDetails } = payment.challenge.request as TempoRequest
  if (!TEMPO_DOLLARS.has(currency.toLowerCase()) || methodDetails?.chainId !== tempoChain.id) {
    throw new Error('It does not take dollars on Tempo that are known here; --x402 pays another way.')
  }
  return {
    price: unitsOf(amount),
    money: 'dollars on Tempo',
    recipient,
    sign: async (key) => [
      'Authorization',
      await payment.createCredential({ account: privateKeyToAccount(key), mode: 'pull' }),
    ],
  }
}

type TempoRequest = { amount: string; currency: string; recipient: string; methodDetails?: { chainId?: number } }

function unitsOf(amount: string): Usd {
  if (!/^\d{1,20}$/.test(amount)) throw new Error('The price is not a whole number.')
  return BigInt(amount) as Usd
}

/** What the answer says about the payment; undefined where it has no receipt. */
export function receiptIn({ headers }: Response): { transaction: string; receipt: object } | undefined {
  const x402 = headers.get('payment-response')
  const mpp = headers.get('payment-receipt')
  if (x402 !== null) {
    const receipt = decodePaymentResponseHeader(x402)
    return { transaction: receipt.transaction, receipt }
  }
  if (mpp === null) return undefined
  const receipt = Receipt.deserialize(mpp)
  return { transaction: receipt.reference, receipt }
}
