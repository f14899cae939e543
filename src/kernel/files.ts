import { closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file as a whole: readers see the old content or the new one, even after a power cut. Writes
 * `${path}.${temporarySuffix}`, flushes it to disk and renames it. Creates missing folders.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { temporarySuffix }: { readonly temporarySuffix: string },
): Promise<void> {
  const temporaryPath = `${path}.${temporarySuffix}`
  await mkdir(dirname(path), { recursive: true })
  const file = await open(temporaryPath, 'w')
  try {
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}

/** Flushes a file, or the entries of a folder, to disk (fsync). */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
