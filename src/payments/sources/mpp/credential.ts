import { ApiError } from '../../../kernel/errors.ts'
import { type RequestHeaders, type Hex, PaymentRefused } from '../../scheme.ts'
import { type ChallengeEcho, METHOD } from './challenge.ts'

/** A parsed credential. Neither the challenge nor the signature is verified yet. */
export type Credential = {
  readonly challenge: ChallengeEcho
  /** A signed transaction, or the hash of one that the client has sent; in lower case. */
  readonly payload: { readonly transaction: Hex } | { readonly hash: Hex }
  readonly payer: Hex
}

const MAX_HEADER_BYTES = 8192
/** A plain transfer takes about 400 bytes; a passkey, a swap and the authorization of an access key add to it. */
const MAX_TRANSACTION_HEX_LENGTH = 2 + 2 * 2500

/** Undefined if the headers carry no credential of this scheme. Throws PaymentRefused, and ApiError for several or of another method. */
export function parseCredential(headers: RequestHeaders, chainId: number): Credential | undefined {
  const header = headers['authorization']
  if (header === undefined) return undefined
  const values = [header].flat()
  const found = values.flatMap((value) => value.split(',')).filter((part) => /^\s*payment(?:\s|$)/i.test(part))
  const [only, ...others] = found
  if (only === undefined) return undefined
  if (values.some(({ length }) => length > MAX_HEADER_BYTES)) throw malformed('The credential is too large.')
  if (others.length > 0) throw new ApiError('invalid_request', 'Send one payment, not several.')
  const { challenge, payload, source } = decodeCredential(only.trim().slice('payment'.length).trim())
  return { challenge: parseEcho(challenge), payload: parsePayload(payload), payer: parsePayer(source, chainId) }
}

type Fields = Readonly<Record<string, unknown>>

function decodeCredential(text: string): Fields {
  if (!BASE64URL.test(text)) throw malformed('The credential is not base64url.')
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64url'))
    return parseObject(JSON.parse(json))
  } catch (error) {
    if (error instanceof PaymentRefused) throw error
    throw malformed('The credential is not JSON.')
  }
}

const BASE64URL = /^[\w-]+$/
const DIGEST = /^[\w-]+=:?[\w+/=-]+:?$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

function parseEcho(value: unknown): ChallengeEcho {
  const { id, realm, method, intent, request, expires, opaque, digest, header } = parseObject(value)
  const isOfOurs =
    isText(id, BASE64URL) && isText(request, BASE64URL) && isText(opaque, BASE64URL) && isText(expires, TIMESTAMP)
  if (!isOfOurs || typeof realm !== 'string' || typeof method !== 'string' || typeof intent !== 'string') {
    throw malformed('The credential does not repeat the challenge as it was given.')
  }
  if (method !== METHOD) throw unsupportedMethod()
  // Our challenges never have a header parameter, and the HMAC would cover it.
  const isDigest = digest === undefined || isText(digest, DIGEST)
  if (!isDigest || header !== undefined) {
    throw new PaymentRefused('invalid-challenge', 'The challenge is not one of ours, or was changed; take a new one.')
  }
  return { id, realm, method, intent, request, expires, digest, opaque }
}

function parsePayload(value: unknown): Credential['payload'] {
  const { type, signature, hash } = parseObject(value)
  if (type === 'hash') {
    if (!isText(hash, /^0x[\da-f]{64}$/i)) throw malformed('The hash of the transaction is not one.')
    return { hash: hash.toLowerCase() as Hex }
  }
  if (type === 'proof') throw refused('A proof of identity is no payment; sign or send a transaction.')
  if (type !== 'transaction') throw malformed('The payload is neither a signed transaction nor the hash of a sent one.')
  if (!isText(signature, /^0x(?:[\da-f]{2})+$/i)) throw malformed('The transaction is not hexadecimal.')
  if (signature.length > MAX_TRANSACTION_HEX_LENGTH) throw malformed('The transaction is too large for a payment.')
  return { transaction: signature.toLowerCase() as Hex }
}

/** The claimed payer; compared with the signer later. */
function parsePayer(source: unknown, chainId: number): Hex {
  const [, chain, address] = isText(source, DID) ? (DID.exec(source) ?? []) : []
  if (address === undefined || chain !== String(chainId)) {
    throw malformed(`The credential's source is not the payer as did:pkh:eip155:${chainId}:0x….`)
  }
  return address.toLowerCase() as Hex
}

const DID = /^did:pkh:eip155:(\d{1,20}):(0x[\dA-Fa-f]{40})$/

const isText = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value)

function parseObject(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw malformed('The credential lacks its challenge or its payload.')
}

/** The scheme's own rule: 400, not 402. */
function unsupportedMethod(): ApiError {
  const detail = `Payments of this method are not accepted; the method here is ${METHOD}.`
  const type = 'https://paymentauth.org/problems/method-unsupported'
  const extra = { type, title: 'Payment Method Unsupported', status: 400, detail }
  return new ApiError('invalid_request', detail, { extra })
}

const malformed = (sentence: string) => new PaymentRefused('malformed-credential', sentence)
const refused = (sentence: string) => new PaymentRefused('verification-failed', sentence)
