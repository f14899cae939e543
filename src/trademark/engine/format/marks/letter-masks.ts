/** A bit for each letter: words whose bits differ much cannot be spelled alike. */
export function letterMaskOfText(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= letterBit(text.charCodeAt(at))
  return bits >>> 0
}

/** The digits share what the letters leave. */
export const letterBit = (byte: number) => 1 << (byte >= 97 ? byte - 97 : 26 + (byte % 6))

export function letterMask(bytes: Uint8Array, begin: number, end: number): number {
  let bits = 0
  for (let at = begin; at < end; at++) bits |= letterBit(bytes[at]!)
  return bits
}

export function countBits(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x5555_5555)
  pairs = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Those that are frequent have a bit of their own; the others share these. */
const FREQUENT = 'eaionrtlscudpmhg'
const RARE = 'bfywkvxzjq0123456789'
const GROUPS = new Uint16Array(256)
for (let at = 0; at < FREQUENT.length; at++) GROUPS[FREQUENT.charCodeAt(at)] = 1 << at
for (let at = 0; at < RARE.length; at++) GROUPS[RARE.charCodeAt(at)] = 1 << (15 - (at % 16))

/** Sixteen bits, set where letters of a group come an odd number of times: one edit changes two at most. */
export function letterParity(bytes: Uint8Array, begin: number, end: number): number {
  let bits = 0
  for (let at = begin; at < end; at++) bits ^= GROUPS[bytes[at]!]!
  return bits
}
