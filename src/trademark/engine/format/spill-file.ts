import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readFully } from './segment-file.ts'

export type SpillFile = ReturnType<typeof createSpillFile>

/** A temporary file, created when it is first needed. It has no name, so nothing is left after a crash. */
export function createSpillFile(path: string) {
  let handle = -1
  let end = 0
  return {
    /** Writes the bytes behind those that are there already, and returns their offset. */
    append(bytes: Uint8Array): number {
      if (handle < 0) {
        handle = openSync(path, 'wx+')
        rmSync(path)
      }
      for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done, bytes.length - done, end + done)
      end += bytes.length
      return end - bytes.length
    },
    read(into: Uint8Array, offset: number): void {
      if (!readFully(handle, into, offset)) throw new Error('A temporary file of the import is cut off.')
    },
    close(): void {
      if (handle >= 0) closeSync(handle)
      handle = -1
    },
  }
}
