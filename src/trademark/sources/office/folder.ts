import { existsSync, mkdirSync, openSync, readdirSync, readSync, closeSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recordsPath } from '../../engine/format/records/schema.ts'
import type { Known } from './plan.ts'

/** The files imported into the index of this folder; see `engine/build/schema.ts`. */
export function filesTakenIn(index: string): Known[] {
  const path = recordsPath(index)
  if (!existsSync(path)) return []
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    // An import that was killed early leaves an empty database.
    const hasLedger = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file'").get()
    if (!hasLedger) return []
    return db
      .prepare('SELECT name, bytes FROM file')
      .all()
      .map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }))
  } finally {
    db.close()
  }
}

/** The complete zips in a folder, which is created if missing. */
export function filesHere(folder: string): Known[] {
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
