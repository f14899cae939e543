import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createSegmentWriter } from '../format/segment-writer.ts'
import type { WrittenFile } from '../format/segment-file.ts'
import { startThread } from '../thread.ts'
import { decodeBody } from '../format/records/body.ts'
import { openRecordStore } from '../format/records/record-store.ts'
import type { RecordBatch } from './record-batch.ts'

export type Built = WrittenFile & { readonly documents: number }

/** One segment in the making. Whatever is added has higher ids than what was added before. */
export type SegmentBuild = {
  /** Adds versions that are in the records already. */
  add(ids: Uint32Array): void
  /** Adds versions that are on their way there. Nobody else may use them any more. */
  addRows(rows: RecordBatch): void
  /** Puts it into this file. */
  write(path: string): Promise<Built>
  close(): Promise<void>
}

export type ToThread = { readonly add: Uint32Array } | { readonly rows: RecordBatch } | { readonly write: string }
export type FromThread = { readonly added: number } | { readonly built: Built } | { readonly failed: string }

/** Made here and now, of records that are few. */
export function buildInline(folder: string): SegmentBuild {
  const records = openRecordStore(folder)
  const builder = createSegmentWriter()
  return {
    add: (ids) => records.readMany(ids, builder.add),
    addRows({ firstId, count, bytes, places }) {
      for (let at = 0; at < count; at++) builder.add(decodeBody(bytes, places[at]), firstId + at)
    },
    write: async (path) => {
      rmSync(path, { force: true })
      return builder.write(path)
    },
    close: async () => records.close(),
  }
}

/**
 * Made in a thread of its own, while more is being read. `onAdded` is told how many records are in it; infinitely many
 * where it has failed, which shows when it is to be written.
 */
export function buildInThread(folder: string, onAdded: (records: number) => void): SegmentBuild {
  const worker = startThread(new URL('build-worker.ts', import.meta.url), { folder })
  const end = Promise.withResolvers<Built>()
  // Whoever waits for the segment is told; before that nobody needs to be.
  end.promise.catch(() => onAdded(Infinity))
  worker.on('message', (message: FromThread) => {
    if ('added' in message) onAdded(message.added)
    else if ('built' in message) end.resolve(message.built)
    else end.reject(new Error(message.failed))
  })
  worker.on('error', end.reject)
  worker.on('exit', () => end.reject(new Error('The thread that builds a segment has ended.')))
  const send = (message: ToThread, transferred: readonly ArrayBuffer[] = []) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message, transferred)
  }
  return {
    add: (ids) => send({ add: ids }),
    addRows: (rows) => send({ rows }, [rows.bytes.buffer, rows.places.buffer]),
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
