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
import { migrate, MIGRATIONS, schemaVersion } from './schema.ts'

/** So long one process waits for another's write. Whoever waits longer fails, and may ask again. */
const BUSY_TIMEOUT_MS = 2000

/**
 * Opens the ledger's file, which is made when there is none. A file that is there but cannot be used is never replaced:
 * it says which payments were used. The error is a sentence for the operator.
 */
export function openLedgerFile(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    if (!existsSync(path)) createFile(path)
    db = connect(path)
    const version = schemaVersion(db)
    if (version < 0) throw new UnusableFileError(`it is empty or belongs to another program. ${RESTORE_ADVICE}`)
    if (version > MIGRATIONS.length)
      throw new UnusableFileError(`a newer Onoma wrote it (version ${version}); use that one or newer`)
    const [verdict] = db.prepare('PRAGMA quick_check(1)').all()
    if (verdict?.['quick_check'] !== 'ok')
      throw new UnusableFileError(`it is damaged. ${RESTORE_ADVICE}`, { cause: verdict })
    if (version < MIGRATIONS.length) migrate(db)
    configureDurability(db)
    return db
  } catch (error) {
    db?.close()
    throw new Error(`The ledger of payments ${path} cannot be used: ${describeError(error)}.`, { cause: error })
  }
}

/** Its message goes on where "cannot be used:" ends. */
class UnusableFileError extends Error {}

const RESTORE_ADVICE =
  'It says which payments were used, so it is left as it is: repair it or restore a copy. ' +
  'To begin a new one, move it and its -wal file away; payments that are still valid could then be used once more'

const connect = (path: string): DatabaseSync => {
  const place = pathToFileURL(path)
  // Without the leave to create: a file that vanishes under us is an error, not a new ledger.
  place.searchParams.set('mode', 'rw')
  return new DatabaseSync(place, { timeout: BUSY_TIMEOUT_MS })
}

function configureDurability(db: DatabaseSync): void {
  // A restored copy may have lost the mode, which is kept in the file.
  const [mode] = db.prepare('PRAGMA journal_mode = WAL').all()
  if (mode?.['journal_mode'] !== 'wal')
    throw new UnusableFileError('its folder is on a file system that cannot share a file')
  // Every commit is on the disk when it returns; the second is for macOS, where a plain sync is not enough.
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
  // The log is carried over in small portions: the service stands still meanwhile.
  db.exec('PRAGMA wal_autocheckpoint = 250')
  // Where the file may not be written, that shows here and not at the first payment.
  db.exec('BEGIN IMMEDIATE; ROLLBACK')
}

/** Whole or not at all, and never over another's: instances that start together end up with the same file. */
function createFile(path: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  // The log of a ledger that is gone would be played into the new one.
  if (existsSync(`${path}-wal`) && !existsSync(path))
    throw new UnusableFileError('it is gone, but its -wal file is not: put it back, or move that away, too')
  const tempFolder = mkdtempSync(`${path}.new-`)
  try {
    const draft = join(tempFolder, 'draft')
    writeFileSync(draft, '', { mode: 0o600 })
    const db = connect(draft)
    try {
      db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA journal_mode = WAL')
      migrate(db)
    } finally {
      db.close()
    }
    linkSync(draft, path)
    fsyncFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(tempFolder, { recursive: true, force: true })
  }
}

function fsyncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** By the first eight bits of SQLite's result codes. */
const MESSAGES_BY_RESULT_CODE: Readonly<Record<number, string>> = {
  5: 'another process does not let go of it',
  8: 'it may not be written by this user',
  11: `it is damaged. ${RESTORE_ADVICE}`,
  13: 'the disk is full',
  14: 'it cannot be opened (is it a file, and may this user read and write it and its folder?)',
  26: `it is not a SQLite file, or its beginning is damaged. ${RESTORE_ADVICE}`,
}

function describeError(error: unknown): string {
  if (error instanceof UnusableFileError) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return MESSAGES_BY_RESULT_CODE[code] ?? error.message
}
