/**
 * Decodes ABI-encoded return data word by word (a word is 32 bytes). A resolver is arbitrary code and may return
 * anything, so nothing here throws: a value that is missing or malformed is undefined.
 */
import { getAddress } from '../../kernel/ethereum/bytes.ts'
import type { Hex } from '../../kernel/hex.ts'

const DIGITS_PER_WORD = 64
const ZERO_ADDRESS = /^0{64}$/

/** The 64 digits that start at a byte offset. */
const wordAt = (data: Hex, byte: number): string | undefined => {
  const start = 2 + byte * 2
  return start + DIGITS_PER_WORD <= data.length ? data.slice(start, start + DIGITS_PER_WORD) : undefined
}

export function uintAt(data: Hex, index: number): bigint | undefined {
  const word = wordAt(data, index * 32)
  return word === undefined || !/^[0-9a-f]{64}$/i.test(word) ? undefined : BigInt(`0x${word}`)
}

export function intAt(data: Hex, index: number): bigint | undefined {
  const value = uintAt(data, index)
  return value === undefined ? undefined : BigInt.asIntN(256, value)
}

export function boolAt(data: Hex, index: number): boolean | undefined {
  const value = uintAt(data, index)
  return value === 0n ? false : value === 1n ? true : undefined
}

/** With its checksum; undefined for the zero address, too. */
export function addressAt(data: Hex, index: number): Hex | undefined {
  const word = wordAt(data, index * 32)
  if (word === undefined || !/^0{24}[0-9a-f]{40}$/i.test(word) || ZERO_ADDRESS.test(word)) return undefined
  return getAddress(`0x${word.slice(24)}`)
}

/** The dynamic bytes (or string) the word at this index points to. */
export function bytesAt(data: Hex, index: number): Hex | undefined {
  const at = lengthAt(data, index * 32)
  return at === undefined ? undefined : bytesFrom(data, at)
}

/** The first `maxEntries` entries of a `bytes[]`. A malformed entry is undefined and does not affect the others. */
export function bytesListAt(data: Hex, index: number, maxEntries: number): (Hex | undefined)[] | undefined {
  const at = lengthAt(data, index * 32)
  const count = at === undefined ? undefined : lengthAt(data, at)
  if (at === undefined || count === undefined) return undefined
  const first = at + 32
  return Array.from({ length: Math.min(count, maxEntries) }, (_, entry) => {
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

/** A length or an offset. Undefined if it does not fit into 32 bits: no real value is that long. */
function lengthAt(data: Hex, byte: number): number | undefined {
  const word = wordAt(data, byte)
  return word !== undefined && /^0{56}[0-9a-f]{8}$/i.test(word) ? Number.parseInt(word.slice(56), 16) : undefined
}

const MAX_TEXT_CHARACTERS = 4096

/** UTF-8 made safe to display: invalid bytes replaced, line breaks turned into spaces, control characters removed, truncated. */
export function decodeText(bytes: Hex): string {
  const raw = Buffer.from(bytes.slice(2, 2 + MAX_TEXT_CHARACTERS * 8), 'hex').toString('utf8')
  const clean = raw.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(/\p{Cc}/gu, '')
  return clean.length <= MAX_TEXT_CHARACTERS
    ? clean
    : clean.slice(0, MAX_TEXT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
}
