/**
 * Numbers of a few bits each, side by side without gaps: of millions the bits that are always 0 are a third. The first
 * number of 32 bits says how many bits each has.
 */
export type BitPacked = { readonly bits: Uint32Array; readonly width: number; readonly mask: number }

/** Wider ones would not be worth it. */
const WIDEST = 31

/** How many bits numbers up to this one take. */
export const bitWidth = (largest: number) => Math.max(1, 32 - Math.clz32(largest))

/** All of them 0. */
export function createBitPacked(count: number, width: number): BitPacked {
  // Places are counted in bits, with 32 bits.
  if (width > WIDEST || count * width >= 2 ** 32) throw new RangeError('More numbers than one segment can have.')
  const bits = new Uint32Array(Math.ceil((count * width) / 32) + 2)
  bits[0] = width
  return openBitPacked(bits)
}

export const openBitPacked = (bits: Uint32Array): BitPacked => ({ bits, width: bits[0]!, mask: 2 ** bits[0]! - 1 })

/** Writes a number where none was written before. */
export function putValue({ bits, width }: BitPacked, at: number, value: number): void {
  const bit = at * width
  const shift = bit & 31
  const word = (bit >>> 5) + 1
  bits[word]! |= value << shift
  if (shift + width > 32) bits[word + 1]! |= value >>> (32 - shift)
}

export function valueAt({ bits, width, mask }: BitPacked, at: number): number {
  const bit = at * width
  const shift = bit & 31
  const word = (bit >>> 5) + 1
  // Two steps to the left, since one by 32 would be none.
  return ((bits[word]! >>> shift) | ((bits[word + 1]! << 1) << (31 - shift))) & mask
}

export function bitPack(count: number, largest: number, valueOf: (at: number) => number): Uint32Array {
  const packed = createBitPacked(count, bitWidth(largest))
  for (let at = 0; at < count; at++) putValue(packed, at, valueOf(at))
  return packed.bits
}
