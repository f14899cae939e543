import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The file cannot be used. The message is for the operator. */
export class SalesFileError extends Error {}

export const salesFile = (folder: string): string => join(folder, 'sales.sqlite')

/** Identifies the file as ours ("OnoS"). */
const APPLICATION_ID = 0x4f6e6f53
const VERSION = 1

/**
 * A sale is identified by domain and date. `mark` indexes sales by shared traits (see sales-keys.ts), with the nearest
 * lengths and latest dates first; `intake` records which file a sale came from.
 */
const SCHEMA = `
  CREATE TABLE intake (
    id INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    at INTEGER NOT NULL,
    added INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE sale (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    date TEXT NOT NULL CHECK (length(date) = 10),
    tld TEXT NOT NULL,
    price INTEGER NOT NULL CHECK (price > 0),
    source TEXT NOT NULL,
    words TEXT NOT NULL,
    category TEXT,
    intake INTEGER NOT NULL REFERENCES intake (id),
    UNIQUE (domain, date)
  ) STRICT;
  CREATE TABLE mark (
    key TEXT NOT NULL,
    tld TEXT NOT NULL,
    length INTEGER NOT NULL,
    date TEXT NOT NULL,
    sale INTEGER NOT NULL REFERENCES sale (id),
    PRIMARY KEY (key, tld, length, date, sale)
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
`

/** Readers hardly ever wait, because writers do not block them. */
const READER_BUSY_TIMEOUT_MS = 100
const WRITER_BUSY_TIMEOUT_MS = 500
const WRITER_CACHE_KIB = 65_536

/** Identifies a version of the file; null if it does not exist. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Opens the file read-only; null if nothing was imported yet. */
export function openToRead(path: string): DatabaseSync | null {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: READER_BUSY_TIMEOUT_MS })
    db.exec('PRAGMA trusted_schema = OFF')
    if (isReady(db)) return db
    db.close()
    return null
  } catch (error) {
    if (db?.isOpen) db.close()
    throw unusable(path, error)
  }
}

/** Opens the file for an import, and creates it if missing. */
export function openToWrite(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    db = new DatabaseSync(path, { timeout: WRITER_BUSY_TIMEOUT_MS })
    db.exec(`PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -${WRITER_CACHE_KIB}; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE`)
    // Checked within the transaction: two imports may create the file at once.
    if (!isReady(db)) db.exec(SCHEMA)
    db.exec('COMMIT')
    return db
  } catch (error) {
    if (db?.isOpen) db.close()
    throw unusable(path, error)
  }
}

/** False for an empty file. Throws for a file of another program or of a newer version. */
function isReady(db: DatabaseSync): boolean {
  const read = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
  if (db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'] === 0) return false
  if (read('application_id') !== APPLICATION_ID) throw new SalesFileError('it belongs to another program')
  const version = read('user_version')
  if (version > VERSION) throw new SalesFileError(`a newer Onoma wrote it (version ${version})`)
  return true
}

/** By the first eight bits of SQLite's result codes. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another import is under way',
  8: 'it may not be written by this user',
  11: 'it is damaged; move it away and import again',
  13: 'the disk is full',
  14: 'it cannot be opened (is it a file, and may this user read and write it and its folder?)',
  26: 'it is not a SQLite file; move it away and import again',
}

export function unusable(path: string, error: unknown): SalesFileError {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error))
  return new SalesFileError(`The sales in ${path} cannot be used: ${reason}.`, { cause: error })
}
