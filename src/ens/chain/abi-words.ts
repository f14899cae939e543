/**
 * Reads what a contract returned, word by word. A resolver is its owner's own program and may return anything, so
 * nothing here throws: what is not there is undefined.
 */
import { getAddress } from 'viem/utils'
import type { Hex } from './chain.ts'

const DIGITS = 64
const ZERO_ADDRESS = /^0{64}$/

/** The 64 digits that begin at a byte. */
const wordAt = (data: Hex, byte: number): string | undefined => {
  const start = 2 + byte * 2
  return start + DIGITS <= data.length ? data.slice(start, start + DIGITS) : undefined
}

export function uintAt(data: Hex, index: number): bigint | undefined {
  const word = wordAt(data, index * 32)
  return word === undefined || !/^[0-9a-f]{64}$/i.test(word) ? undefined : BigInt(`0x${word}`)
}

/** A signed number. */
export function intAt(data: Hex, index: number): bigint | undefined {
  const value = uintAt(data, index)
  return value === undefined ? undefined : BigInt.asIntN(256, value)
}

export function boolAt(data: Hex, index: number): boolean | undefined {
  const value = uintAt(data, index)
  return value === 0n ? false : value === 1n ? true : undefined
}

/** With its checksum; the zero address means nobody and is undefined too. */
export function addressAt(data: Hex, index: number): Hex | undefined {
  const word = wordAt(data, index * 32)
  if (word === undefined || !/^0{24}[0-9a-f]{40}$/i.test(word) || ZERO_ADDRESS.test(word)) return undefined
  return getAddress(`0x${word.slice(24)}`)
}

/** The bytes (or text) an argument points to. */
export function bytesAt(data: Hex, index: number): Hex | undefined {
  const at = lengthAt(data, index * 32)
  return at === undefined ? undefined : bytesFrom(data, at)
}

/** The first `most` entries of a list of bytes. What an entry lacks, it alone lacks. */
export function bytesListAt(data: Hex, index: number, most: number): (Hex | undefined)[] | undefined {
  const at = lengthAt(data, index * 32)
  const count = at === undefined ? undefined : lengthAt(data, at)
  if (at === undefined || count === undefined) return undefined
  const first = at + 32
  return Array.from({ length: Math.min(count, most) }, (_, entry) => {
    const offset = lengthAt(data, first + entry * 32)
    return offset === undefined ? undefined : bytesFrom(data, first + offset)
  })
}

function bytesFrom(data: Hex, byte: number): Hex | undefined {
  const length = lengthAt(data, byte)
  if (length === undefined) return undefined
  const start = 2 + (byte + 32) * 2
  return start + length * 2 <= data.length ? `0x${data.slice(start, start + length * 2)}` : undefined
}

/** A length or an offset: no answer is so long that it would not fit into 32 bits. */
function lengthAt(data: Hex, byte: number): number | undefined {
  const word = wordAt(data, byte)
  return word !== undefined && /^0{56}[0-9a-f]{8}$/i.test(word) ? Number.parseInt(word.slice(56), 16) : undefined
}

const MAX_CHARACTERS = 4096

/** UTF-8 for people: broken bytes replaced, line breaks made spaces, other control characters left out, cut when long. */
export function textOf(bytes: Hex): string {
  const raw = Buffer.from(bytes.slice(2, 2 + MAX_CHARACTERS * 8), 'hex').toString('utf8')
  const clean = raw.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(/\p{Cc}/gu, '')
  return clean.length <= MAX_CHARACTERS ? clean : clean.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
}
