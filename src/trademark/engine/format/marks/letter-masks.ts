/** A bit for each letter that occurs: the number of differing bits is a lower bound of the edit distance. */
export function letterMaskOfText(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= letterBit(text.charCodeAt(at))
  return bits >>> 0
}

/** Ten digits share the six bits that the letters leave. */
export const letterBit = (byte: number) => 1 << (byte >= 97 ? byte - 97 : 26 + (byte % 6))

export function letterMask(bytes: Uint8Array, begin: number, end: number): number {
  let bits = 0
  for (let at = begin; at < end; at++) bits |= letterBit(bytes[at]!)
  return bits
}

export function popCount(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x5555_5555)
  pairs = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Frequent letters have a bit of their own; rare ones share these bits, the least frequent first. */
const FREQUENT = 'eaionrtlscudpmhg'
const RARE = 'bfywkvxzjq0123456789'
const PARITY_BITS = new Uint16Array(256)
for (let at = 0; at < FREQUENT.length; at++) PARITY_BITS[FREQUENT.charCodeAt(at)] = 1 << at
for (let at = 0; at < RARE.length; at++) PARITY_BITS[RARE.charCodeAt(at)] = 1 << (15 - (at % 16))

/** Sixteen bits, each set if its letters occur an odd number of times: one edit changes at most two bits. */
export function letterParity(bytes: Uint8Array, begin: number, end: number): number {
  let bits = 0
  for (let at = begin; at < end; at++) bits ^= PARITY_BITS[bytes[at]!]!
  return bits
}
