import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { timestamp, type Clock } from '../../../kernel/clock.ts'
import { isSparse, type Sparse } from '../../import/extract.ts'
import type { TrademarkRecord } from '../../record.ts'
import { FORMATS } from '../manifest.ts'
import { mergeRecords } from '../matching/merge.ts'
import { packBody, unpackBody } from './body.ts'
import type { At } from './points.ts'

/** A file to be taken in, or whatever else has records. */
export type Intake = {
  readonly name: string
  readonly bytes: number
  /** Hexadecimal, of the content: what has the same was taken in already, whatever its name. */
  sha256(): Promise<string>
  /** Its records; throws where it turns out to be damaged. The end of it is reached only where it is whole. */
  records(onBytes: (done: number) => void): AsyncIterable<TrademarkRecord | Sparse> | Iterable<TrademarkRecord | Sparse>
}

export type Taken = {
  readonly name: string
  readonly records: number
  readonly sparse: number
  /** How many of them were new, or newer than what was known. */
  readonly changed: number
}

/** Records between two looks at the signal, and turns for the event loop. */
const PORTION = 100

/** A file taken in before; see `schema.ts`. */
export const isKnown = (db: DatabaseSync, sha256: string): boolean =>
  db.prepare('SELECT 1 FROM file WHERE sha256 = ?').get(sha256) !== undefined

export const lastIdOf = (db: DatabaseSync): number =>
  Number(db.prepare('SELECT coalesce(max(id), 0) AS id FROM record').get()!['id'])

/** The state of the register after the files so far. Two registers with the same one give the same answers. */
export const snapshotOf = (db: DatabaseSync): string =>
  String(db.prepare('SELECT snapshot FROM file ORDER BY number DESC LIMIT 1').get()?.['snapshot'] ?? '')

/** Where what is taken in goes beside the records. */
export type Beside = {
  put(id: number, body: string): void
  room(): Promise<void>
}

/**
 * Takes one file into the records, all of it or, whatever happens, nothing. Of two versions of a record the later holds;
 * what is sparse adds to what is known and never takes away.
 */
export async function takeInFile(
  db: DatabaseSync,
  file: Intake,
  sha256: string,
  { clock, at, onProgress }: { clock: Clock; at: At; onProgress: (bytes: number, records: number) => void },
  beside: Beside,
): Promise<Taken> {
  const write = createWriter(db, beside)
  let records = 0
  let sparse = 0
  let bytes = 0
  db.exec('BEGIN IMMEDIATE')
  try {
    at('file begun')
    for await (const found of file.records((done) => (bytes = done))) {
      records++
      if (isSparse(found)) sparse++
      write.put(found)
      if (records % PORTION === 0) {
        at('some of a file written')
        onProgress(bytes, records)
        await new Promise(setImmediate)
        await beside.room()
      }
    }
    at('file read')
    const { changed, snapshot } = write.finish()
    db.prepare(
      `INSERT INTO file (name, bytes, sha256, taken_in, records, sparse, changed, last_id, snapshot)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(file.name, file.bytes, sha256, timestamp(clock), records, sparse, changed, lastIdOf(db), snapshot)
    db.exec('COMMIT')
    at('file taken in')
    return { name: file.name, records, sparse, changed }
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function createWriter(db: DatabaseSync, { put }: Beside) {
  const latest = db.prepare('SELECT id, touched, body FROM record WHERE serial = ? ORDER BY id DESC LIMIT 1')
  const insert = db.prepare('INSERT INTO record (id, serial, touched, sum, body) VALUES (?, ?, ?, ?, ?)')
  const replace = db.prepare('INSERT INTO superseded (by_id, id) VALUES (?, ?)')
  const before = snapshotOf(db)
  const hash = createHash('sha256').update(`${FORMATS.segments} ${before}`)
  let next = lastIdOf(db) + 1
  let changed = 0
  return {
    put(found: TrademarkRecord | Sparse): void {
      const arrived = isSparse(found) ? found.record : found
      if (arrived === null) return
      const serial = Number(arrived.serial)
      const known = latest.get(serial) as { id: number; touched: number; body: string } | undefined
      if (known === undefined ? isSparse(found) && !hasAnything(arrived) : arrived.transactionDate < known.touched)
        return
      const body = packBody(known ? mergeRecords(unpackBody(known.body), arrived) : arrived)
      if (known && known.body === body) return
      hash.update(body)
      changed++
      insert.run(next, serial, arrived.transactionDate, crc32(body), body)
      if (known) replace.run(next, known.id)
      put(next++, body)
    },
    finish: () => ({ changed, snapshot: changed === 0 ? before : hash.digest('hex').slice(0, 16) }),
  }
}

/** Whether a sparse record nobody has heard of is worth keeping. */
const hasAnything = ({ mark, pseudoMarks, owner, goods, classes }: TrademarkRecord) =>
  mark !== '' || owner !== '' || goods !== '' || pseudoMarks.length + classes.length > 0
