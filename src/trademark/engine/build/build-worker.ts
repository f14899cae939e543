/** Worker: builds one segment. */
import { parentPort, workerData } from 'node:worker_threads'
import { buildInline, type FromBuildWorker, type ToBuildWorker } from './segment-build.ts'

/** Records read from the store between two progress messages. */
const STORED_PROGRESS_RECORDS = 10_000
/** Records of batches between two of them: each wakes the main thread, which waits for far more before it holds back. */
const BATCH_PROGRESS_RECORDS = 2_000

const { folder } = workerData as { readonly folder: string }
const building = buildInline(folder)
let added = 0
let posted = 0
let hasFailed = false

parentPort!.on('message', (message: ToBuildWorker) => {
  if (hasFailed) return
  if ('write' in message) return void building.write(message.write).then((built) => post({ built }), fail)
  try {
    if ('rows' in message) {
      building.addBatch(message.rows)
      added += message.rows.count
      if (added - posted >= BATCH_PROGRESS_RECORDS) post({ added: (posted = added) })
    } else
      for (let at = 0; at < message.add.length; at += STORED_PROGRESS_RECORDS) {
        const ids = message.add.subarray(at, at + STORED_PROGRESS_RECORDS)
        building.add(ids)
        post({ added: (posted = added += ids.length) })
      }
  } catch (error) {
    fail(error)
  }
})

function fail(error: unknown): void {
  hasFailed = true
  post({ failed: error instanceof Error ? error.message : String(error) })
}

function post(message: FromBuildWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message)
}
