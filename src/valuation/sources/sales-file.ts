import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { identityOf, isDamage, moveAside } from '../../kernel/damaged-file.ts'

/** The file cannot be used. The message is for the operator; `reason` is the end of it, and names no path. */
export class SalesFileError extends Error {
  readonly reason: string

  constructor(reason: string, options: ErrorOptions & { readonly message?: string } = {}) {
    super(options.message ?? reason, options)
    this.reason = reason
  }
}

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

/** Why the file cannot be used; null if it can, or does not exist. Writes nothing, and reads only a few pages. */
export function findSalesProblem(folder: string): string | null {
  const path = salesFile(folder)
  if (identityOf(path) === null) return null
  let db: DatabaseSync | null = null
  try {
    db = openToRead(path)
    for (const table of ['sale', 'mark']) db?.prepare(`SELECT * FROM ${table} LIMIT 1`).all()
    return null
  } catch (error) {
    return unusable(path, error).reason
  } finally {
    if (db?.isOpen) db.close()
  }
}

/** How an import replaces a damaged file. */
type Replacement = { readonly now: number; onMovedAside(movedTo: string): void }

/** Opens the file for an import, and creates it if missing. A damaged file is moved aside if `replacement` is given. */
export function openToWrite(path: string, replacement?: Replacement): DatabaseSync {
  const identity = identityOf(path)
  try {
    return openOrCreate(path)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (!replacement || !isDamage(cause)) throw error
    const movedTo = moveAside(path, replacement.now, { identity, suffixes: ['-wal', '-shm'] })
    if (movedTo === null) throw error
    replacement.onMovedAside(movedTo)
    return openOrCreate(path)
  }
}

function openOrCreate(path: string): DatabaseSync {
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
  11: 'it is damaged; import the sales again',
  13: 'the disk is full',
  14: 'it cannot be opened (is it a file, and may this user read and write it and its folder?)',
  26: 'it is not a SQLite file; import the sales again',
}

export function unusable(path: string, error: unknown): SalesFileError {
  if (error instanceof SalesFileError && error.message !== error.reason) return error
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error))
  return new SalesFileError(reason, { message: `The sales in ${path} cannot be used: ${reason}.`, cause: error })
}
