import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { timestamp, type Clock } from '../../../kernel/clock.ts'
import { isSparse, type Sparse } from '../../sources/office-xml/extract.ts'
import type { TrademarkRecord } from '../../record.ts'
import { FORMATS } from '../manifest.ts'
import { mergeRecords } from '../search/merge.ts'
import { decodeBody } from '../format/records/body.ts'
import type { HitFailpoint } from './failpoints.ts'
import { createBatcher, type RecordBatch } from './record-batch.ts'
import type { SerialFilter } from './seen-serials.ts'

/** A file to be taken in, or whatever else has records. */
export type IngestSource = {
  readonly name: string
  readonly bytes: number
  /** Hexadecimal, of the content: what has the same was taken in already, whatever its name. */
  sha256(): Promise<string>
  /** Its records; throws where it turns out to be damaged. The end of it is reached only where it is whole. */
  records(onBytes: (done: number) => void): AsyncIterable<readonly Found[]> | Iterable<Found>
}
type Found = TrademarkRecord | Sparse

export type Taken = {
  readonly name: string
  readonly records: number
  readonly sparse: number
  /** How many of them were new, or newer than what was known. */
  readonly changed: number
}

/** Records at hand between two looks at the signal, and turns for the event loop. */
const PORTION = 100

/** A file taken in before; see `schema.ts`. */
export const isKnown = (db: DatabaseSync, sha256: string): boolean =>
  db.prepare('SELECT 1 FROM file WHERE sha256 = ?').get(sha256) !== undefined

/** What has another size than all files taken in before is none of them. */
export const mayBeKnown = (db: DatabaseSync, bytes: number): boolean =>
  db.prepare('SELECT 1 FROM file WHERE bytes = ?').get(bytes) !== undefined

export const lastIdOf = (db: DatabaseSync): number =>
  Number(db.prepare('SELECT coalesce(max(id), 0) AS id FROM record').get()!['id'])

/** The state of the register after the files so far. Two registers with the same one give the same answers. */
export const snapshotOf = (db: DatabaseSync): string =>
  String(db.prepare('SELECT snapshot FROM file ORDER BY number DESC LIMIT 1').get()?.['snapshot'] ?? '')

/** Where what is taken in goes beside the records. */
export type Beside = {
  put(rows: RecordBatch): void
  /** A version that another takes the place of. */
  addTombstones(id: number, known: TrademarkRecord): void
  room(): Promise<void>
}

type Taking = {
  readonly clock: Clock
  readonly at: HitFailpoint
  readonly serials: SerialFilter
  readonly onProgress: (bytes: number, records: number) => void
}

/**
 * Takes one file into the records, all of it or, whatever happens, nothing. Of two versions of a record the later holds;
 * what is sparse adds to what is known and never takes away.
 */
export async function ingestFile(
  db: DatabaseSync,
  file: IngestSource,
  sha256: Promise<string>,
  { clock, at, serials, onProgress }: Taking,
  beside: Beside,
): Promise<Taken> {
  const write = createWriter(db, beside, serials)
  let records = 0
  let sparse = 0
  let bytes = 0
  db.exec('BEGIN IMMEDIATE')
  try {
    at('file begun')
    for await (const portion of portionsOf(file.records((done) => (bytes = done)))) {
      for (const found of portion) {
        if (isSparse(found)) sparse++
        write.put(found)
      }
      records += portion.length
      at('some of a file written')
      onProgress(bytes, records)
      await new Promise(setImmediate)
      await beside.room()
    }
    at('file read')
    const { changed, snapshot } = write.finish()
    db.prepare(
      `INSERT INTO file (name, bytes, sha256, taken_in, records, sparse, changed, last_id, snapshot)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(file.name, file.bytes, await sha256, timestamp(clock), records, sparse, changed, lastIdOf(db), snapshot)
    db.exec('COMMIT')
    at('file taken in')
    return { name: file.name, records, sparse, changed }
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** One at a time would cost more than what is done with it. */
async function* portionsOf(found: ReturnType<IngestSource['records']>): AsyncGenerator<readonly Found[]> {
  if (Symbol.asyncIterator in found) return yield* found
  let portion: Found[] = []
  for (const one of found) {
    if (portion.push(one) < PORTION) continue
    yield portion
    portion = []
  }
  yield portion
}

type Known = { readonly id: number; readonly touched: number; readonly body: Uint8Array }

function createWriter(db: DatabaseSync, beside: Beside, serials: SerialFilter) {
  const latest = db.prepare('SELECT id, touched, body FROM record WHERE serial = ? ORDER BY id DESC LIMIT 1')
  const insert = db.prepare('INSERT INTO record (id, serial, touched, sum, body) VALUES (?, ?, ?, ?, ?)')
  const replace = db.prepare('INSERT INTO superseded (by_id, id) VALUES (?, ?)')
  const before = snapshotOf(db)
  const hash = createHash('sha256').update(`${FORMATS.segments} ${before}`)
  const packer = createBatcher(lastIdOf(db) + 1, (rows) => {
    hash.update(rows.bytes)
    beside.put(rows)
  })
  let changed = 0
  return {
    put(found: Found): void {
      const arrived = isSparse(found) ? found.record : found
      if (arrived === null) return
      const serial = Number(arrived.serial)
      const known = serials.mayContain(serial) ? (latest.get(serial) as Known | undefined) : undefined
      if (known === undefined ? isSparse(found) && !hasAnything(arrived) : arrived.transactionDate < known.touched)
        return
      const old = known && decodeBody(known.body)
      const body = packer.pack(old ? mergeRecords(old, arrived) : arrived)
      if (known && Buffer.compare(known.body, body) === 0) return
      const id = packer.nextId()
      changed++
      insert.run(id, serial, arrived.transactionDate, crc32(body), body)
      if (known) {
        replace.run(id, known.id)
        beside.addTombstones(known.id, old!)
      }
      packer.keep()
      serials.add(serial)
    },
    finish() {
      packer.flush()
      return { changed, snapshot: changed === 0 ? before : hash.digest('hex').slice(0, 16) }
    },
  }
}

/** Whether a sparse record nobody has heard of is worth keeping. */
const hasAnything = ({ mark, pseudoMarks, owner, goods, classes }: TrademarkRecord) =>
  mark !== '' || owner !== '' || goods !== '' || pseudoMarks.length + classes.length > 0
