import type { Hex } from '../hex.ts'

export type Rlp = Hex | readonly Rlp[]

/** A string or list of up to 55 bytes has its length in the first byte. */
const MAX_SHORT_BYTES = 55
const STRING = 0x80
const LIST = 0xc0
/** More than any transaction nests; deeper input would exhaust the stack. */
const MAX_DEPTH = 100

/** Works on the digits: a byte array would have to be built from them and turned into them again. */
export const encodeRlp = (items: Rlp): Hex => `0x${encodeItem(items)}`

function encodeItem(item: Rlp): string {
  if (typeof item !== 'string') {
    let content = ''
    for (const each of item) content += encodeItem(each)
    return encodeLength(content.length / 2, LIST) + content
  }
  const digits = item.slice(2).toLowerCase()
  if (!item.startsWith('0x') || digits.length % 2 !== 0 || NO_DIGIT.test(digits))
    throw new Error('The bytes are not hexadecimal.')
  return digits.length === 2 && digits < '80' ? digits : encodeLength(digits.length / 2, STRING) + digits
}

const NO_DIGIT = /[^\da-f]/

function encodeLength(bytes: number, kind: number): string {
  if (bytes <= MAX_SHORT_BYTES) return byte(kind + bytes)
  const length = byte(bytes)
  return byte(kind + MAX_SHORT_BYTES + length.length / 2) + length
}

/** A number in whole bytes. */
function byte(value: number): string {
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

/** Throws unless the bytes are the one encoding of their content: chains reject any other. */
export function decodeRlp(bytes: Hex): Rlp {
  const digits = bytes.slice(2).toLowerCase()
  if (!bytes.startsWith('0x') || digits.length % 2 !== 0 || NO_DIGIT.test(digits)) throw notCanonical()
  const { item, end } = decodeItem(digits, 0, digits.length, 0)
  if (end !== digits.length) throw notCanonical()
  return item
}

type Decoded = { readonly item: Rlp; readonly end: number }

/** The item that starts at a digit, and where it ends; not after `limit`. */
function decodeItem(digits: string, start: number, limit: number, depth: number): Decoded {
  if (start + 2 > limit || depth > MAX_DEPTH) throw notCanonical()
  const first = Number.parseInt(digits.slice(start, start + 2), 16)
  if (first < STRING) return { item: `0x${digits.slice(start, start + 2)}`, end: start + 2 }
  const isList = first >= LIST
  const size = first - (isList ? LIST : STRING)
  const [from, end] = contentOf(digits, start + 2, limit, size)
  if (!isList) {
    const content = digits.slice(from, end)
    // It would be its own encoding.
    if (content.length === 2 && content < '80') throw notCanonical()
    return { item: `0x${content}`, end }
  }
  const items: Rlp[] = []
  for (let at = from; at < end;) {
    const decoded = decodeItem(digits, at, end, depth + 1)
    items.push(decoded.item)
    at = decoded.end
  }
  return { item: items, end }
}

/** Start and end of the content; `size` is its length, or 55 and the number of bytes that hold the length. */
function contentOf(digits: string, at: number, limit: number, size: number): readonly [number, number] {
  if (size <= MAX_SHORT_BYTES) return within(at, at + 2 * size, limit)
  const from = at + 2 * (size - MAX_SHORT_BYTES)
  const text = digits.slice(at, from)
  const length = Number.parseInt(text, 16)
  if (from > limit || text.startsWith('00') || !(length > MAX_SHORT_BYTES)) throw notCanonical()
  return within(from, from + 2 * length, limit)
}

function within(from: number, end: number, limit: number): readonly [number, number] {
  if (end > limit) throw notCanonical()
  return [from, end]
}

const notCanonical = (): Error => new Error('The bytes are not canonical RLP.')
