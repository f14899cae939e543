import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSegmentWriter } from '../format/segment-writer.ts'
import type { WrittenFile } from '../format/segment-file.ts'
import { startThread } from '../thread.ts'
import { decodeIndexed } from '../format/records/body.ts'
import { openRecordStore } from '../format/records/record-store.ts'
import type { RecordBatch } from './record-batch.ts'

export type Built = WrittenFile & { readonly documents: number }

/** A segment that is being built. Versions are added in the order of their ids. */
export type SegmentBuild = {
  /** Adds versions from the record store. */
  add(ids: Uint32Array): void
  /** Adds versions that are not committed yet. The batch is transferred and must not be used afterwards. */
  addBatch(batch: RecordBatch): void
  /** Writes the segment file. */
  write(path: string): Promise<Built>
  close(): Promise<void>
}

export type ToBuildWorker = { readonly add: Uint32Array } | { readonly rows: RecordBatch } | { readonly write: string }
export type FromBuildWorker = { readonly added: number } | { readonly built: Built } | { readonly failed: string }

/** Builds in this thread: for few records. */
export function buildInline(folder: string): SegmentBuild {
  const records = openRecordStore(folder)
  const builder = createSegmentWriter(join(folder, 'tokens.new'))
  return {
    add: (ids) => records.readMany(ids, (body, id) => builder.add(decodeIndexed(body), id)),
    addBatch({ firstId, count, bytes, offsets }) {
      for (let at = 0; at < count; at++) builder.add(decodeIndexed(bytes, offsets[at]), firstId + at)
    },
    write: async (path) => {
      rmSync(path, { force: true })
      return builder.write(path)
    },
    close: async () => records.close(),
  }
}

/**
 * Builds in a worker thread. `onAdded` gets the number of records added so far, or Infinity after a failure; `write` then
 * rejects.
 */
export function buildInThread(folder: string, onAdded: (records: number) => void): SegmentBuild {
  const worker = startThread(new URL('build-worker.ts', import.meta.url), { folder })
  const end = Promise.withResolvers<Built>()
  // A failure is reported by `write`; until then it only ends the backpressure.
  end.promise.catch(() => onAdded(Infinity))
  worker.on('message', (message: FromBuildWorker) => {
    if ('added' in message) onAdded(message.added)
    else if ('built' in message) end.resolve(message.built)
    else end.reject(new Error(message.failed))
  })
  worker.on('error', end.reject)
  worker.on('exit', () => end.reject(new Error('The worker that builds a segment ended before it was done.')))
  const send = (message: ToBuildWorker, transferred: readonly ArrayBuffer[] = []) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message, transferred)
  }
  return {
    add: (ids) => send({ add: ids }),
    addBatch: (rows) => send({ rows }, [rows.bytes.buffer, rows.offsets.buffer]),
    write: (path) => {
      send({ write: path })
      return end.promise
    },
    async close() {
      const ended = once(worker, 'exit')
      await worker.terminate()
      await ended.catch(() => {})
    },
  }
}
