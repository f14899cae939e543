import { ApiError } from '../../../kernel/errors.ts'
import { type RequestHeaders, type Hex, PaymentRefused } from '../../scheme.ts'
import { IDENTIFIER, PAYMENT_IDENTIFIER } from './payment-identifiers.ts'
import type { Requirements } from './requirements.ts'
import type { SealedTerms } from './seal.ts'
import { parseEcdsaSignature, unwrapSignature } from './signature.ts'
import type { Transfer } from './transfer.ts'

/** A payment of either protocol version. */
export type Payload = {
  readonly version: 1 | 2
  readonly transfer: Transfer
  /** Extensions as the client sent them, and the resource it pays for; for a facilitator, which may list it. */
  readonly extensions?: Fields | undefined
  readonly resource?: object
  /** What the client calls the payment (extension `payment-identifier`). */
  readonly id?: string | undefined
}

/** What a payment must match, for both versions. */
export type ExpectedPayment = {
  readonly requirements: Requirements
  /** Whether an earlier 402 asked for these terms; then they hold. */
  readonly isSealed: (seal: unknown, terms: SealedTerms) => boolean
  readonly networkName: string
}

type Fields = Readonly<Record<string, unknown>>

const HEADERS = [
  ['payment-signature', 2],
  ['x-payment', 1],
] as const

/** Several times the size any wallet produces. */
const MAX_HEADER_LENGTH = 14_336
const MAX_SIGNATURE_BYTES = 4096
/** Longer than any of the patterns allows. */
const MAX_FIELD_LENGTH = 2 * MAX_SIGNATURE_BYTES + 2
const ADDRESS = /^0x[0-9a-f]{40}$/
const NONCE = /^0x[0-9a-f]{64}$/
const SIGNATURE = /^0x(?:[0-9a-f]{2}){1,4096}$/
/** No exponent, sign or fraction: BigInt would throw. */
const DECIMAL = /^\d{1,20}$/
/** The payment in the headers. Error messages repeat nothing of what was sent. */
export function parsePayload(headers: RequestHeaders, wanted: ExpectedPayment): Payload | undefined {
  const [first, ...others] = HEADERS.filter(([name]) => headers[name] !== undefined)
  if (!first) return undefined
  const [name, version] = first
  const text = headers[name]
  if (others.length > 0 || typeof text !== 'string') throw malformed('send one, in one header')
  const payload = decodeHeader(text)
  if (payload['x402Version'] !== version) throw malformed(`x402Version must be ${version} in this header`)
  const transfer = parseTransfer(objectField(payload, 'payload'))
  const accepted = version === 2 ? objectField(payload, 'accepted') : undefined
  const requirements = accepted ? applySealedTerms(accepted, wanted) : wanted.requirements
  assertAmountAndRecipient(transfer, requirements)
  if (accepted) assertSameRequirements(accepted, requirements)
  else assertSameRequirements(payload, { scheme: wanted.requirements.scheme, network: wanted.networkName })
  return { version, transfer, ...(version === 2 && parseExtensions(payload['extensions'])) }
}

function decodeHeader(text: string): Fields {
  if (text.length > MAX_HEADER_LENGTH) throw malformed(`it is longer than ${MAX_HEADER_LENGTH} characters`)
  const bytes = Buffer.from(text, 'base64')
  // Node ignores invalid base64 characters.
  if (bytes.toString('base64') !== text) throw malformed('it is not base64')
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isFields(value)) return value
  } catch {
    // The parser's message would repeat parts of the input.
  }
  throw malformed('it is not an object in JSON')
}

function parseTransfer(payload: Fields): Transfer {
  const authorization = objectField(payload, 'authorization')
  const number = (field: string) =>
    BigInt(stringField(authorization, field, DECIMAL, 'a whole number in decimal digits'))
  const hex = (field: string, pattern: RegExp, what: string) => stringField(authorization, field, pattern, what) as Hex
  return {
    from: hex('from', ADDRESS, 'an address'),
    to: hex('to', ADDRESS, 'an address'),
    value: number('value'),
    validAfter: number('validAfter'),
    validBefore: number('validBefore'),
    nonce: hex('nonce', NONCE, '32 bytes'),
    ...parseSignature(payload),
  }
}

function parseSignature(payload: Fields): Pick<Transfer, 'signature' | 'deployment'> {
  const what = `at most ${MAX_SIGNATURE_BYTES} bytes in hexadecimal digits`
  try {
    const unwrapped = unwrapSignature(stringField(payload, 'signature', SIGNATURE, what) as Hex)
    const { signature } = unwrapped
    if (SIGNATURE.test(signature)) return { ...unwrapped, signature: parseEcdsaSignature(signature) ?? signature }
  } catch (error) {
    if (error instanceof ApiError) throw error
    // The decoder's message would repeat parts of the input.
  }
  throw malformed('the ERC-6492 wrapper of the signature is not valid')
}

function parseExtensions(extensions: unknown): Pick<Payload, 'extensions' | 'id'> {
  if (!isFields(extensions)) return {}
  const named = extensions[PAYMENT_IDENTIFIER]
  const info = isFields(named) ? named['info'] : undefined
  const id = isFields(info) ? info['id'] : undefined
  if (id === undefined) return { extensions }
  if (typeof id !== 'string' || !IDENTIFIER.test(id))
    throw malformed('the id of payment-identifier must be 16 to 128 letters, digits, hyphens or underscores')
  return { extensions, id }
}

/** Terms that were sealed in an earlier 402 for this request replace those of the settings. */
function applySealedTerms(accepted: Fields, { requirements, isSealed }: ExpectedPayment): Requirements {
  const { amount, payTo, extra } = accepted
  const seal = isFields(extra) ? extra['seal'] : undefined
  if (typeof amount !== 'string' || typeof payTo !== 'string' || !DECIMAL.test(amount)) return requirements
  const isCurrent = amount === requirements.amount && payTo.toLowerCase() === requirements.payTo.toLowerCase()
  if (isCurrent || !ADDRESS.test(payTo.toLowerCase()) || !isSealed(seal, { amount, payTo })) return requirements
  return { ...requirements, amount, payTo: payTo as Hex }
}

function assertAmountAndRecipient({ to, value }: Transfer, { amount, payTo }: Requirements): void {
  const price = BigInt(amount)
  if (value < price) {
    const sentence = `The payment is of ${value} millionths of a USDC, and the price is ${price}; sign for exactly that.`
    throw new PaymentRefused('payment-insufficient', sentence)
  }
  if (value > price) throw mismatch(`is of ${value} millionths of a USDC, and the price is ${price}`)
  if (to !== payTo.toLowerCase()) throw mismatch('goes to another recipient')
}

/** Additional fields of the client are ignored. */
function assertSameRequirements(accepted: Fields, wanted: object): void {
  for (const [field, ours] of Object.entries(wanted)) {
    const theirs = accepted[field]
    if (isFields(ours)) assertSameRequirements(isFields(theirs) ? theirs : {}, ours)
    else if (normalizeAddress(theirs) !== normalizeAddress(ours))
      throw mismatch(`is made for other requirements: "${field}" differs`)
  }
}

/** Addresses are compared without case. */
const normalizeAddress = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('0x') ? value.toLowerCase() : value

function objectField(parent: Fields, field: string): Fields {
  const value = parent[field]
  if (isFields(value)) return value
  throw malformed(`"${field}" must be an object`)
}

function stringField(parent: Fields, field: string, pattern: RegExp, what: string): string {
  const value = parent[field]
  const text = typeof value === 'string' && value.length <= MAX_FIELD_LENGTH ? value.toLowerCase() : ''
  if (pattern.test(text)) return text
  throw malformed(`"${field}" must be ${what}`)
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** 400, as x402 specifies for what is not a payment at all; a new payment would not help. */
const malformed = (what: string): ApiError => new ApiError('invalid_request', `The payment cannot be read: ${what}.`)

const mismatch = (what: string): PaymentRefused =>
  new PaymentRefused('verification-failed', `The payment ${what}; sign a new one for what this answer asks.`)
