/** Builds one segment in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { buildInline, type FromThread, type ToThread } from './segment-build.ts'

/** Added between two words of how far it is. */
const PORTION = 10_000

const { folder } = workerData as { readonly folder: string }
const building = buildInline(folder)
let added = 0
let hasFailed = false

parentPort!.on('message', (message: ToThread) => {
  if (hasFailed) return
  if ('write' in message) return void building.write(message.write).then((built) => say({ built }), fail)
  try {
    if ('rows' in message) {
      building.addRows(message.rows)
      say({ added: (added += message.rows.count) })
    } else
      for (let at = 0; at < message.add.length; at += PORTION) {
        const ids = message.add.subarray(at, at + PORTION)
        building.add(ids)
        say({ added: (added += ids.length) })
      }
  } catch (error) {
    fail(error)
  }
})

function fail(error: unknown): void {
  hasFailed = true
  say({ failed: error instanceof Error ? error.message : String(error) })
}

function say(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message)
}
