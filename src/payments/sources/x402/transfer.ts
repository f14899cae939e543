import { keccak256, recoverAddress, stringToHex } from 'viem/utils'
import type { Hex } from '../../scheme.ts'
import type { Network, Token } from './network.ts'

/** A payment of EIP-3009: who lets whom have how much, when, and the signature. Addresses, nonce and bytes in lower case. */
export type Transfer = {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  /** Seconds since the epoch: it can be taken in blocks after the first and before the second. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  /** Chosen by the payer; good for one transfer, whatever else is signed with it. */
  readonly nonce: Hex
  /** r, s and v: 65 bytes, s in the lower half and v 27 or 28, as the token wants them. */
  readonly signature: Hex
}

/** Hexadecimal digits of one word of 32 bytes. */
const WORD_HEX_DIGITS = 64

const word = (value: bigint | number | Hex): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(WORD_HEX_DIGITS, '0')

const words = (...values: readonly (bigint | number | Hex)[]): string => values.map(word).join('')

const hashText = (text: string): Hex => keccak256(stringToHex(text))

const DOMAIN_TYPE_HASH = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
const TRANSFER_TYPE_HASH = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/** What the token calls its DOMAIN_SEPARATOR: signatures are for this token on this chain only. */
export const computeDomainSeparator = ({ chainId }: Network, { name, version, address }: Token): Hex =>
  keccak256(`0x${words(DOMAIN_TYPE_HASH, hashText(name), hashText(version), chainId, address.toLowerCase() as Hex)}`)

const encodeArguments = ({ from, to, value, validAfter, validBefore, nonce }: Transfer): string =>
  words(from, to, value, validAfter, validBefore, nonce)

/** What the payer signs (EIP-712). */
export const hashTransfer = (transfer: Transfer, domain: Hex): Hex =>
  keccak256(`0x1901${word(domain)}${keccak256(`0x${word(TRANSFER_TYPE_HASH)}${encodeArguments(transfer)}`).slice(2)}`)

/** Whether it was signed with the key of its payer. */
export async function isSigned(transfer: Transfer, domain: Hex): Promise<boolean> {
  try {
    const signer = await recoverAddress({ hash: hashTransfer(transfer, domain), signature: transfer.signature })
    return signer.toLowerCase() === transfer.from
  } catch {
    // Not every 65 bytes are a point on the curve.
    return false
  }
}

/** Calls of the token, each behind the first four bytes of the hash of its signature. */
export const encodeBalanceOf = ({ from }: Transfer): Hex => `0x70a08231${word(from)}`
export const encodeAuthorizationState = ({ from, nonce }: Transfer): Hex => `0xe94a0102${words(from, nonce)}`
export const DOMAIN_SEPARATOR_CALL: Hex = '0x3644e515'

/** `transferWithAuthorization` with the signature in three parts, which all versions of the token have. */
export function encodeTransfer(transfer: Transfer): Hex {
  const digits = transfer.signature.slice(2)
  const [r, s, v] = [
    digits.slice(0, WORD_HEX_DIGITS),
    digits.slice(WORD_HEX_DIGITS, 2 * WORD_HEX_DIGITS),
    digits.slice(2 * WORD_HEX_DIGITS),
  ]
  return `0xe3ee160e${encodeArguments(transfer)}${v.padStart(WORD_HEX_DIGITS, '0')}${r}${s}`
}

/** An entry of a chain's log. */
export type LogEntry = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const TRANSFER_EVENT = hashText('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = hashText('AuthorizationUsed(address,bytes32)')
export const AUTHORIZATION_CANCELED = hashText('AuthorizationCanceled(address,bytes32)')

/** The words by which the log is searched for what became of the payer's nonce. */
export const authorizationTopics = ({ from, nonce }: Transfer): [Hex[], Hex, Hex] => [
  [AUTHORIZATION_USED, AUTHORIZATION_CANCELED],
  `0x${word(from)}`,
  nonce,
]

/**
 * Whether a transaction took just this transfer. A payer can use the nonce of an authorization for another one, to
 * himself and in a transaction that pays us for something else; so the entry that follows the use of the nonce, which
 * is that of the transfer itself, must be ours.
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
