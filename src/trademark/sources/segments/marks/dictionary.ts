import { hashOfText } from './hash.ts'

export type Dictionary = {
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
export function createDictionary(): Dictionary {
  let slots = new Uint32Array(1 << 12)
  let hashes = new Uint32Array(1 << 11)
  let ends = new Uint32Array(1 << 11)
  let bytes = new Uint8Array(1 << 14)
  let size = 0
  let length = 0

  function add(text: string, hash: number): number {
    if (size === hashes.length) {
      hashes = grown(hashes, size * 2)
      ends = grown(ends, size * 2)
      slots = new Uint32Array(size * 4)
      for (let number = 0; number < size; number++) {
        let slot = hashes[number]! & (slots.length - 1)
        while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
        slots[slot] = number + 1
      }
    }
    if (length + text.length > bytes.length) bytes = grown(bytes, Math.max(bytes.length * 2, length + text.length))
    for (let at = 0; at < text.length; at++) bytes[length++] = text.charCodeAt(at)
    hashes[size] = hash
    ends[size] = length
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
      let slot = hash & (slots.length - 1)
      for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
        if (hashes[entry - 1] === hash && isAt(entry - 1, text)) return entry - 1
        slot = (slot + 1) & (slots.length - 1)
      }
      const number = add(text, hash)
      // The table may have grown meanwhile.
      slot = hash & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
      return number
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
