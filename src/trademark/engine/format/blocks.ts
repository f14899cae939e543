/**
 * Random access to numbers that mostly rise by little. Each block of 64 stores a base, a bit width and the bit-packed
 * residuals: value = base + index in the block + residual. A block that rises by one has no residuals.
 * See "Block array" in docs/trademark-index-format.md.
 */
export type Blocks = { readonly length: number; readonly all: Uint32Array }

const BLOCK = 64
const WIDTH_BITS = 6

export function encodeBlocks(values: Uint32Array): Uint32Array {
  const blocks = Math.ceil(values.length / BLOCK)
  const widths = new Uint8Array(blocks)
  const bases = new Uint32Array(blocks)
  let size = 1 + 2 * blocks
  for (let block = 0; block < blocks; block++) {
    const begin = block * BLOCK
    const end = Math.min(values.length, begin + BLOCK)
    let base = Infinity
    for (let at = begin; at < end; at++) base = Math.min(base, values[at]! - (at - begin))
    // Residuals are computed modulo 2^32; the reader adds modulo 2^32, too.
    let left = 0
    for (let at = begin; at < end; at++) left |= values[at]! - (at - begin) - base
    bases[block] = base
    widths[block] = 32 - Math.clz32(left)
    size += (BLOCK / 32) * widths[block]!
  }
  if (size >= 2 ** (32 - WIDTH_BITS)) throw new RangeError('A block array exceeds what one segment can hold.')
  // One spare word: the reader always loads the word after a residual.
  const all = new Uint32Array(size + 1)
  all[0] = values.length
  let place = 1 + 2 * blocks
  for (let block = 0; block < blocks; block++) {
    const begin = block * BLOCK
    const width = widths[block]!
    all[1 + 2 * block] = bases[block]!
    all[2 + 2 * block] = (place << WIDTH_BITS) | width
    const count = width === 0 ? 0 : Math.min(BLOCK, values.length - begin)
    for (let i = 0; i < count; i++) {
      const left = (values[begin + i]! - i - bases[block]!) >>> 0
      const shift = (i * width) & 31
      const word = place + ((i * width) >>> 5)
      all[word]! |= left << shift
      if (shift + width > 32) all[word + 1]! |= left >>> (32 - shift)
    }
    place += (BLOCK / 32) * width
  }
  return all
}

export const openBlocks = (all: Uint32Array): Blocks => ({ length: all[0]!, all })

export function decodeBlocks(all: Uint32Array): Uint32Array {
  const blocks = openBlocks(all)
  const values = new Uint32Array(blocks.length)
  for (let at = 0; at < values.length; at++) values[at] = blockValueAt(blocks, at)
  return values
}

export function blockValueAt({ all }: Blocks, at: number): number {
  const block = 1 + 2 * (at >>> 6)
  const i = at & (BLOCK - 1)
  const counted = all[block]! + i
  const where = all[block + 1]!
  const width = where & (BLOCK - 1)
  if (width === 0) return counted >>> 0
  const shift = (i * width) & 31
  const word = (where >>> WIDTH_BITS) + ((i * width) >>> 5)
  const left = ((all[word]! >>> shift) | ((all[word + 1]! << 1) << (31 - shift))) & (0xffff_ffff >>> (32 - width))
  return (counted + (left >>> 0)) >>> 0
}
