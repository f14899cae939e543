import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import type { Usd } from '../../src/kernel/money.ts'

export type Protocol = 'x402' | 'mpp'

/** The price quoted by a 402, and how to sign a payment for it. */
export type Bill = {
  readonly price: Usd
  /** Name of the currency. */
  readonly currencyName: string
  readonly recipient: string
  /** Name and value of the payment header. Never printed. */
  sign(key: Hex): Promise<[string, string]>
}

/** The supported dollar tokens. All have six decimals, like `Usd`. */
const BASE_USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const TEMPO_DOLLARS = new Set([
  '0x20c000000000000000000000b9537d11c60e8b50',
  '0x20c0000000000000000000000000000000000000',
])
const BASE = 'eip155:8453'

/** The payment protocols that a 402 offers. */
export const offeredProtocols = ({ headers }: Response): Protocol[] => [
  ...(headers.has('payment-required') ? ['x402' as const] : []),
  ...(/(?:^|,)\s*payment\s/i.test(headers.get('www-authenticate') ?? '') ? ['mpp' as const] : []),
]

/** Throws if the 402 does not accept USDC on Base. */
export function x402Bill({ headers }: Response): Bill {
  const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse((name) => headers.get(name))
  const accepted = required.accepts.find(
    ({ scheme, network, asset }) => scheme === 'exact' && network === BASE && asset.toLowerCase() === BASE_USDC,
  )
  if (!accepted) throw new Error('the service does not accept USDC on Base; try --mpp.')
  return {
    price: parseUnits(accepted.amount),
    currencyName: 'USDC on Base',
    recipient: accepted.payTo,
    async sign(key) {
      const scheme = new ExactEvmScheme(privateKeyToAccount(key))
      // The price was compared with --max before.
      const client = new x402HTTPClient(new x402Client().register(BASE, scheme).setSpendControls(false))
      const payload = await client.createPaymentPayload({ ...required, accepts: [accepted] })
      return Object.entries(client.encodePaymentSignatureHeader(payload))[0]!
    },
  }
}

/** Fees come from the node at `rpc`, by default the public one. */
export async function mppBill(response: Response, rpc: string | undefined): Promise<Bill> {
  const getClient = () => createClient({ chain: tempoChain, transport: http(rpc) })
  const mppx = Mppx.create({ polyfill: false, methods: [tempo.charge({ getClient })] })
  const payment = await mppx.preparePayment(response)
  const { amount, currency, recipient, methodDetails } = payment.challenge.request as TempoRequest
  if (!TEMPO_DOLLARS.has(currency.toLowerCase()) || methodDetails?.chainId !== tempoChain.id) {
    throw new Error('the service does not accept a supported dollar token on Tempo; try --x402.')
  }
  return {
    price: parseUnits(amount),
    currencyName: 'dollars on Tempo',
    recipient,
    sign: async (key) => [
      'Authorization',
      await payment.createCredential({ account: privateKeyToAccount(key), mode: 'pull' }),
    ],
  }
}

type TempoRequest = { amount: string; currency: string; recipient: string; methodDetails?: { chainId?: number } }

function parseUnits(amount: string): Usd {
  if (!/^\d{1,20}$/.test(amount)) throw new Error('the price is not a whole number.')
  return BigInt(amount) as Usd
}

/** The receipt in a response; undefined without one. */
export function parseReceipt({ headers }: Response): { transaction: string; receipt: object } | undefined {
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
