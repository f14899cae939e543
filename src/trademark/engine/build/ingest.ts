import { mkdirSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { readManifest, type Manifest, type SegmentEntry } from '../manifest.ts'
import { createImportSegment, type ImportSegment } from './import-segment.ts'
import { refusalReason } from './file-source.ts'
import {
  isKnown,
  lastIdOf,
  mayBeKnown,
  snapshotOf,
  ingestFile,
  type IngestSource,
  type ImportedFile,
} from './ingest-file.ts'
import { lockIndex } from './lock.ts'
import { splitName } from './record-filter.ts'
import { noFailpoint, type HitFailpoint } from './failpoints.ts'
import { requireFiles, removeTemporaryFiles, publish } from './publish.ts'
import { createSerialFilter, type SerialFilter } from './seen-serials.ts'
import { openRecordsForWriting, openRecordStore, sizeOf } from '../format/records/record-store.ts'
import { addTombstones } from './tombstones.ts'
import type { BuildOptions } from './options.ts'

export type IngestResult =
  | (ImportedFile & { readonly result: 'taken in' })
  | { readonly name: string; readonly result: 'known already' }
  | { readonly name: string; readonly result: 'refused'; readonly reason: string }

/**
 * Imports files into the index of this folder, which is created if missing, and publishes the result. Each file is imported
 * completely or not at all, and committed files stay: after a crash the next import goes on with the file that was not
 * finished. `onResult` is called after each file.
 */
export async function ingest(
  folder: string,
  files: readonly IngestSource[],
  work: BuildOptions & { readonly onResult?: (result: IngestResult) => void },
): Promise<Manifest | null> {
  const { at = noFailpoint, signal, clock } = work
  mkdirSync(folder, { recursive: true })
  const unlock = lockIndex(folder)
  try {
    at('locked')
    const before = readManifest(folder)
    requireFiles(folder, before)
    removeTemporaryFiles(folder)
    const from = before?.lastId ?? 0
    const db = openRecordsForWriting(folder, from)
    const segment = createImportSegment(folder, from, work)
    try {
      at('records opened')
      // Files that an earlier import committed without publishing them.
      segment.commit(lastIdOf(db))
      await ingestAll(db, files, work, segment)
      at('files taken in')
      signal?.throwIfAborted()
      const lastId = lastIdOf(db)
      if (lastId === from) return before
      const gone = supersededBetween(db, from, lastId)
      const [fresh, older] = await Promise.all([
        segment.finish(lastId, gone),
        // Runs meanwhile if a worker builds the segment.
        addTombstonesTo(folder, before?.segments ?? [], gone, segment.words, at),
      ])
      const segments = [...older, ...(await addTombstonesTo(folder, [fresh], gone, segment.words, at))]
      const state = {
        segments,
        lastId,
        settledId: from,
        snapshot: snapshotOf(db),
        recordsBytes: sizeOf(db),
        scope: scopeIn(db),
      }
      return publish(folder, before, state, clock, at)
    } finally {
      await segment.close()
      db.close()
      at('done')
    }
  } finally {
    unlock()
  }
}

async function ingestAll(
  db: DatabaseSync,
  files: readonly IngestSource[],
  work: BuildOptions & { readonly onResult?: (result: IngestResult) => void },
  segment: ImportSegment,
): Promise<void> {
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let bytesBefore = 0
  let recordsBefore = 0
  const serials = createSerialFilter(lastIdOf(db) === 0)
  for (const file of files) {
    work.signal?.throwIfAborted()
    const { name } = file
    const onProgress = (bytes: number, records: number) =>
      work.onProgress?.({ phase: 'reading', name, done: bytesBefore + bytes, total, records: recordsBefore + records })
    const result = await ingestOne(db, file, { ...work, serials, onRead: onProgress }, segment)
    work.onResult?.(result)
    if (result.result === 'taken in') {
      bytesBefore += file.bytes
      recordsBefore += result.records
      segment.commit(lastIdOf(db))
    } else {
      total -= file.bytes
      await segment.rollBack()
    }
  }
}

type Reading = { readonly serials: SerialFilter; readonly onRead: (bytes: number, records: number) => void }

async function ingestOne(
  db: DatabaseSync,
  file: IngestSource,
  { clock, at = noFailpoint, signal, serials, onRead }: BuildOptions & Reading,
  segment: ImportSegment,
): Promise<IngestResult> {
  try {
    const sha256 = file.sha256()
    // If the file is refused first, nothing awaits the hash: avoid an unhandled rejection.
    sha256.catch(() => {})
    if (mayBeKnown(db, file.bytes) && isKnown(db, await sha256)) return { name: file.name, result: 'known already' }
    const onProgress = (bytes: number, records: number) => {
      signal?.throwIfAborted()
      onRead(bytes, records)
    }
    return { ...(await ingestFile(db, file, sha256, { clock, at, serials, onProgress }, segment)), result: 'taken in' }
  } catch (error) {
    const reason = refusalReason(error)
    if (signal?.aborted || reason === null) throw error
    return { name: file.name, result: 'refused', reason }
  }
}

/** The filters of all imports; null if there was none, or if files of a whole register were imported without one. */
function scopeIn(db: DatabaseSync): string | null {
  const files = db
    .prepare('SELECT name FROM file')
    .all()
    .map(({ name }) => splitName(String(name)))
  const isWhole = files.some(({ file, filter }) => filter === '' && /^apc\d{8}-\d{8}-/.test(file))
  const filters = new Set(files.map(({ filter }) => filter).filter((filter) => filter !== ''))
  return isWhole || filters.size === 0 ? null : `only ${[...filters].toSorted().join(', or ')}`
}

/** Ids of versions superseded by the ids in (from, to], rising. */
const supersededBetween = (db: DatabaseSync, from: number, to: number): Uint32Array =>
  Uint32Array.from(
    db.prepare('SELECT id FROM superseded WHERE by_id > ? AND by_id <= ? ORDER BY id').all(from, to),
    ({ id }) => Number(id),
  )

async function addTombstonesTo(
  folder: string,
  segments: readonly SegmentEntry[],
  gone: Uint32Array,
  words: ImportSegment['words'],
  at: HitFailpoint,
) {
  if (gone.length === 0) return segments
  const records = openRecordStore(folder)
  try {
    return segments.map((segment) => addTombstones(folder, segment, gone, { records, words }, at))
  } finally {
    records.close()
  }
}
