import { closeSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs'
import { mkdir, open as openFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'

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
  const file = await openFile(temporaryPath, 'w')
  try {
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    for (let attempt = 0; ; attempt++) {
      try {
        await rename(temporaryPath, path)
        break
      } catch (error) {
        if (!isHeldOpen(error, attempt)) throw error
        await setTimeout(HELD_OPEN_RETRY_MS)
      }
    }
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}

/** On Windows, virus scanners and indexers hold a new file open for a moment, and it cannot be renamed meanwhile. */
const HELD_OPEN_RETRY_MS = 20
const MAX_HELD_OPEN_RETRIES = 50
const HELD_OPEN = new Set(['EPERM', 'EACCES', 'EBUSY'])

const isHeldOpen = (error: unknown, attempt: number, platform = process.platform): boolean =>
  platform === 'win32' &&
  attempt < MAX_HELD_OPEN_RETRIES &&
  HELD_OPEN.has(String((error as NodeJS.ErrnoException).code))

type System = {
  readonly platform?: NodeJS.Platform
  readonly rename?: (from: string, to: string) => void
  readonly wait?: (ms: number) => void
}

const waitSync = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Renames a file, over another one if there is one. */
export function renameFile(
  from: string,
  to: string,
  { platform = process.platform, rename: renameNow = renameSync, wait = waitSync }: System = {},
): void {
  for (let attempt = 0; ; attempt++) {
    try {
      return renameNow(from, to)
    } catch (error) {
      if (!isHeldOpen(error, attempt, platform)) throw error
      wait(HELD_OPEN_RETRY_MS)
    }
  }
}

/**
 * Flushes a file, or the entries of a folder, to disk (fsync). Windows flushes only what is open for writing, and no
 * folders: its file system logs their changes itself.
 */
export function syncPath(
  path: string,
  platform: NodeJS.Platform = process.platform,
  open: (path: string, mode: string) => number = openSync,
): void {
  const isWindows = platform === 'win32'
  if (isWindows && statSync(path).isDirectory()) return
  const handle = open(path, isWindows ? 'r+' : 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
