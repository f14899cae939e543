/**
 * Random access to numbers that mostly rise by little. Each block of 64 stores a base, a bit width and the bit-packed
 * residuals: value = base + index in the block + residual. A block that rises by one has no residuals.
 * See "Block array" in docs/trademark-index-format.md.
 */
export type Blocks = { readonly length: number; readonly all: Uint32Array }

const BLOCK_SIZE = 64
/** A block's second word has its bit width (0 to 32) in these low bits, and the start of its residuals above. */
const WIDTH_BITS = 6
const WIDTH_MASK = 2 ** WIDTH_BITS - 1

export function encodeBlocks(values: Uint32Array): Uint32Array {
  const blocks = Math.ceil(values.length / BLOCK_SIZE)
  const widths = new Uint8Array(blocks)
  const bases = new Uint32Array(blocks)
  let size = 1 + 2 * blocks
  for (let block = 0; block < blocks; block++) {
    const begin = block * BLOCK_SIZE
    const end = Math.min(values.length, begin + BLOCK_SIZE)
    let base = Infinity
    for (let at = begin; at < end; at++) base = Math.min(base, values[at]! - (at - begin))
    // Residuals are computed modulo 2^32; the reader adds modulo 2^32, too.
    let residuals = 0
    for (let at = begin; at < end; at++) residuals |= values[at]! - (at - begin) - base
    bases[block] = base
    widths[block] = 32 - Math.clz32(residuals)
    size += (BLOCK_SIZE / 32) * widths[block]!
  }
  if (size >= 2 ** (32 - WIDTH_BITS)) throw new RangeError('A block array exceeds what one segment can hold.')
  // One spare word: the reader always loads the word after a residual.
  const all = new Uint32Array(size + 1)
  all[0] = values.length
  let place = 1 + 2 * blocks
  for (let block = 0; block < blocks; block++) {
    const begin = block * BLOCK_SIZE
    const width = widths[block]!
    all[1 + 2 * block] = bases[block]!
    all[2 + 2 * block] = (place << WIDTH_BITS) | width
    const count = width === 0 ? 0 : Math.min(BLOCK_SIZE, values.length - begin)
    for (let i = 0; i < count; i++) {
      const residual = (values[begin + i]! - i - bases[block]!) >>> 0
      const shift = (i * width) & 31
      const word = place + ((i * width) >>> 5)
      all[word]! |= residual << shift
      if (shift + width > 32) all[word + 1]! |= residual >>> (32 - shift)
    }
    place += (BLOCK_SIZE / 32) * width
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
  const i = at & (BLOCK_SIZE - 1)
  const predicted = all[block]! + i
  const startAndWidth = all[block + 1]!
  const width = startAndWidth & WIDTH_MASK
  if (width === 0) return predicted >>> 0
  const shift = (i * width) & 31
  const word = (startAndWidth >>> WIDTH_BITS) + ((i * width) >>> 5)
  const residual = ((all[word]! >>> shift) | ((all[word + 1]! << 1) << (31 - shift))) & (0xffff_ffff >>> (32 - width))
  return (predicted + (residual >>> 0)) >>> 0
}
