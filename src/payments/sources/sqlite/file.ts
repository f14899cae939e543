import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { syncPath } from '../../../kernel/files.ts'
import { BUSY_TIMEOUT_MS, retryWhileBusy } from './busy.ts'
import { migrate, MIGRATIONS, schemaVersion } from './schema.ts'

/**
 * Opens the ledger's file and creates it if it does not exist. An unusable file is never replaced: it records which
 * payments were used. The error message is a sentence for the operator.
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
    throw unusable(path, error)
  }
}

/** A second connection to an open ledger, for credits: its commits do not wait for the disk. */
export function connectForCredits(path: string): DatabaseSync {
  const db = connect(path, 0)
  db.exec('PRAGMA synchronous = NORMAL')
  return db
}

/**
 * Opens the file without blocking the service: a thread of its own creates, checks and migrates it, which takes a while
 * for a large file or a locked one. Throws like `openLedgerFile`.
 */
export async function openLedgerFileInThread(path: string): Promise<DatabaseSync> {
  const worker = new Worker(new URL('file-worker.ts', import.meta.url), { workerData: { path }, stdin: false })
  const ended = once(worker, 'exit').then(() => [`The thread that opens the payment ledger ${path} ended early.`])
  const [problem] = (await Promise.race([once(worker, 'message'), ended])) as [string | null]
  if (problem !== null) throw new Error(problem)
  try {
    return await retryWhileBusy(() => reopen(path))
  } catch (error) {
    throw unusable(path, error)
  }
}

/** A file that was checked. Fails at once if it is locked. */
function reopen(path: string): DatabaseSync {
  const db = connect(path, 0)
  try {
    configureDurability(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const unusable = (path: string, error: unknown): Error =>
  new Error(`The payment ledger ${path} cannot be used: ${describeError(error)}.`, { cause: error })

/** Its message follows "cannot be used:". */
class UnusableFileError extends Error {}

const RESTORE_ADVICE =
  'It records which payments were used, so it is left unchanged: repair it or restore a copy. ' +
  'To start a new one, move it and its -wal file away; payments that are still valid could then be used once more'

const connect = (path: string, timeout = BUSY_TIMEOUT_MS): DatabaseSync => {
  const place = pathToFileURL(path)
  // Do not create: a file that has vanished is an error, not a new ledger.
  place.searchParams.set('mode', 'rw')
  return new DatabaseSync(place, { timeout })
}

function configureDurability(db: DatabaseSync): void {
  // The journal mode is stored in the file; a restored copy may have lost it.
  const [mode] = db.prepare('PRAGMA journal_mode = WAL').all()
  if (mode?.['journal_mode'] !== 'wal')
    throw new UnusableFileError('its folder is on a file system without shared memory for SQLite (WAL mode)')
  // `createBatch` chooses for each commit whether it waits for the disk; `fullfsync` is for macOS, where a plain fsync is
  // not enough.
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
  // Small checkpoints: the service is blocked during each.
  db.exec('PRAGMA wal_autocheckpoint = 250')
  // A file without write permission fails here and not at the first payment.
  db.exec('BEGIN IMMEDIATE; ROLLBACK')
  // From here on a lock is waited for without blocking the service; see `runUnlocked`.
  db.exec('PRAGMA busy_timeout = 0')
}

/** Creates the file atomically and never overwrites: instances that start together end up with the same file. */
function createFile(path: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  // SQLite would replay the log of the missing ledger into the new one.
  if (existsSync(`${path}-wal`) && !existsSync(path))
    throw new UnusableFileError(
      'it is missing, but its -wal file is not: put the ledger back, or move the -wal file away',
    )
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
    syncPath(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(tempFolder, { recursive: true, force: true })
  }
}

/** By the low eight bits of SQLite's result codes. */
const MESSAGES_BY_RESULT_CODE: Readonly<Record<number, string>> = {
  5: 'another process holds its lock',
  8: 'this user may not write it',
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
