import { hashOfText } from '../hash.ts'

export type Interner = {
  /** The number of an ASCII string; new strings get the next number. */
  numberOf(text: string): number
  readonly size: number
  /** All strings one after the other and the end of each, with spare capacity behind. */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** `bytes` and `ends` without the spare capacity. */
  trimmed(): { readonly bytes: Uint8Array; readonly ends: Uint32Array }
}

/** Numbers strings in a hash table of bytes: a Map of millions of strings takes several times the memory. */
export function createInterner(): Interner {
  /** Pairs of a hash and a number plus one (0 if the slot is free), side by side in one cache line. */
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
    trimmed: () => ({ bytes: bytes.subarray(0, length), ends: ends.subarray(0, size) }),
  }
}

function grown<T extends Uint8Array | Uint32Array>(values: T, length: number): T {
  const larger = new (values.constructor as new (length: number) => T)(length)
  larger.set(values)
  return larger
}
