import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { migrate, STEPS, versionOf } from './schema.ts'

/** So long one process waits for another's write. Whoever waits longer fails, and may ask again. */
const BUSY_MS = 2000

/**
 * Opens the ledger's file, which is made when there is none. A file that is there but cannot be used is never replaced:
 * it says which payments were used. The error is a sentence for the operator.
 */
export function openLedgerFile(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    if (!existsSync(path)) makeFile(path)
    db = connect(path)
    const version = versionOf(db)
    if (version < 0) throw new Unusable(`it is empty or belongs to another program. ${LEFT}`)
    if (version > STEPS.length) throw new Unusable(`a newer Onoma wrote it (version ${version}); use that one or newer`)
    const [verdict] = db.prepare('PRAGMA quick_check(1)').all()
    if (verdict?.['quick_check'] !== 'ok') throw new Unusable(`it is damaged. ${LEFT}`, { cause: verdict })
    if (version < STEPS.length) migrate(db)
    makeDurable(db)
    return db
  } catch (error) {
    db?.close()
    throw new Error(`The ledger of payments ${path} cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
}

/** Its message goes on where "cannot be used:" ends. */
class Unusable extends Error {}

const LEFT =
  'It says which payments were used, so it is left as it is: repair it or restore a copy. ' +
  'To begin a new one, move it and its -wal file away; payments that are still valid could then be used once more'

const connect = (path: string): DatabaseSync => {
  const place = pathToFileURL(path)
  // Without the leave to create: a file that vanishes under us is an error, not a new ledger.
  place.searchParams.set('mode', 'rw')
  return new DatabaseSync(place, { timeout: BUSY_MS })
}

function makeDurable(db: DatabaseSync): void {
  // A restored copy may have lost the mode, which is kept in the file.
  const [mode] = db.prepare('PRAGMA journal_mode = WAL').all()
  if (mode?.['journal_mode'] !== 'wal') throw new Unusable('its folder is on a file system that cannot share a file')
  // Every commit is on the disk when it returns; the second is for macOS, where a plain sync is not enough.
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
  // The log is carried over in small portions: the service stands still meanwhile.
  db.exec('PRAGMA wal_autocheckpoint = 250')
  // Where the file may not be written, that shows here and not at the first payment.
  db.exec('BEGIN IMMEDIATE; ROLLBACK')
}

/** Whole or not at all, and never over another's: instances that start together end up with the same file. */
function makeFile(path: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  // The log of a ledger that is gone would be played into the new one.
  if (existsSync(`${path}-wal`) && !existsSync(path))
    throw new Unusable('it is gone, but its -wal file is not: put it back, or move that away, too')
  const workshop = mkdtempSync(`${path}.new-`)
  try {
    const draft = join(workshop, 'draft')
    writeFileSync(draft, '', { mode: 0o600 })
    const db = connect(draft)
    try {
      db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA journal_mode = WAL')
      migrate(db)
    } finally {
      db.close()
    }
    linkSync(draft, path)
    syncFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** By the first eight bits of SQLite's result codes. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another process does not let go of it',
  8: 'it may not be written by this user',
  11: `it is damaged. ${LEFT}`,
  13: 'the disk is full',
  14: 'it cannot be opened (is it a file, and may this user read and write it and its folder?)',
  26: `it is not a SQLite file, or its beginning is damaged. ${LEFT}`,
}

function reasonOf(error: unknown): string {
  if (error instanceof Unusable) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return REASONS[code] ?? error.message
}
