import { CHUNK_SIZE, BITMAP_BYTES } from '../../wasm/kernel.ts'
import type { Memory } from './memory.ts'

/** A set of places in the kernel's memory, by chunk. */
export type Chunks = {
  /** Where each chunk lies, how many places it has, and whether it is a map (1) or a list (0). */
  readonly at: Uint32Array
  readonly sizes: Uint32Array
  readonly isBitmap: Uint8Array
}

export const createChunks = (count: number): Chunks => ({
  at: new Uint32Array(count),
  sizes: new Uint32Array(count),
  isBitmap: new Uint8Array(count),
})

/** So many times longer, and looking for each of the shorter list takes less time than reading the longer. */
const GALLOP_RATIO = 16

/** The work space as a set: what is put there first, then less and less of it. One at a time. */
export function createWorkingSet({ kernel, map, list, result }: Memory, count: number) {
  const chunks = createChunks(count)
  const { at, sizes, isBitmap } = chunks
  for (let chunk = 0; chunk < count; chunk++) at[chunk] = result + chunk * BITMAP_BYTES
  const copy = (from: number, to: number, bytes: number) => kernel.bytes.copyWithin(to, from, from + bytes)

  /** Of the chunk of another set, what is in this one, too. */
  function meet(chunk: number, other: Chunks): number {
    const here = at[chunk]!
    const there = other.at[chunk]!
    const size = sizes[chunk]!
    const otherSize = other.sizes[chunk]!
    if (size === 0 || otherSize === 0) return 0
    if (isBitmap[chunk] === 1) {
      if (other.isBitmap[chunk] === 1) return kernel.both(here, there, here)
      const left = kernel.sift(there, otherSize, here, 1, list)
      copy(list, here, left * 2)
      isBitmap[chunk] = 0
      return left
    }
    if (other.isBitmap[chunk] === 1) return kernel.sift(here, size, there, 1, here)
    if (size * GALLOP_RATIO < otherSize) return kernel.seek(here, size, there, otherSize, here)
    kernel.spread(there, otherSize, map)
    return kernel.sift(here, size, map, 1, here)
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
    /** Keeps what is in the other, too. */
    and(other: Chunks): void {
      for (let chunk = 0; chunk < count; chunk++) if (sizes[chunk]! > 0) sizes[chunk] = meet(chunk, other)
    },
    /** Keeps what is not in the other, which has only maps. */
    without(other: Chunks): void {
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

/** The places from the one at `offset` on, at most `limit` of them. */
export function placesOf({ kernel, list }: Memory, { at, sizes, isBitmap }: Chunks, offset: number, limit: number) {
  const places: number[] = []
  let before = 0
  for (let chunk = 0; chunk < sizes.length && places.length < limit; chunk++) {
    const size = sizes[chunk]!
    const skipped = Math.max(0, offset - before)
    before += size
    if (skipped >= size) continue
    const begin = isBitmap[chunk] === 1 ? list : at[chunk]!
    if (isBitmap[chunk] === 1) kernel.gather(at[chunk]!, list)
    for (let one = skipped; one < size && places.length < limit; one++) {
      const byte = begin + one * 2
      places.push(chunk * CHUNK_SIZE + kernel.bytes[byte]! + 256 * kernel.bytes[byte + 1]!)
    }
  }
  return places
}
