import { createHash } from 'node:crypto'
import { fromRlp, keccak256, recoverAddress, stringToBytes, toFunctionSelector, toRlp } from 'viem/utils'
import { type Hex, PaymentRefused } from '../../scheme.ts'

/** A signed Tempo transaction (type 0x76) that makes one transfer with a memo and nothing else. */
export type Transfer = {
  /** The transaction as it is broadcast, with the signature in canonical form. */
  readonly raw: Hex
  readonly hash: Hex
  readonly chainId: bigint
  readonly token: Hex
  readonly recipient: Hex
  readonly amount: bigint
  readonly memo: Hex
  /** Seconds since the epoch: valid after `validAfter` and before `validBefore`. */
  readonly validAfter: number
  readonly validBefore: number
  /** The signed hash and the signature. Not verified yet. */
  readonly signature: { readonly hash: Hex; readonly bytes: Hex }
  /** Parameters of `eth_call` that simulate it. */
  readonly callRequest: Readonly<Record<string, unknown>>
}

const TYPE = '0x76'
const SELECTOR = toFunctionSelector('transferWithMemo(address,uint256,bytes32)').slice(2)
/** The nonce key of transactions that expire instead of having sequential nonces. */
const EXPIRING_NONCE_KEY = 2n ** 256n - 1n
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
/** The year 9999. */
const MAX_TIMESTAMP_SECONDS = 253_402_300_799n

type Rlp = Hex | readonly Rlp[]

/**
 * Accepts exactly what wallets create for a charge: one call, no sponsor, no access list, no delegation, no access key,
 * an expiring nonce. Throws PaymentRefused.
 */
export function parseTransfer(text: Hex): Transfer {
  if (!text.startsWith(TYPE)) throw malformed('The transaction is not one of Tempo (0x76) signed for sending.')
  const items = decodeRlpList(text)
  if (items.length !== 14) throw malformed('The transaction is not signed, or says more than a payment needs.')
  const [chain, tip, fee, gas, calls, access, key, nonce, before, after, feeToken, sponsor, delegations, signed] = items
  if (sponsor !== '0x') throw notPlainPayment('it leaves its fees to somebody else')
  if (!isEmpty(access) || !isEmpty(delegations)) throw notPlainPayment('it carries an access list or delegations')
  if (typeof feeToken !== 'string' || (feeToken !== '0x' && feeToken.length !== 42)) {
    throw malformed('The fee token is not an address.')
  }
  if (parseNumber(key) !== EXPIRING_NONCE_KEY || parseNumber(nonce) !== 0n)
    throw notPlainPayment('its nonce does not expire')
  const [validBefore, validAfter] = [parseSeconds(before), parseSeconds(after)]
  if (validBefore === 0) throw notPlainPayment('it does not expire')
  const signature = parseSignature(signed)
  const signing = `${TYPE}${toRlp(items.slice(0, 13)).slice(2)}` as Hex
  const raw = `${TYPE}${toRlp([...items.slice(0, 13), signature]).slice(2)}` as Hex
  if (text !== raw && text !== `${TYPE}${toRlp(items).slice(2)}`) throw malformed('The transaction is not well formed.')
  const { token, data, ...transfer } = parseCalls(calls)
  const chainId = parseNumber(chain)
  return {
    raw,
    hash: keccak256(raw),
    chainId,
    token,
    ...transfer,
    validAfter,
    validBefore,
    signature: { hash: keccak256(signing), bytes: signature },
    callRequest: {
      type: TYPE,
      chainId: quantity(chainId),
      calls: [{ to: token, value: '0x', data }],
      gas: quantity(parseNumber(gas)),
      maxFeePerGas: quantity(parseNumber(fee)),
      maxPriorityFeePerGas: quantity(parseNumber(tip)),
      nonceKey: quantity(EXPIRING_NONCE_KEY),
      nonce: '0x0',
      validBefore: quantity(validBefore),
      ...(validAfter > 0 && { validAfter: quantity(validAfter) }),
      ...(feeToken !== '0x' && { feeToken }),
    },
  }
}

/** Identifies the transaction as the chain's own replay protection does, independent of the signature's form. */
export const replayKey = ({ signature }: Transfer, payer: Hex): string =>
  createHash('sha256')
    .update(`${signature.hash}${payer.slice(2)}`)
    .digest('hex')

/** Whether the payer signed it. */
export async function isSignedBy({ signature }: Transfer, payer: Hex): Promise<boolean> {
  try {
    const signer = await recoverAddress({ hash: signature.hash, signature: signature.bytes })
    return signer.toLowerCase() === payer
  } catch {
    return false
  }
}

const MEMO_VERSION = '01'

/** Matches memos of a realm: tag, version, hash of the realm, ten bytes of the client, hash of the challenge id. */
export function createMemoMatcher(realm: string): (memo: Hex, challengeId: string) => boolean {
  const opening = `${fingerprint('mpp', 4)}${MEMO_VERSION}${fingerprint(realm, 10)}`
  return (memo, challengeId) => memo.slice(2).startsWith(opening) && memo.endsWith(fingerprint(challengeId, 7))
}

const fingerprint = (text: string, bytes: number): string => keccak256(stringToBytes(text)).slice(2, 2 + 2 * bytes)

function parseCalls(calls: Rlp | undefined): { token: Hex; recipient: Hex; amount: bigint; memo: Hex; data: Hex } {
  const [only, ...others] = Array.isArray(calls) ? (calls as readonly Rlp[]) : []
  if (others.length > 0) throw notPlainPayment('it does more than one thing')
  const [token, value, data, ...rest] = Array.isArray(only) ? (only as readonly Rlp[]) : []
  if (typeof token !== 'string' || token.length !== 42 || rest.length > 0) throw notPlainPayment('it calls no token')
  const isTransfer = typeof data === 'string' && data.length === 2 + 8 + 3 * 64 && data.startsWith(SELECTOR, 2)
  if (value !== '0x' || !isTransfer || !/^0{24}$/.test(data.slice(10, 34))) {
    throw notPlainPayment('it is not a transfer with a memo (transferWithMemo)')
  }
  return {
    token,
    recipient: `0x${data.slice(34, 74)}`,
    amount: BigInt(`0x${data.slice(74, 138)}`),
    memo: `0x${data.slice(138)}`,
    data,
  }
}

/** The chain accepts only the lower of the two valid `s` values. v may be 27/28 or 0/1; it is written as 27/28. */
function parseSignature(signed: Rlp | undefined): Hex {
  if (typeof signed !== 'string' || signed.length !== 132)
    throw notPlainPayment('it is not signed by an ordinary key (secp256k1)')
  const parity = ['1b', '1c', '00', '01'].indexOf(signed.slice(130))
  if (parity < 0 || BigInt(`0x${signed.slice(66, 130)}`) > MAX_S) throw malformed('The signature is not canonical.')
  return `${signed.slice(0, 130)}${parity % 2 === 0 ? '1b' : '1c'}` as Hex
}

function decodeRlpList(text: Hex): readonly Rlp[] {
  try {
    const list: Rlp = fromRlp(`0x${text.slice(TYPE.length)}`)
    if (Array.isArray(list)) return list as readonly Rlp[]
  } catch {
    // Not RLP.
  }
  throw malformed('The transaction cannot be read.')
}

const isEmpty = (item: Rlp | undefined): boolean => Array.isArray(item) && item.length === 0
const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

function parseNumber(item: Rlp | undefined): bigint {
  if (item === '0x') return 0n
  if (typeof item !== 'string' || item.length > 66 || item.startsWith('0x00')) {
    throw malformed('A number of the transaction is not well formed.')
  }
  return BigInt(item)
}

function parseSeconds(item: Rlp | undefined): number {
  const seconds = parseNumber(item)
  if (seconds > MAX_TIMESTAMP_SECONDS) throw malformed('A time of the transaction is not well formed.')
  return Number(seconds)
}

const malformed = (sentence: string) => new PaymentRefused('malformed-credential', sentence)
const notPlainPayment = (why: string) =>
  new PaymentRefused('verification-failed', `The transaction is not a plain payment: ${why}.`)
