import { keccak256 } from '../../../kernel/ethereum/bytes.ts'
import type { Hex } from '../../scheme.ts'
import { notPlainPayment, parseCalls, type TransferCalls } from './calls.ts'
import { type KeyAuthorization, parseKeyAuthorization } from './key-authorization.ts'
import { decodeRlpList, encodeRlp, isAddress, isEmptyList, malformed, parseNumber, parseSeconds } from './rlp.ts'
import { accessKeyHash, parseSignature, signerOf, type TempoSignature } from './signature.ts'

/** A signed Tempo transaction (type 0x76) that makes one transfer with a memo, and nothing else that concerns us. */
export type Transfer = Omit<TransferCalls, 'calls'> & {
  /** The transaction as it is broadcast, with the signature in canonical form. */
  readonly raw: Hex
  readonly hash: Hex
  readonly chainId: bigint
  readonly nonceKey: bigint
  readonly nonce: bigint
  /** Seconds since the epoch: valid after `validAfter` and before `validBefore` (Infinity if it does not expire). */
  readonly validAfter: number
  readonly validBefore: number
  /** What was signed, and the signature. Not verified yet. */
  readonly signedHash: Hex
  readonly signature: TempoSignature
  readonly keyAuthorization: KeyAuthorization | undefined
  /** Parameters of `eth_call` that simulate it, without those of an access key. */
  readonly callRequest: Readonly<Record<string, unknown>>
}

/** The key that signed a transfer: the payer's own, or an access key. */
export type SigningKey = {
  readonly accessKey: Hex | undefined
  /** The access key is authorized by the transaction itself, so the chain does not know it yet. */
  readonly isNew: boolean
}

const TYPE = '0x76'
/** The nonce key of transactions that expire instead of being counted. */
const EXPIRING_NONCE_KEY = 2n ** 256n - 1n
const MAX_NONCE = 2n ** 64n - 1n
const UNSIGNED_ITEMS = 13

/** Whether nonces of the transfer's lane are counted: then it does not have to expire. */
export const isCounted = ({ nonceKey }: Pick<Transfer, 'nonceKey'>): boolean => nonceKey !== EXPIRING_NONCE_KEY

/** Accepts what wallets create for a charge: no sponsor, no access list, no delegation. Throws PaymentRefused. */
export function parseTransfer(text: Hex): Transfer {
  if (!text.startsWith(TYPE)) throw malformed('The transaction is not one of Tempo (0x76) signed for sending.')
  const items = decodeRlpList(`0x${text.slice(TYPE.length)}`)
  if (!items) throw malformed('The transaction cannot be read.')
  const hasKeyAuthorization = items.length === UNSIGNED_ITEMS + 2
  const signed = items.at(-1)
  if ((items.length !== UNSIGNED_ITEMS + 1 && !hasKeyAuthorization) || typeof signed !== 'string') {
    throw malformed('The transaction is not signed, or says more than a payment needs.')
  }
  const [chain, tip, fee, gas, calls, access, key, count, before, after, feeToken, sponsor, delegations] = items
  if (sponsor !== '0x') throw notPlainPayment('it leaves its fees to somebody else')
  if (!isEmptyList(access) || !isEmptyList(delegations)) {
    throw notPlainPayment('it carries an access list or delegations')
  }
  if (feeToken !== '0x' && !isAddress(feeToken)) throw malformed('The fee token is not an address.')
  const [nonceKey, nonce] = [parseNumber(key), parseNumber(count)]
  if (nonce > MAX_NONCE) throw malformed('A number of the transaction is not well formed.')
  const [validBefore, validAfter] = [parseSeconds(before) || Number.POSITIVE_INFINITY, parseSeconds(after)]
  if (!isCounted({ nonceKey })) {
    if (nonce !== 0n) throw notPlainPayment('its nonce is counted and expires')
    if (validBefore === Number.POSITIVE_INFINITY) throw notPlainPayment('it does not expire')
  }
  const keyAuthorization = hasKeyAuthorization ? parseKeyAuthorization(items[UNSIGNED_ITEMS]) : undefined
  const signature = parseSignature(signed)
  const unsigned = items.slice(0, -1)
  const raw = encode([...unsigned, signature.bytes])
  if (text !== raw && text !== encode(items)) throw malformed('The transaction is not well formed.')
  const { calls: parsedCalls, ...transfer } = parseCalls(calls)
  const chainId = parseNumber(chain)
  return {
    raw,
    hash: keccak256(raw),
    chainId,
    ...transfer,
    nonceKey,
    nonce,
    validAfter,
    validBefore,
    signedHash: keccak256(encode(unsigned)),
    signature,
    keyAuthorization,
    callRequest: {
      type: TYPE,
      chainId: quantity(chainId),
      calls: parsedCalls.map(({ to, data }) => ({ to, value: '0x', data })),
      gas: quantity(parseNumber(gas)),
      maxFeePerGas: quantity(parseNumber(fee)),
      maxPriorityFeePerGas: quantity(parseNumber(tip)),
      nonceKey: quantity(nonceKey),
      nonce: quantity(nonce),
      ...(validBefore !== Number.POSITIVE_INFINITY && { validBefore: quantity(validBefore) }),
      ...(validAfter > 0 && { validAfter: quantity(validAfter) }),
      ...(feeToken !== '0x' && { feeToken }),
      ...keyFields(signature),
    },
  }
}

/** Null if the payer did not sign. Whether an access key is known to the chain is not checked here. */
export async function signingKeyOf(transfer: Transfer, payer: Hex): Promise<SigningKey | null> {
  const { signature, signedHash, keyAuthorization, chainId } = transfer
  if (keyAuthorization) {
    const isHere = keyAuthorization.chainId === 0n || keyAuthorization.chainId === chainId
    const signer = await signerOf(keyAuthorization.signature, keyAuthorization.hash)
    if (!isHere || signer !== payer) return null
  }
  if (signature.account === undefined) {
    return (await signerOf(signature.key, signedHash)) === payer ? { accessKey: undefined, isNew: false } : null
  }
  if (signature.account !== payer) return null
  const accessKey = await signerOf(signature.key, accessKeyHash(signedHash, payer))
  return accessKey && { accessKey, isNew: accessKey === keyAuthorization?.keyId }
}

const encode = (items: Parameters<typeof encodeRlp>[0]): Hex => `${TYPE}${encodeRlp(items).slice(2)}`

/** The kind of key decides the gas; for a passkey the node wants the size of the signature in two bytes. */
function keyFields({ account, key: { type, bytes } }: TempoSignature): Record<string, string> {
  if (account === undefined && type === 'secp256k1') return {}
  const size = ((bytes.length - 2) / 2).toString(16).padStart(4, '0')
  return { keyType: type, ...(type === 'webAuthn' && { keyData: `0x${size}` }) }
}

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`
