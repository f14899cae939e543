import { randomBytes } from 'node:crypto'
import type { PrivateKeyAccount } from 'viem/accounts'

/** A client of x402 version 1, from its specification: requirements in the body, the payment in `X-PAYMENT`. */

type Hex = `0x${string}`

type Requirements = {
  readonly scheme: string
  readonly network: string
  readonly maxAmountRequired: string
  readonly resource: string
  readonly description: string
  readonly mimeType: string
  readonly payTo: Hex
  readonly maxTimeoutSeconds: number
  readonly asset: Hex
  readonly extra: { readonly name: string; readonly version: string }
}

export type V1Receipt = {
  readonly success: boolean
  readonly transaction: Hex
  readonly network: string
  readonly payer: Hex
}

const CHAIN_IDS: Readonly<Record<string, number>> = { base: 8453 }
/** Clocks differ: a payment is good from a while before it is made. */
const EARLIER_SECONDS = 600

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Asks, pays what the body of the 402 wants, and asks again. */
export async function payByX402V1(url: string, account: PrivateKeyAccount) {
  const asked = await fetch(url)
  const required: unknown = await asked.json()
  if (asked.status !== 402) throw new Error(`expected 402, not ${asked.status}`)
  const requirements = choose(required)
  const payment = await paymentFor(requirements, account)
  const response = await fetch(url, { headers: { 'X-PAYMENT': payment } })
  const receipt = response.headers.get('X-PAYMENT-RESPONSE')
  return { requirements, payment, response, receipt: receipt === null ? null : (fromBase64(receipt) as V1Receipt) }
}

/** Strict, as generated clients are: a field that is missing or null is one too many. */
function choose(body: unknown): Requirements {
  const { x402Version, error, accepts } = body as { x402Version: unknown; error: unknown; accepts: unknown }
  if (x402Version !== 1) throw new Error('x402Version is not 1')
  if (typeof error !== 'string') throw new Error('error is not a string')
  const found = (accepts as Requirements[]).find(({ scheme, network }) => scheme === 'exact' && network in CHAIN_IDS)
  if (!found) throw new Error('no requirements this client can meet')
  const kinds: Record<keyof Requirements, string> = {
    scheme: 'string',
    network: 'string',
    maxAmountRequired: 'string',
    resource: 'string',
    description: 'string',
    mimeType: 'string',
    payTo: 'string',
    maxTimeoutSeconds: 'number',
    asset: 'string',
    extra: 'object',
  }
  for (const [field, kind] of Object.entries(kinds)) {
    // oxlint-disable-next-line valid-typeof
    if (typeof found[field as keyof Requirements] !== kind) throw new Error(`${field} is not a ${kind}`)
  }
  const unknown = Object.keys(found).filter((field) => !(field in kinds))
  if (unknown.length > 0) throw new Error(`unknown fields: ${unknown.join(', ')}`)
  return found
}

async function paymentFor(wanted: Requirements, account: PrivateKeyAccount): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const nonce: Hex = `0x${randomBytes(32).toString('hex')}`
  const authorization = {
    from: account.address,
    to: wanted.payTo,
    value: wanted.maxAmountRequired,
    validAfter: String(now - EARLIER_SECONDS),
    validBefore: String(now + wanted.maxTimeoutSeconds),
    nonce,
  }
  const signature = await account.signTypedData({
    domain: { ...wanted.extra, chainId: CHAIN_IDS[wanted.network]!, verifyingContract: wanted.asset },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })
  const { scheme, network } = wanted
  const payment = { x402Version: 1, scheme, network, payload: { signature, authorization } }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

const fromBase64 = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
