import { parentPort, workerData } from 'node:worker_threads'
import { openLedgerFile } from './file.ts'

/** Creates, checks and migrates the ledger's file in a thread, and says what is wrong with it; null if nothing is. */

const { path } = workerData as { readonly path: string }
const check = (): string | null => {
  try {
    openLedgerFile(path).close()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(check())
