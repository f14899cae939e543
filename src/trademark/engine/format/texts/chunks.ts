import { CHUNK_SIZE, BITMAP_BYTES } from '../../wasm/kernel.ts'
import type { Memory } from './memory.ts'

/** A set of text ordinals in the kernel's memory: one container, array or bitmap, for each chunk of 65,536. */
export type Chunks = {
  /** Address and cardinality of each container, and whether it is a bitmap (1) or an array (0). */
  readonly at: Uint32Array
  readonly sizes: Uint32Array
  readonly isBitmap: Uint8Array
}

export const createChunks = (count: number): Chunks => ({
  at: new Uint32Array(count),
  sizes: new Uint32Array(count),
  isBitmap: new Uint8Array(count),
})

/** From this ratio of lengths on, binary search in the longer array is faster than reading it. */
const GALLOP_RATIO = 16

/** The result set of one query in the kernel's work space: a copy of the first set, then narrowed. One at a time. */
export function createWorkingSet({ kernel, bitmap, array, result }: Memory, count: number) {
  const chunks = createChunks(count)
  const { at, sizes, isBitmap } = chunks
  for (let chunk = 0; chunk < count; chunk++) at[chunk] = result + chunk * BITMAP_BYTES
  const copy = (from: number, to: number, bytes: number) => kernel.bytes.copyWithin(to, from, from + bytes)

  /** Intersects one container with that of another set; returns its new cardinality. */
  function intersectChunk(chunk: number, other: Chunks): number {
    const here = at[chunk]!
    const there = other.at[chunk]!
    const size = sizes[chunk]!
    const otherSize = other.sizes[chunk]!
    if (size === 0 || otherSize === 0) return 0
    if (isBitmap[chunk] === 1) {
      if (other.isBitmap[chunk] === 1) return kernel.both(here, there, here)
      const left = kernel.sift(there, otherSize, here, 1, array)
      copy(array, here, left * 2)
      isBitmap[chunk] = 0
      return left
    }
    if (other.isBitmap[chunk] === 1) return kernel.sift(here, size, there, 1, here)
    if (size * GALLOP_RATIO < otherSize) return kernel.seek(here, size, there, otherSize, here)
    kernel.spread(there, otherSize, bitmap)
    return kernel.sift(here, size, bitmap, 1, here)
  }

  return {
    chunks,
    put(first: Chunks): void {
      for (let chunk = 0; chunk < count; chunk++) {
        sizes[chunk] = first.sizes[chunk]!
        isBitmap[chunk] = first.isBitmap[chunk]!
        if (sizes[chunk]! > 0)
          copy(first.at[chunk]!, at[chunk]!, isBitmap[chunk] === 1 ? BITMAP_BYTES : sizes[chunk]! * 2)
      }
    },
    intersect(other: Chunks): void {
      for (let chunk = 0; chunk < count; chunk++) if (sizes[chunk]! > 0) sizes[chunk] = intersectChunk(chunk, other)
    },
    /** The other set must have only bitmaps. */
    subtract(other: Chunks): void {
      for (let chunk = 0; chunk < count; chunk++) {
        const size = sizes[chunk]!
        const here = at[chunk]!
        if (size === 0 || other.sizes[chunk] === 0) continue
        const there = other.at[chunk]!
        sizes[chunk] = isBitmap[chunk] === 1 ? kernel.less(here, there, here) : kernel.sift(here, size, there, 0, here)
      }
    },
  }
}

export function totalOf({ sizes }: Chunks): number {
  let total = 0
  for (let chunk = 0; chunk < sizes.length; chunk++) total += sizes[chunk]!
  return total
}

/** A page of the set: `limit` ordinals from the `offset`-th on. */
export function pageOf({ kernel, array }: Memory, { at, sizes, isBitmap }: Chunks, offset: number, limit: number) {
  const ordinals: number[] = []
  let before = 0
  for (let chunk = 0; chunk < sizes.length && ordinals.length < limit; chunk++) {
    const size = sizes[chunk]!
    const skipped = Math.max(0, offset - before)
    before += size
    if (skipped >= size) continue
    const begin = isBitmap[chunk] === 1 ? array : at[chunk]!
    if (isBitmap[chunk] === 1) kernel.gather(at[chunk]!, array)
    for (let one = skipped; one < size && ordinals.length < limit; one++) {
      const byte = begin + one * 2
      ordinals.push(chunk * CHUNK_SIZE + kernel.bytes[byte]! + 256 * kernel.bytes[byte + 1]!)
    }
  }
  return ordinals
}
