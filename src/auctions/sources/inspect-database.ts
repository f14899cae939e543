import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLocked, whyUnusable } from '../../kernel/damaged-file.ts'
import { findVersionProblem } from './schema.ts'

/**
 * Why the database of the auctions cannot be used, as the end of a sentence; null if it can, or is locked at the moment. It
 * is opened read-only; whether its disk can be written is found out with another file, which is removed.
 */
export function findDatabaseProblem(path: string): string | null {
  // The service creates the folder; whether it may is a question of the disk.
  if (!existsSync(dirname(path))) return null
  return (existsSync(path) ? inspectFile(path) : null) ?? writeBeside(path)
}

function inspectFile(path: string): string | null {
  return orProblem(() => {
    accessSync(path, constants.R_OK | constants.W_OK)
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      database.prepare('SELECT count(*) FROM sqlite_schema').all()
      return findVersionProblem(database, basename(path))?.replace(/\.$/, '') ?? null
    } finally {
      database.close()
    }
  })
}

function writeBeside(path: string): string | null {
  return orProblem(() => {
    const folder = mkdtempSync(join(dirname(path), '.probe-'))
    try {
      const database = new DatabaseSync(join(folder, 'probe.sqlite'))
      try {
        // The same mode as the database of the auctions, which needs a file of shared memory.
        database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; CREATE TABLE probe (id INTEGER)')
        return null
      } finally {
        database.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written',
  EROFS: 'it is read-only, or its disk is',
  ENOSPC: 'the disk is full',
}

function orProblem(inspect: () => string | null): string | null {
  try {
    return inspect()
  } catch (error) {
    if (isLocked(error)) return null
    const { code = '' } = error as NodeJS.ErrnoException
    return whyUnusable(error) ?? SYSTEM_REASONS[code] ?? 'it cannot be opened'
  }
}
