/** How the contracts name a name: the hash of its label, its node (EIP-137), and its form on the wire of DNS. */
import { concatHex, keccak256, stringToBytes } from 'viem/utils'
import type { Hex } from './chain.ts'
import { type EnsName, withEth } from '../contract/names.ts'

const ROOT: Hex = `0x${'00'.repeat(32)}`

/** Of a label that is normal already; the registrar's token has the same number. */
export const labelhash = (label: string): Hex => keccak256(stringToBytes(label))

/** The EIP-137 hash of a whole name that is normal already. */
export const namehash = (name: string): Hex =>
  name === ''
    ? ROOT
    : name.split('.').reduceRight<Hex>((node, label) => keccak256(concatHex([node, labelhash(label)])), ROOT)

const ETH = namehash('eth')

/** A question needs both, and to hash is most of the work of asking it. */
export type Hashes = { readonly label: Hex; readonly node: Hex }

export function hashesOf(name: EnsName): Hashes {
  const label = labelhash(name)
  return { label, node: keccak256(concatHex([ETH, label])) }
}

export const nodeOf = (name: EnsName): Hex => hashesOf(name).node

/** Each label after its length, and a zero at the end. */
export function dnsEncoded(name: EnsName): Hex {
  const labels = withEth(name).split('.')
  const bytes = labels.map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1').toString('hex'))
  return `0x${bytes.join('')}00`
}
