import { mkdirSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { readManifest, type Manifest, type SegmentEntry } from '../manifest.ts'
import { createNewSegment, type NewSegment } from './new-segment.ts'
import { refusalOf } from './files.ts'
import { isKnown, lastIdOf, mayBeKnown, snapshotOf, takeInFile, type Intake, type Taken } from './intake.ts'
import { lockIndex } from './lock.ts'
import { nobody, type At } from './points.ts'
import { checkFiles, removeDrafts, swap } from './publish.ts'
import { createSerials, type Serials } from './serials.ts'
import { openForImport, openRecords, sizeOf } from './records.ts'
import { supersede } from './superseded.ts'
import type { Work } from './work.ts'

export type Told =
  | (Taken & { readonly result: 'taken in' })
  | { readonly name: string; readonly result: 'known already' }
  | { readonly name: string; readonly result: 'refused'; readonly reason: string }

/**
 * Takes files into the index of this folder, which is made where there is none, and makes them searchable. Each file is
 * taken in whole or not at all, and stays so: whatever ends this, the next time goes on with the file it was at. `onTold`
 * hears of each file when it is done.
 */
export async function takeIn(
  folder: string,
  files: readonly Intake[],
  work: Work & { readonly onTold?: (told: Told) => void },
): Promise<Manifest | null> {
  const { at = nobody, signal, clock } = work
  mkdirSync(folder, { recursive: true })
  const unlock = lockIndex(folder)
  try {
    at('locked')
    const before = readManifest(folder)
    checkFiles(folder, before)
    removeDrafts(folder)
    const from = before?.lastId ?? 0
    const db = openForImport(folder, from)
    const segment = createNewSegment(folder, from, work)
    try {
      at('records opened')
      // What was taken in before, and never came to be searched.
      segment.keep(lastIdOf(db))
      await takeInAll(db, files, work, segment)
      at('files taken in')
      signal?.throwIfAborted()
      const lastId = lastIdOf(db)
      if (lastId === from) return before
      const gone = goneBetween(db, from, lastId)
      const [fresh, older] = await Promise.all([
        segment.finish(lastId, gone),
        // Meanwhile, where a thread builds it.
        supersedeIn(folder, before?.segments ?? [], gone, segment.words, at),
      ])
      const segments = [...older, ...(await supersedeIn(folder, [fresh], gone, segment.words, at))]
      const state = { segments, lastId, settledId: from, snapshot: snapshotOf(db), recordsBytes: sizeOf(db) }
      return swap(folder, before, state, clock, at)
    } finally {
      await segment.close()
      db.close()
      at('done')
    }
  } finally {
    unlock()
  }
}

async function takeInAll(
  db: DatabaseSync,
  files: readonly Intake[],
  work: Work & { readonly onTold?: (told: Told) => void },
  segment: NewSegment,
): Promise<void> {
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let bytesBefore = 0
  let recordsBefore = 0
  const serials = createSerials(lastIdOf(db) === 0)
  for (const file of files) {
    work.signal?.throwIfAborted()
    const { name } = file
    const onProgress = (bytes: number, records: number) =>
      work.onProgress?.({ phase: 'reading', name, done: bytesBefore + bytes, total, records: recordsBefore + records })
    const told = await takeInOne(db, file, { ...work, serials, onRead: onProgress }, segment)
    work.onTold?.(told)
    if (told.result === 'taken in') {
      bytesBefore += file.bytes
      recordsBefore += told.records
      segment.keep(lastIdOf(db))
    } else {
      total -= file.bytes
      await segment.drop()
    }
  }
}

type Reading = { readonly serials: Serials; readonly onRead: (bytes: number, records: number) => void }

async function takeInOne(
  db: DatabaseSync,
  file: Intake,
  { clock, at = nobody, signal, serials, onRead }: Work & Reading,
  segment: NewSegment,
): Promise<Told> {
  try {
    const sha256 = file.sha256()
    // Where the file is refused first, nobody asks what became of it.
    sha256.catch(() => {})
    if (mayBeKnown(db, file.bytes) && isKnown(db, await sha256)) return { name: file.name, result: 'known already' }
    const onProgress = (bytes: number, records: number) => {
      signal?.throwIfAborted()
      onRead(bytes, records)
    }
    return { ...(await takeInFile(db, file, sha256, { clock, at, serials, onProgress }, segment)), result: 'taken in' }
  } catch (error) {
    const reason = refusalOf(error)
    if (signal?.aborted || reason === null) throw error
    return { name: file.name, result: 'refused', reason }
  }
}

/** The versions that later ones took the place of, in rising order. */
const goneBetween = (db: DatabaseSync, from: number, to: number): Uint32Array =>
  Uint32Array.from(
    db.prepare('SELECT id FROM superseded WHERE by_id > ? AND by_id <= ? ORDER BY id').all(from, to),
    ({ id }) => Number(id),
  )

async function supersedeIn(
  folder: string,
  segments: readonly SegmentEntry[],
  gone: Uint32Array,
  words: NewSegment['words'],
  at: At,
) {
  if (gone.length === 0) return segments
  const records = openRecords(folder)
  try {
    return segments.map((segment) => supersede(folder, segment, gone, { records, words }, at))
  } finally {
    records.close()
  }
}
