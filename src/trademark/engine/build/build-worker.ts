/** Worker: builds one segment. */
import { parentPort, workerData } from 'node:worker_threads'
import { buildInline, type FromBuildWorker, type ToBuildWorker } from './segment-build.ts'

/** Records added between two progress messages. */
const PROGRESS_RECORDS = 10_000

const { folder } = workerData as { readonly folder: string }
const building = buildInline(folder)
let added = 0
let hasFailed = false

parentPort!.on('message', (message: ToBuildWorker) => {
  if (hasFailed) return
  if ('write' in message) return void building.write(message.write).then((built) => post({ built }), fail)
  try {
    if ('rows' in message) {
      building.addBatch(message.rows)
      post({ added: (added += message.rows.count) })
    } else
      for (let at = 0; at < message.add.length; at += PROGRESS_RECORDS) {
        const ids = message.add.subarray(at, at + PROGRESS_RECORDS)
        building.add(ids)
        post({ added: (added += ids.length) })
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
