import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { PaidRequest } from '../../kernel/paywall.ts'

/** Keys of `_meta`: those of x402's MCP transport, of MPP's binding, and ours. */
export const META = {
  x402Payment: 'x402/payment',
  x402Receipt: 'x402/payment-response',
  mppCredential: 'org.paymentauth/credential',
  mppRequired: 'org.paymentauth/payment-required',
  mppReceipt: 'org.paymentauth/receipt',
  /** What the `Payment-Token` header is over HTTP: it fetches a paid answer again. */
  token: 'onoma/payment-token',
  /** What is left of the credit that paid, in US dollars. */
  creditBalance: 'onoma/credit-balance',
  /** `simulated` if the money is play money, and then the URL of the simulated Tempo. */
  mode: 'onoma/payments-mode',
  rpc: 'onoma/payments-rpc',
} as const

export type MetaPayment = {
  /** The payment as the headers that carry it over HTTP: the same gate reads both. */
  readonly headers: PaidRequest['headers']
  /** Of the MPP challenge that it answers; the receipt repeats it. Not verified. */
  readonly challengeId: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Larger than any payment the gate accepts, which checks the exact limits. */
const MAX_PAYMENT_LENGTH = 16_384

/** The payment in the `_meta` of a call; undefined if it has none. Throws the protocol's "invalid params" if it is malformed. */
export function parsePaymentMeta(meta: unknown): MetaPayment | undefined {
  if (!isFields(meta)) return undefined
  const [x402, credential, token] = [META.x402Payment, META.mppCredential, META.token].map((key) =>
    Object.hasOwn(meta, key) ? meta[key] : undefined,
  )
  if (x402 === undefined && credential === undefined) return undefined
  if (x402 !== undefined && credential !== undefined) throw malformed('send one payment, not two')
  if (token !== undefined && typeof token !== 'string') throw malformed(`${META.token} must be a string`)
  const repeat = token === undefined ? {} : { 'payment-token': token }
  if (x402 !== undefined) return { headers: { ...encodeX402(x402), ...repeat }, challengeId: undefined }
  const { authorization, challengeId } = encodeCredential(credential)
  return { headers: { authorization, ...repeat }, challengeId }
}

function encodeX402(payment: unknown): PaidRequest['headers'] {
  if (!isFields(payment)) throw malformed(`${META.x402Payment} must be an object, not encoded text`)
  const version = payment['x402Version']
  if (version !== 1 && version !== 2) throw malformed(`x402Version of ${META.x402Payment} must be 2 or 1`)
  return {
    [version === 1 ? 'x-payment' : 'payment-signature']: Buffer.from(stringify(META.x402Payment, payment)).toString(
      'base64',
    ),
  }
}

/** Over HTTP the challenge has its `request` as base64url of the canonical JSON, which its HMAC covers; here it is an object. */
function encodeCredential(credential: unknown): { authorization: string; challengeId: string | undefined } {
  const key = META.mppCredential
  if (!isFields(credential)) throw malformed(`${key} must be an object, not encoded text`)
  const { challenge } = credential
  if (!isFields(challenge) || !isFields(challenge['request']))
    throw malformed(`${key} must have the challenge as it was given, with its request as an object`)
  const { id, request } = challenge
  // Also keeps what follows from working on a large value.
  stringify(key, credential)
  const encoded = encodeBase64Url(canonicalize(key, request))
  const text = stringify(key, { ...credential, challenge: { ...challenge, request: encoded } })
  return {
    authorization: `Payment ${encodeBase64Url(text)}`,
    challengeId: typeof id === 'string' ? id : undefined,
  }
}

function stringify(key: string, value: Fields): string {
  const text = orMalformed(key, () => JSON.stringify(value))
  if (text.length > MAX_PAYMENT_LENGTH) throw malformed(`${key} is larger than ${MAX_PAYMENT_LENGTH} characters`)
  return text
}

const canonicalize = (key: string, value: unknown): string => orMalformed(key, () => canonicalJson(value))

/** A value that is nested too deep overflows the stack of whatever walks through it. */
function orMalformed(key: string, encode: () => string): string {
  try {
    return encode()
  } catch {
    throw malformed(`${key} is nested too deep`)
  }
}

const encodeBase64Url = (text: string): string => Buffer.from(text).toString('base64url')

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (what: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `The payment in _meta cannot be read: ${what}.`)
