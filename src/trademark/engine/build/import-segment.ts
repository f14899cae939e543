import type { TrademarkRecord } from '../../record.ts'
import type { SegmentEntry } from '../manifest.ts'
import { buildInline, buildInThread, type SegmentBuild } from './segment-build.ts'
import { noFailpoint } from './failpoints.ts'
import { writeSegment } from './publish.ts'
import type { RecordBatch } from './record-batch.ts'
import { markWordsOf } from './tombstones.ts'
import type { BuildOptions } from './options.ts'

/** Where `BuildOptions` does not say it. */
export const MAX_INLINE_RECORDS = 5000
/** How many records may be on their way to the thread. */
const MAX_QUEUED_RECORDS = 50_000
/** Enough for some daily files; where more is superseded, it is read again. */
const MAX_REMEMBERED_MARKS = 100_000

/**
 * The segment of what an import brings, from this id on. Once there is much for it, a thread builds it while more is being
 * read; it cannot know what will be superseded by a later file of the same import.
 */
export function createImportSegment(
  folder: string,
  from: number,
  { onProgress, signal, at = noFailpoint, maxInlineRecords = MAX_INLINE_RECORDS }: BuildOptions,
) {
  let building: SegmentBuild | null = null
  /** All versions up to this one are in the building. */
  let sent = from
  /** All versions up to this one belong to files that were taken in whole. */
  let kept = from
  /** What came after those. */
  let waiting: RecordBatch[] = []
  let count = 0
  let added = 0
  let hasRoom = () => {}
  let isReading = true

  function onAdded(records: number): void {
    added = records
    hasRoom()
    if (!isReading && records <= count)
      onProgress?.({ phase: 'indexing', name: '', done: records, total: count, records: count })
  }

  function start(): SegmentBuild {
    const one: SegmentBuild = buildInThread(folder, (records) => building === one && onAdded(records))
    return one
  }

  /** All versions up to this one; those that are not at hand are in the records. */
  function send(lastId: number): void {
    if (lastId === sent) return
    building ??= start()
    const first = waiting[0]?.firstId ?? lastId + 1
    if (first > sent + 1) building.add(idsBetween(sent, first - 1))
    for (const rows of waiting) building.addRows(rows)
    waiting = []
    count += lastId - sent
    sent = lastId
  }

  /** Of versions that were superseded, the words of their marks: they were at hand, and are wanted at the end. */
  const words = new Map<number, readonly string[]>()
  return {
    words,
    addTombstones(id: number, known: TrademarkRecord): void {
      if (words.size < MAX_REMEMBERED_MARKS) words.set(id, markWordsOf(known))
    },
    put(rows: RecordBatch): void {
      const lastId = rows.firstId + rows.count - 1
      waiting.push(rows)
      if (building || lastId - sent >= maxInlineRecords) send(lastId)
    },
    /** Resolves when the thread has caught up, so that what it has yet to do does not pile up. */
    async room(): Promise<void> {
      if (count - added < MAX_QUEUED_RECORDS) return
      await new Promise<void>((resolve) => (hasRoom = () => count - added < MAX_QUEUED_RECORDS && resolve()))
    },
    /** The file is taken in: all versions up to this one stay. */
    keep(lastId: number): void {
      kept = lastId
      if (lastId - sent >= maxInlineRecords) send(lastId)
    },
    /** The file is not taken in: what was put since the last that was, was never there. */
    async drop(): Promise<void> {
      waiting = waiting.filter(({ firstId }) => firstId <= kept)
      // Their ids will be those of others.
      for (const id of words.keys()) if (id > kept) words.delete(id)
      if (sent <= kept) return
      const spoiled = building
      building = null
      await spoiled?.close()
      sent = from
      count = added = 0
      waiting = []
      if (kept - sent >= maxInlineRecords) send(kept)
    },
    /** The segment with all versions up to this one; those that are gone may be in it. */
    async finish(lastId: number, gone: Uint32Array): Promise<SegmentEntry> {
      isReading = false
      if (building) send(lastId)
      else {
        const without = new Set(gone)
        building = buildInline(folder)
        building.add(idsBetween(from, lastId).filter((id) => !without.has(id)))
      }
      return abortable(writeSegment(folder, building, at), signal)
    },
    close: async () => building?.close(),
  }
}

export type ImportSegment = ReturnType<typeof createImportSegment>

const idsBetween = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, at) => from + 1 + at)

/** Whoever gives up need not wait for a thread. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  work.catch(() => {})
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
