import { existsSync, mkdirSync, openSync, readdirSync, readSync, closeSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recordsPath } from '../../engine/format/records/schema.ts'
import type { Known } from './plan.ts'

/** The files the index of this folder has taken in; see `register/schema.ts`. */
export function filesTakenIn(index: string): Known[] {
  const path = recordsPath(index)
  if (!existsSync(path)) return []
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    // An import that was killed early may have left nothing in it.
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

/** The zips that lie in a folder, which is made where there is none. Half a download does not count: it is no zip yet. */
export function filesHere(folder: string): Known[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .filter((name) => name.endsWith('.zip') && isZip(join(folder, name)))
    .map((name) => ({ name, bytes: statSync(join(folder, name)).size }))
}

/** Bytes that may still be written there. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const LOCAL_HEADER = 0x04034b50

/** By its first bytes: where there is no such file, the Office answers with a page, and as if all were well. */
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
