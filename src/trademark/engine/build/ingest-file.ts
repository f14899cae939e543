import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from '../../../kernel/crc32.ts'
import { timestamp, type Clock } from '../../../kernel/clock.ts'
import { isSparse, type Sparse } from '../../sources/office-xml/extract.ts'
import type { TrademarkRecord } from '../../record.ts'
import { FORMATS } from '../manifest.ts'
import { mergeRecords } from './merge-records.ts'
import { decodeBody, serialOf, transactionDateOf } from '../format/records/body.ts'
import { eachRecord, type Portion } from './portion.ts'
import type { HitFailpoint } from './failpoints.ts'
import { createBatcher, type RecordBatch } from './record-batch.ts'
import type { SerialFilter } from './seen-serials.ts'

/** Something to import: a file of the register, or records from memory. */
export type IngestSource = {
  readonly name: string
  readonly bytes: number
  /** Hexadecimal hash of the content. A source with a known hash is skipped, whatever its name. */
  sha256(): Promise<string>
  /** Its records. Throws if the source is damaged; ends normally only if it is complete. */
  records(onBytes: (done: number) => void): AsyncIterable<Portion | readonly ReadRecord[]> | Iterable<ReadRecord>
}
type ReadRecord = TrademarkRecord | Sparse

export type ImportedFile = {
  readonly name: string
  readonly records: number
  readonly sparse: number
  /** How many records were new or newer than the stored version. */
  readonly changed: number
}

/** Records from memory per batch; after each batch the event loop gets a turn and the signal is checked. */
const BATCH_RECORDS = 100

/** Whether a file with this content was imported before. */
export const isKnown = (db: DatabaseSync, sha256: string): boolean =>
  db.prepare('SELECT 1 FROM file WHERE sha256 = ?').get(sha256) !== undefined

/** False if no imported file has this size: then its hash need not be computed first. */
export const mayBeKnown = (db: DatabaseSync, bytes: number): boolean =>
  db.prepare('SELECT 1 FROM file WHERE bytes = ?').get(bytes) !== undefined

export const lastIdOf = (db: DatabaseSync): number =>
  Number(db.prepare('SELECT coalesce(max(id), 0) AS id FROM record').get()!['id'])

/** Identifies the state of the register after the files so far. Equal snapshots give equal results. */
export const snapshotOf = (db: DatabaseSync): string =>
  String(db.prepare('SELECT snapshot FROM file ORDER BY number DESC LIMIT 1').get()?.['snapshot'] ?? '')

/** Receives what is written to the record store, to build the segment at the same time. */
export type SegmentSink = {
  put(rows: RecordBatch): void
  /** A stored version was superseded. */
  addTombstones(id: number, known: TrademarkRecord): void
  /** Resolves when the sink can accept more (backpressure). */
  drained(): Promise<void>
}

type IngestContext = {
  readonly clock: Clock
  readonly at: HitFailpoint
  readonly serials: SerialFilter
  readonly onProgress: (bytes: number, records: number) => void
}

/**
 * Writes one file to the record store in one transaction. Of two versions of a record the later one wins; a sparse record adds
 * fields and never clears any.
 */
export async function ingestFile(
  db: DatabaseSync,
  file: IngestSource,
  sha256: Promise<string>,
  { clock, at, serials, onProgress }: IngestContext,
  sink: SegmentSink,
): Promise<ImportedFile> {
  const write = createWriter(db, sink, serials)
  let records = 0
  let sparse = 0
  let bytes = 0
  db.exec('BEGIN IMMEDIATE')
  try {
    at('file begun')
    for await (const portion of portionsOf(file.records((done) => (bytes = done)))) {
      if ('ends' in portion) {
        write.putPortion(portion)
        records += portion.ends.length
        sparse += portion.sparse.length
      } else {
        for (const found of portion) write.put(found)
        records += portion.length
        sparse += portion.filter(isSparse).length
      }
      at('some of a file written')
      onProgress(bytes, records)
      await new Promise(setImmediate)
      await sink.drained()
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

/** In batches: an async step per record would cost more than the record itself. */
async function* portionsOf(
  found: ReturnType<IngestSource['records']>,
): AsyncGenerator<Portion | readonly ReadRecord[]> {
  if (Symbol.asyncIterator in found) return yield* found
  let portion: ReadRecord[] = []
  for (const one of found) {
    if (portion.push(one) < BATCH_RECORDS) continue
    yield portion
    portion = []
  }
  yield portion
}

/** Rows of one statement when many records are new: a call costs as much as a row. */
const INSERT_ROWS = 16
const COLUMNS = 5

type StoredVersion = { readonly id: number; readonly touched: number; readonly body: Uint8Array }

function createWriter(db: DatabaseSync, sink: SegmentSink, serials: SerialFilter) {
  const latest = db.prepare('SELECT id, touched, body FROM record WHERE serial = ? ORDER BY id DESC LIMIT 1')
  const insert = db.prepare('INSERT INTO record (id, serial, touched, sum, body) VALUES (?, ?, ?, ?, ?)')
  const insertMany = db.prepare(
    `INSERT INTO record (id, serial, touched, sum, body) VALUES ${Array(INSERT_ROWS).fill('(?, ?, ?, ?, ?)').join(', ')}`,
  )
  const replace = db.prepare('INSERT INTO superseded (by_id, id) VALUES (?, ?)')
  const before = snapshotOf(db)
  const hash = createHash('sha256').update(`${FORMATS.segments} ${before}`)
  const packer = createBatcher(lastIdOf(db) + 1, (rows) => {
    hash.update(rows.bytes)
    sink.put(rows)
  })
  let changed = 0

  /** Stores the body that the packer holds. */
  function keep(serial: number, transactionDate: number, body: Uint8Array): number {
    const id = packer.nextId()
    changed++
    insert.run(id, serial, transactionDate, crc32(body), body)
    packer.keep()
    serials.add(serial)
    return id
  }

  function put(found: ReadRecord): void {
    const arrived = isSparse(found) ? found.record : found
    if (arrived === null) return
    const serial = Number(arrived.serial)
    const known = serials.mayContain(serial) ? (latest.get(serial) as StoredVersion | undefined) : undefined
    if (known === undefined ? isSparse(found) && !hasSearchableText(arrived) : arrived.transactionDate < known.touched)
      return
    const old = known && decodeBody(known.body)
    const body = packer.pack(old ? mergeRecords(old, arrived) : arrived)
    if (known && Buffer.compare(known.body, body) === 0) return
    const id = keep(serial, arrived.transactionDate, body)
    if (known) {
      replace.run(id, known.id)
      sink.addTombstones(known.id, old!)
    }
  }

  /** `put` for a complete record that is encoded already. */
  function putEncoded(bytes: Uint8Array, begin: number, end: number): void {
    const serial = serialOf(bytes, begin)
    if (serials.mayContain(serial)) return put(decodeBody(bytes, begin))
    const body = bytes.subarray(begin, end)
    packer.copy(body)
    keep(serial, transactionDateOf(bytes, begin), body)
  }

  /** The serial numbers if all records are complete and new. The filter then contains them. */
  function newSerials({ bytes, ends, sparse }: Portion): Uint32Array | null {
    if (sparse.length > 0) return null
    const found = new Uint32Array(ends.length)
    for (let at = 0, begin = 0; at < ends.length; begin = ends[at++]!) {
      const serial = serialOf(bytes, begin)
      if (serials.mayContain(serial)) return null
      serials.add(serial)
      found[at] = serial
    }
    return found
  }

  return {
    put,
    putPortion(portion: Portion): void {
      const found = newSerials(portion)
      if (found === null) return eachRecord(portion, put, putEncoded)
      const { bytes, ends } = portion
      const firstId = packer.nextId()
      const values: (number | Uint8Array)[] = []
      for (let at = 0, begin = 0; at < ends.length; begin = ends[at++]!) {
        const body = bytes.subarray(begin, ends[at])
        values.push(firstId + at, found[at]!, transactionDateOf(bytes, begin), crc32(body), body)
        if (values.length < INSERT_ROWS * COLUMNS) continue
        insertMany.run(...values)
        values.length = 0
      }
      for (let at = 0; at < values.length; at += COLUMNS) insert.run(...values.slice(at, at + COLUMNS))
      changed += ends.length
      packer.give(bytes, ends)
    },
    finish() {
      packer.flush()
      return { changed, snapshot: changed === 0 ? before : hash.digest('hex').slice(0, 16) }
    },
  }
}

/** Whether a sparse record has anything that can be searched. */
const hasSearchableText = ({ mark, pseudoMarks, owner, goods, classes }: TrademarkRecord) =>
  mark !== '' || owner !== '' || goods !== '' || pseudoMarks.length + classes.length > 0
