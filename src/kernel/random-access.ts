import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A file that is read in parts, so that its size does not matter for memory. */
export type RandomAccess = {
  readonly size: number
  /** Up to `length` bytes from `position`; fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
}

/** Large enough to make the cost of a call negligible, small enough to stay in the processor's cache. */
export const BLOCK_BYTES = 256 * 1024

/** Opens a file for random access. Call `close` when done. */
export function openRandomAccess(path: string): RandomAccess & { close(): void } {
  const handle = openSync(path, 'r')
  return {
    size: fstatSync(handle).size,
    // Synchronous: the kernel's read-ahead delivers a block sooner than a thread pool could.
    async read(position, length) {
      const bytes = Buffer.allocUnsafe(length)
      return bytes.subarray(0, readSync(handle, bytes, 0, length, position))
    },
    close: () => closeSync(handle),
  }
}

/** The bytes from `start` to `end` in blocks. Ends early if the file was truncated meanwhile. */
export async function* readBlocks(file: RandomAccess, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end;) {
    const block = await file.read(position, Math.min(BLOCK_BYTES, end - position))
    if (block.length === 0) return
    position += block.length
    yield block
  }
}
