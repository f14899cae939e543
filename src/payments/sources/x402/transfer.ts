import { keccak256, stringToHex } from '../../../kernel/ethereum/bytes.ts'
import type { Hex } from '../../scheme.ts'
import type { Network, Token } from './network.ts'
import { type Deployment, isSignedByKey, parseEcdsaSignature } from './signature.ts'

/** A signed EIP-3009 transfer authorization. Addresses, nonce and signature are in lower case. */
export type Transfer = {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  /** Seconds since the epoch: valid in blocks after `validAfter` and before `validBefore`. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  /** Chosen by the payer; the token accepts it once. */
  readonly nonce: Hex
  /** 65 bytes of an account with its own key, or whatever a contract wallet accepts; not wrapped. */
  readonly signature: Hex
  /** How its wallet can be deployed, if it came in the wrapper of ERC-6492. */
  readonly deployment?: Deployment
}

/** Identifies the payment in the ledger. */
export const paymentKey = ({ chainId }: Network, { address }: Token, { from, nonce }: Transfer): string =>
  `x402:${chainId}:${address}:${from}:${nonce}`.toLowerCase()

/** A word has 32 bytes. */
const WORD_HEX_DIGITS = 64

const word = (value: bigint | number | Hex): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(WORD_HEX_DIGITS, '0')

const words = (...values: readonly (bigint | number | Hex)[]): string => values.map(word).join('')

const hashText = (text: string): Hex => keccak256(stringToHex(text))

const DOMAIN_TYPE_HASH = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
const TRANSFER_TYPE_HASH = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/** The token's DOMAIN_SEPARATOR: binds signatures to this token on this chain. */
export const computeDomainSeparator = ({ chainId }: Network, { name, version, address }: Token): Hex =>
  keccak256(`0x${words(DOMAIN_TYPE_HASH, hashText(name), hashText(version), chainId, address.toLowerCase() as Hex)}`)

const encodeArguments = ({ from, to, value, validAfter, validBefore, nonce }: Transfer): string =>
  words(from, to, value, validAfter, validBefore, nonce)

/** The digest the payer signs (EIP-712). */
export const hashTransfer = (transfer: Transfer, domain: Hex): Hex =>
  keccak256(`0x1901${word(domain)}${keccak256(`0x${word(TRANSFER_TYPE_HASH)}${encodeArguments(transfer)}`).slice(2)}`)

/** Whether the payer's own key signed it. Only the token can tell that of a contract. */
export const isSigned = (transfer: Transfer, domain: Hex): Promise<boolean> =>
  isSignedByKey(hashTransfer(transfer, domain), transfer.signature, transfer.from)

/** Encoded calls of the token; each begins with its four-byte function selector. */
export const encodeBalanceOf = ({ from }: Transfer): Hex => `0x70a08231${word(from)}`
export const encodeAuthorizationState = ({ from, nonce }: Transfer): Hex => `0xe94a0102${words(from, nonce)}`
export const DOMAIN_SEPARATOR_CALL: Hex = '0x3644e515'

/**
 * `transferWithAuthorization`: for an account with its own key with v, r and s as separate arguments, which all versions
 * of the token have; for a contract with the signature as bytes.
 */
export function encodeTransfer(transfer: Transfer, isContract: boolean): Hex {
  const own = isContract ? null : parseEcdsaSignature(transfer.signature)
  const digits = (own ?? transfer.signature).slice(2)
  if (own === null) {
    const length = digits.length / 2
    const padded = digits.padEnd(Math.ceil(length / 32) * WORD_HEX_DIGITS, '0')
    return `0xcf092995${encodeArguments(transfer)}${words(7 * 32, length)}${padded}`
  }
  const [r, s, v] = [
    digits.slice(0, WORD_HEX_DIGITS),
    digits.slice(WORD_HEX_DIGITS, 2 * WORD_HEX_DIGITS),
    digits.slice(2 * WORD_HEX_DIGITS),
  ]
  return `0xe3ee160e${encodeArguments(transfer)}${v.padStart(WORD_HEX_DIGITS, '0')}${r}${s}`
}

/** An event in the log of a transaction. */
export type LogEntry = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const TRANSFER_EVENT = hashText('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = hashText('AuthorizationUsed(address,bytes32)')
export const AUTHORIZATION_CANCELED = hashText('AuthorizationCanceled(address,bytes32)')

/** Log filter for the use or cancellation of the payer's nonce. */
export const authorizationTopics = ({ from, nonce }: Transfer): [Hex[], Hex, Hex] => [
  [AUTHORIZATION_USED, AUTHORIZATION_CANCELED],
  `0x${word(from)}`,
  nonce,
]

/**
 * Whether a transaction executed exactly this transfer. A payer could reuse the nonce for a transfer to himself, in a
 * transaction that also pays us for something else. So the event right after `AuthorizationUsed`, which is the
 * transfer's own, must match ours.
 */
export function includesTransfer(transfer: Transfer, token: Token, entries: readonly LogEntry[]): boolean {
  const payer = word(transfer.from)
  const used = `${AUTHORIZATION_USED.slice(2)}${payer}${word(transfer.nonce)}`
  const moved = `${TRANSFER_EVENT.slice(2)}${payer}${word(transfer.to)}`
  const asset = token.address.toLowerCase()
  const says = (entry: LogEntry | undefined, topics: string): entry is LogEntry =>
    entry?.address.toLowerCase() === asset && topicsText(entry) === topics
  return entries.some((entry, at) => {
    const next = entries[at + 1]
    return says(entry, used) && says(next, moved) && next.data.toLowerCase() === `0x${word(transfer.value)}`
  })
}

const topicsText = ({ topics }: LogEntry): string => topics.map((topic) => topic.slice(2).toLowerCase()).join('')
