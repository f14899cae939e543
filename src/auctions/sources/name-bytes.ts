/**
 * Names of auctions (the domain before its first dot) in one byte array: a length byte, then ASCII. A full scan finds
 * substrings of any length; a trigram index could not find one or two characters.
 */
export type NameBytes = {
  readonly bytes: Uint8Array
  /** Appends a name and returns its offset. */
  add(name: string): number
  isAt(offset: number, name: string): boolean
  /** Keeps only the names at the first `count` offsets, and replaces these with the new offsets. */
  keepOnly(offsets: Uint32Array, count: number): void
  clear(): void
}

export function createNameBytes(): NameBytes {
  let bytes = new Uint8Array(16_384)
  let size = 0
  return {
    get bytes() {
      return bytes
    },
    add(name) {
      const offset = size
      size += name.length + 1
      if (size > bytes.length) {
        const larger = new Uint8Array(Math.ceil(size * 1.25))
        larger.set(bytes)
        bytes = larger
      }
      bytes[offset] = name.length
      for (let at = 0; at < name.length; at++) bytes[offset + 1 + at] = name.charCodeAt(at)
      return offset
    },
    isAt(offset, name) {
      if (bytes[offset] !== name.length) return false
      for (let at = 0; at < name.length; at++) if (bytes[offset + 1 + at] !== name.charCodeAt(at)) return false
      return true
    },
    keepOnly(offsets, count) {
      const kept = new Uint8Array(size)
      let end = 0
      for (let at = 0; at < count; at++) {
        const offset = offsets[at]!
        const length = bytes[offset]! + 1
        for (let step = 0; step < length; step++) kept[end + step] = bytes[offset + step]!
        offsets[at] = end
        end += length
      }
      bytes = kept.slice(0, Math.max(end, 1))
      size = end
    },
    clear() {
      size = 0
    },
  }
}

/** A bit for each letter, the hyphen and each pair of digits. A name that lacks a bit of the pattern cannot match. */
export function charMask(text: string): number {
  let mask = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    mask |= 1 << (code >= LOWER_A ? code - LOWER_A : code === HYPHEN ? 26 : 27 + ((code - ZERO) >> 1))
  }
  return mask >>> 0
}

/** A bit for each pair of adjacent characters, hashed into 32 bits. */
export function pairMask(text: string): number {
  let mask = 0
  for (let at = 1; at < text.length; at++) {
    mask |= 1 << (Math.imul((text.charCodeAt(at - 1) << 7) | text.charCodeAt(at), 0x9e37_79b1) >>> 27)
  }
  return mask >>> 0
}

const LOWER_A = 0x61
const ZERO = 0x30
const HYPHEN = 0x2d
