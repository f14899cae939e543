import { randomBytes, randomFillSync, randomInt } from 'node:crypto'

const HEX_DIGITS = Buffer.from('0123456789abcdef')
const HYPHEN = 0x2d

/** Randomness is an argument: unpredictable in the service, repeatable in tests and the sandbox. */
export type Random = {
  /** A number in [0, 1). */
  fraction(): number
  /** A whole number in [0, below). */
  below(limit: number): number
  bytes(length: number): Uint8Array
  /** An RFC 4122 version 4 identifier. */
  uuid(): string
}

export const secureRandom: Random = {
  fraction: () => randomInt(2 ** 47) / 2 ** 47,
  below: (limit) => randomInt(limit),
  bytes: (length) => randomBytes(length),
  uuid: createUuids(),
}

/** Many at a time, as text in one buffer: `randomUUID` takes twice as long, and every request has an identifier. */
function createUuids(count = 128): () => string {
  const [rawLength, textLength] = [16, 36]
  const raw = Buffer.alloc(rawLength * count)
  const text = Buffer.alloc(textLength * count)
  let used = text.length
  const fill = () => {
    randomFillSync(raw)
    let to = 0
    for (let at = 0; at < raw.length; at++) {
      const position = at % rawLength
      const byte = position === 6 ? (raw[at]! & 0x0f) | 0x40 : position === 8 ? (raw[at]! & 0x3f) | 0x80 : raw[at]!
      if (position === 4 || position === 6 || position === 8 || position === 10) text[to++] = HYPHEN
      text[to++] = HEX_DIGITS[byte >> 4]!
      text[to++] = HEX_DIGITS[byte & 0x0f]!
    }
    used = 0
  }
  return () => {
    if (used === text.length) fill()
    const start = used
    used += textLength
    return text.toString('latin1', start, used)
  }
}

/** A reproducible sequence for each seed (mulberry32). Never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256))
  return {
    fraction,
    below: (limit) => Math.floor(fraction() * limit),
    bytes,
    uuid() {
      const raw = bytes(16)
      raw[6] = (raw[6]! & 0x0f) | 0x40
      raw[8] = (raw[8]! & 0x3f) | 0x80
      const hex = Buffer.from(raw).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}
