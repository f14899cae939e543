/** The hashes and wire formats by which ENS contracts identify a name. */
import { concatHex, keccak256, stringToBytes } from '../../kernel/ethereum/bytes.ts'
import type { Hex } from '../../kernel/hex.ts'
import { type EnsName, withEth } from '../contract/names.ts'

/** EIP-137 node of `eth`. */
const ETH_NODE: Hex = '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae'

/** keccak-256 of a normalized label. The registrar's token id is the same number. */
export const labelhash = (label: EnsName): Hex => keccak256(stringToBytes(label))

/** Computed once and passed on: hashing is most of the work of building a read. */
export type NameHashes = { readonly label: Hex; readonly node: Hex }

/** By hand: importing `ox/Ens` loads the tables of ENSIP-15, which names here have already passed. */
export function hashName(name: EnsName): NameHashes {
  const label = labelhash(name)
  return { label, node: keccak256(concatHex([ETH_NODE, label])) }
}

/** EIP-137 node of the name. */
export const nodeOf = (name: EnsName): Hex => hashName(name).node

/** DNS wire format: every label after its length byte, then a zero byte. */
export function dnsEncode(name: EnsName): Hex {
  const labels = withEth(name).split('.')
  const bytes = labels.map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1').toString('hex'))
  return `0x${bytes.join('')}00`
}
