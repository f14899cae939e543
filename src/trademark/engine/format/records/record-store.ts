import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { crc32 } from '../../../../kernel/crc32.ts'
import type { TrademarkRecord } from '../../../record.ts'
import { decodeBody } from './body.ts'
import { APPLICATION_ID, recordsPath, SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** A record version was deleted because a later one superseded it. */
export class GoneError extends Error {
  override readonly name = 'GoneError'
}

export type RecordStore = {
  /** The version with this id. Throws GoneError if it was deleted. */
  read(id: number): TrademarkRecord
  /** Calls `give` with the body (see body.ts) of each of these ids, which must rise. */
  readMany(ids: Uint32Array, give: (body: Uint8Array, id: number) => void): void
  close(): void
}

/** Span of ids read with one query; a writer gets the file in between. */
const MAX_ID_SPAN = 1000
/** A span is read with one query if at least an eighth of its ids is wanted. */
const MAX_IDS_PER_HIT = 8

/**
 * Opens the store for reading, in any thread. Throws if the file is missing, is another database, or lacks records up to
 * `lastId`.
 */
export function openRecordStore(folder: string, lastId = 0): RecordStore {
  const path = recordsPath(folder)
  if (!existsSync(path)) throw new Error(`${path} is missing.`)
  const db = openForReading(path)
  try {
    check(db, path, lastId)
  } catch (error) {
    db.close()
    throw error
  }
  // The operating system caches the file; a large SQLite cache would only duplicate it.
  db.exec('PRAGMA cache_size = -4096')
  const one = db.prepare('SELECT body, sum FROM record WHERE id = ?')
  const some = db.prepare('SELECT id, body, sum FROM record WHERE id BETWEEN ? AND ? ORDER BY id')
  some.setReturnArrays(true)
  const verified = (id: number, body: Uint8Array, sum: number) => {
    if (crc32(body) !== sum) throw new Error(`${path} is damaged: record ${id} has another checksum.`)
    return body
  }
  const readBody = (id: number) => {
    const row = one.get(id) as { body: Uint8Array; sum: number } | undefined
    if (!row) throw new GoneError(`${path} has no record ${id}.`)
    return verified(id, row.body, row.sum)
  }
  return {
    read: (id) => decodeBody(readBody(id)),
    readMany(ids, give) {
      for (let at = 0; at < ids.length;) {
        const first = ids[at]!
        let end = at + 1
        while (end < ids.length && ids[end]! < first + MAX_ID_SPAN) end++
        const last = ids[end - 1]!
        // If few ids of the span are wanted, each is read by itself.
        const isDense = last - first < MAX_IDS_PER_HIT * (end - at)
        const rows = isDense ? (some.all(first, last) as unknown as [number, Uint8Array, number][]) : []
        for (const [id, body, sum] of rows) if (id === ids[at]) give(verified(id, body, sum), ids[at++]!)
        for (; at < end; at++) give(readBody(ids[at]!), ids[at]!)
      }
    },
    close: () => db.close(),
  }
}

/** Larger pages are faster to write, and a record is still read with one of them. */
const PAGE_BYTES = 16_384

/** Opens the store for writing, under the writer lock. Creates it if it is missing and `lastId` is 0. */
export function openRecordsForWriting(folder: string, lastId: number): DatabaseSync {
  const path = recordsPath(folder)
  const isNew = !existsSync(path)
  if (isNew && lastId > 0) throw new Error(`${path} is missing.`)
  const db = new DatabaseSync(path)
  try {
    if (isNew || isEmpty(db))
      db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; BEGIN; ${SCHEMA} COMMIT`)
    check(db, path, lastId)
    // Records must be durable before the manifest that refers to them.
    db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -131072; PRAGMA journal_size_limit = 67108864')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Size of the database file once the WAL is checkpointed. */
export const sizeOf = (db: DatabaseSync): number => {
  const of = (pragma: string) => Number(db.prepare(`PRAGMA ${pragma}`).get()![pragma])
  return of('page_count') * of('page_size')
}

/** True if an import was killed before it created the tables. */
const isEmpty = (db: DatabaseSync) => Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()!['n']) === 0

function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    db.prepare('SELECT 1 FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    // SQLite cannot create its -shm file in a read-only folder; then there is no writer either, and immutable mode is safe.
    if (!(error instanceof Error) || !/readonly|unable to open/.test(error.message)) throw damaged(path, error)
    const place = pathToFileURL(path)
    place.search = '?mode=ro&immutable=1'
    return new DatabaseSync(place, { readOnly: true })
  }
}

function check(db: DatabaseSync, path: string, lastId = 0): void {
  const numberOf = (sql: string) => Number(Object.values(db.prepare(sql).get()!)[0])
  let application: number
  let version: number
  let last: number
  try {
    application = numberOf('PRAGMA application_id')
    version = numberOf('PRAGMA user_version')
    last = application === APPLICATION_ID ? numberOf('SELECT max(id) FROM record') : 0
  } catch (error) {
    throw damaged(path, error)
  }
  if (application !== APPLICATION_ID) throw new Error(`${path} is damaged: it does not hold the records of an index.`)
  if (version > SCHEMA_VERSION) throw new Error(`${path} was written by a newer Onoma; update this one.`)
  if (version < SCHEMA_VERSION)
    throw new Error(
      `${path} was written by an older Onoma; remove the folder and import the files of the register again.`,
    )
  if (last < lastId) throw new Error(`${path} is damaged: records are missing.`)
}

const damaged = (path: string, cause: unknown) => new Error(`${path} is damaged: SQLite cannot read it.`, { cause })
