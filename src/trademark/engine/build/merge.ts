import type { DatabaseSync } from 'node:sqlite'
import { readManifest, type SegmentEntry, type SegmentsManifest } from '../manifest.ts'
import { buildInline, buildInThread } from './segment-build.ts'
import { lockIndex } from './lock.ts'
import { MAX_INLINE_RECORDS, abortable } from './import-segment.ts'
import { noFailpoint } from './failpoints.ts'
import { chooseMerge } from './merge-policy.ts'
import { requireFiles, liveDocuments, writeSegment, removeTemporaryFiles, publish } from './publish.ts'
import { openRecordsForWriting, sizeOf } from '../format/records/record-store.ts'
import { loadTombstoneBits, loadIds, isBitSet } from '../format/tombstones.ts'
import type { BuildOptions } from './options.ts'

/**
 * Merges segments as the merge policy asks, and deletes record versions that no published index refers to. Answers do not
 * change, and searches go on in the previous segments meanwhile.
 */
export async function mergeSegments(folder: string, work: BuildOptions): Promise<SegmentsManifest | null> {
  const { at = noFailpoint } = work
  if (readManifest(folder) === null) return null
  const unlock = lockIndex(folder)
  try {
    at('locked')
    const found = readManifest(folder)
    if (found === null) return null
    requireFiles(folder, found)
    removeTemporaryFiles(folder)
    const db = openRecordsForWriting(folder, found.lastId)
    try {
      at('records opened')
      let manifest = found
      for (let chosen = chooseMerge(found.segments); chosen.length > 0; chosen = chooseMerge(manifest.segments))
        manifest = await mergeThese(folder, manifest, chosen, sizeOf(db), work)
      await removeSuperseded(db, manifest.settledId, work)
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      at('done')
      return manifest
    } finally {
      db.close()
    }
  } finally {
    unlock()
  }
}

async function mergeThese(
  folder: string,
  before: SegmentsManifest,
  chosen: readonly SegmentEntry[],
  recordsBytes: number,
  { clock, signal, onProgress, at = noFailpoint, maxInlineRecords = MAX_INLINE_RECORDS }: BuildOptions,
): Promise<SegmentsManifest> {
  const ids = liveIdsOf(folder, chosen)
  const report = (done: number) =>
    onProgress?.({ phase: 'merging', name: '', done, total: ids.length, records: ids.length })
  const kept = before.segments.filter((one) => !chosen.includes(one))
  const build = ids.length < maxInlineRecords ? buildInline(folder) : buildInThread(folder, report)
  try {
    build.add(ids)
    const merged = await abortable(writeSegment(folder, build, at), signal)
    const { lastId, settledId, snapshot } = before
    const segments = merged.documents === 0 ? kept : [...kept, merged]
    return publish(folder, before, { segments, lastId, settledId, snapshot, recordsBytes }, clock, at)
  } finally {
    await build.close()
  }
}

/** Ids of the live documents of these segments, rising. */
function liveIdsOf(folder: string, segments: readonly SegmentEntry[]): Uint32Array {
  const all = new Uint32Array(segments.reduce((sum, one) => sum + liveDocuments(one), 0))
  let count = 0
  for (const segment of segments) {
    const bits = loadTombstoneBits(folder, segment)
    for (const [number, id] of loadIds(folder, segment).entries()) if (!isBitSet(bits, number)) all[count++] = id
  }
  return all.sort()
}

/** Rows deleted per transaction; readers get the file in between. */
const DELETE_BATCH_ROWS = 2000

/** Deletes versions that were already superseded in the index before the last import. */
async function removeSuperseded(
  db: DatabaseSync,
  settledId: number,
  { signal, at = noFailpoint }: BuildOptions,
): Promise<void> {
  const some = db.prepare('SELECT by_id, id FROM superseded WHERE by_id <= ? ORDER BY by_id LIMIT ?')
  const record = db.prepare('DELETE FROM record WHERE id = ?')
  const note = db.prepare('DELETE FROM superseded WHERE by_id = ?')
  for (;;) {
    signal?.throwIfAborted()
    const rows = some.all(settledId, DELETE_BATCH_ROWS)
    if (rows.length === 0) break
    db.exec('BEGIN IMMEDIATE')
    for (const row of rows) {
      record.run(Number(row['id']))
      note.run(Number(row['by_id']))
    }
    db.exec('COMMIT')
    at('some old records removed')
    await new Promise(setImmediate)
  }
  at('old records removed')
}
