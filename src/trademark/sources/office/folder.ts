import { mkdirSync, openSync, readdirSync, readSync, closeSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownFile } from './plan.ts'

/** The complete zips in a folder, which is created if missing. */
export function filesHere(folder: string): KnownFile[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .filter((name) => name.endsWith('.zip') && isZip(join(folder, name)))
    .map((name) => ({ name, bytes: statSync(join(folder, name)).size }))
}

/** Free disk space in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const LOCAL_HEADER = 0x04034b50

/** Checks the first bytes: for a missing file the Office sends a web page with status 200. */
export function isZip(path: string): boolean {
  if (!statSync(path).isFile()) return false
  const handle = openSync(path, 'r')
  try {
    const start = Buffer.alloc(4)
    return readSync(handle, start, 0, 4, 0) === 4 && start.readUInt32LE(0) === LOCAL_HEADER
  } finally {
    closeSync(handle)
  }
}
