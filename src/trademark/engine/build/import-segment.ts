import type { TrademarkRecord } from '../../record.ts'
import type { SegmentEntry } from '../manifest.ts'
import { buildInline, buildInThread, type SegmentBuild } from './segment-build.ts'
import { noFailpoint } from './failpoints.ts'
import { writeSegment } from './publish.ts'
import type { RecordBatch } from './record-batch.ts'
import { markWordsOf } from './tombstones.ts'
import type { BuildOptions } from './options.ts'

/** Default of `maxInlineRecords`. */
export const MAX_INLINE_RECORDS = 5000
/** Backpressure: records that may be queued for the worker. */
const MAX_QUEUED_RECORDS = 50_000
/** Marks whose words are remembered for tombstones: enough for some daily files. Others are read from the record store. */
const MAX_REMEMBERED_MARKS = 100_000

/**
 * The segment of an import: all versions after the id `from`. Once there are many, a worker builds it while files are still
 * being read. It may then contain versions that a later file of the same import supersedes; they get tombstones.
 */
export function createImportSegment(
  folder: string,
  from: number,
  { onProgress, signal, at = noFailpoint, maxInlineRecords = MAX_INLINE_RECORDS }: BuildOptions,
) {
  let build: SegmentBuild | null = null
  /** Versions up to this id were sent to the build. */
  let sent = from
  /** Versions up to this id belong to committed files. */
  let committed = from
  /** Batches that were not sent yet. */
  let unsent: RecordBatch[] = []
  let count = 0
  let added = 0
  let onDrain = () => {}
  let isReading = true

  function onAdded(records: number): void {
    added = records
    onDrain()
    if (!isReading && records <= count)
      onProgress?.({ phase: 'indexing', name: '', done: records, total: count, records: count })
  }

  function start(): SegmentBuild {
    const one: SegmentBuild = buildInThread(folder, (records) => build === one && onAdded(records))
    return one
  }

  /** Sends all versions up to this id; those that are not in an unsent batch are read from the record store. */
  function send(lastId: number): void {
    if (lastId === sent) return
    build ??= start()
    const first = unsent[0]?.firstId ?? lastId + 1
    if (first > sent + 1) build.add(idsBetween(sent, first - 1))
    for (const rows of unsent) build.addBatch(rows)
    unsent = []
    count += lastId - sent
    sent = lastId
  }

  /** Words of superseded marks by id, for the tombstone files. */
  const words = new Map<number, readonly string[]>()
  return {
    words,
    addTombstones(id: number, known: TrademarkRecord): void {
      if (words.size < MAX_REMEMBERED_MARKS) words.set(id, markWordsOf(known))
    },
    put(rows: RecordBatch): void {
      const lastId = rows.firstId + rows.count - 1
      unsent.push(rows)
      if (build || lastId - sent >= maxInlineRecords) send(lastId)
    },
    /** Resolves when the worker has caught up. */
    async drained(): Promise<void> {
      if (count - added < MAX_QUEUED_RECORDS) return
      await new Promise<void>((resolve) => (onDrain = () => count - added < MAX_QUEUED_RECORDS && resolve()))
    },
    /** The file is committed, up to this id. */
    commit(lastId: number): void {
      committed = lastId
      if (lastId - sent >= maxInlineRecords) send(lastId)
    },
    /** The file was rolled back: discard everything since the last committed file. */
    async rollBack(): Promise<void> {
      unsent = unsent.filter(({ firstId }) => firstId <= committed)
      // The next file reuses these ids.
      for (const id of words.keys()) if (id > committed) words.delete(id)
      if (sent <= committed) return
      const discarded = build
      build = null
      await discarded?.close()
      sent = from
      count = added = 0
      unsent = []
      if (committed - sent >= maxInlineRecords) send(committed)
    },
    /** Writes the segment with all versions up to this id; it may contain superseded ones. */
    async finish(lastId: number, gone: Uint32Array): Promise<SegmentEntry> {
      isReading = false
      if (build) send(lastId)
      else {
        const without = new Set(gone)
        build = buildInline(folder)
        build.add(idsBetween(from, lastId).filter((id) => !without.has(id)))
      }
      return abortable(writeSegment(folder, build, at), signal)
    },
    close: async () => build?.close(),
  }
}

export type ImportSegment = ReturnType<typeof createImportSegment>

const idsBetween = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, at) => from + 1 + at)

/** Rejects as soon as the signal aborts, without waiting for the work. */
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
