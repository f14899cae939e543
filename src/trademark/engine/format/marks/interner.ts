import { hashOfText } from '../hash.ts'

export type Interner = {
  /** The number of this text, given out in the order of the first time. The text is ASCII. */
  numberOf(text: string): number
  readonly size: number
  /** All texts one after the other, and where each ends: as they are now, with room for more. */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** The same without the room. */
  done(): { readonly bytes: Uint8Array; readonly ends: Uint32Array }
}

/** Texts and their numbers, in a table of our own: a Map of millions of strings takes several times the memory. */
export function createInterner(): Interner {
  /** Each has two places: the hash of a text and, side by side since both are looked at, its number and 1, or 0. */
  let slots = new Uint32Array(1 << 13)
  let ends = new Uint32Array(1 << 11)
  let bytes = new Uint8Array(1 << 14)
  let size = 0
  let length = 0

  const put = (hash: number, number: number) => {
    const mask = slots.length - 1
    let slot = (2 * hash) & mask
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
    slots[slot] = hash
    slots[slot + 1] = number + 1
  }

  function add(text: string, hash: number): number {
    if (size === ends.length) {
      ends = grown(ends, size * 2)
      const before = slots
      slots = new Uint32Array(before.length * 2)
      for (let at = 0; at < before.length; at += 2) if (before[at + 1] !== 0) put(before[at]!, before[at + 1]! - 1)
    }
    if (length + text.length > bytes.length) bytes = grown(bytes, Math.max(bytes.length * 2, length + text.length))
    for (let at = 0; at < text.length; at++) bytes[length++] = text.charCodeAt(at)
    ends[size] = length
    put(hash, size)
    return size++
  }

  function isAt(number: number, text: string): boolean {
    const begin = number === 0 ? 0 : ends[number - 1]!
    if (ends[number]! - begin !== text.length) return false
    for (let at = 0; at < text.length; at++) if (bytes[begin + at] !== text.charCodeAt(at)) return false
    return true
  }

  return {
    numberOf(text) {
      const hash = hashOfText(text)
      const mask = slots.length - 1
      for (let slot = (2 * hash) & mask; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
        const number = slots[slot + 1]! - 1
        if (slots[slot] === hash && isAt(number, text)) return number
      }
      return add(text, hash)
    },
    get size() {
      return size
    },
    get bytes() {
      return bytes
    },
    get ends() {
      return ends
    },
    done: () => ({ bytes: bytes.subarray(0, length), ends: ends.subarray(0, size) }),
  }
}

function grown<T extends Uint8Array | Uint32Array>(values: T, length: number): T {
  const larger = new (values.constructor as new (length: number) => T)(length)
  larger.set(values)
  return larger
}
