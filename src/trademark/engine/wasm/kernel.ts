import { instantiate } from './instantiate.ts'

/** Ordinals per chunk: within a chunk they have 16 bits. */
export const CHUNK_SIZE = 65_536
/** Size of a chunk's bitmap. */
export const BITMAP_BYTES = CHUNK_SIZE / 8

/** Addresses are offsets in `bytes`; `kernel.wat` describes each function. */
export type Kernel = {
  readonly bytes: Uint8Array<ArrayBuffer>
  both(a: number, b: number, out: number): number
  less(a: number, b: number, out: number): number
  sift(list: number, length: number, map: number, wanted: 0 | 1, out: number): number
  seek(short: number, length: number, long: number, longer: number, out: number): number
  spread(list: number, length: number, out: number): void
  gather(map: number, out: number): number
}

/** A kernel with a memory of its own. */
export function createKernel(size: number): Kernel {
  const { exports, memory } = instantiate('kernel', size)
  return { bytes: new Uint8Array(memory), ...(exports as Omit<Kernel, 'bytes'>) }
}
