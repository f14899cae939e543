import { checksum, validate } from 'ox/Address'
import { fromHex, fromString } from 'ox/Bytes'
import { keccak256 as hash } from 'ox/Hash'
import { concat, fromBytes, fromString as textToHex } from 'ox/Hex'
import { formatEther } from 'ox/Value'
import type { Hex } from '../hex.ts'

export { formatEther }

export const keccak256 = (data: Hex | Uint8Array): Hex => hash(data, { as: 'Hex' })

export const concatHex = (parts: readonly Hex[]): Hex => concat(...parts)

export const bytesToHex = (bytes: Uint8Array): Hex => fromBytes(bytes)
export const hexToBytes = (hex: Hex): Uint8Array => fromHex(hex)
export const stringToBytes = (text: string): Uint8Array => fromString(text)
export const stringToHex = (text: string): Hex => textToHex(text)

/** With the capitals of its checksum. Throws unless it is an address, with any capitals. */
export function getAddress(address: string): Hex {
  if (!validate(address, { strict: false })) throw new Error(`Not an Ethereum address: ${address}`)
  return checksum(address)
}

/** Capitals must be those of the checksum; without any it is not checked. */
export const isAddress = (text: string): text is Hex => validate(text)
