/** Worker thread: loads gigabytes of index files into shared memory without blocking the event loop, then ends. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openRecordStore } from '../format/records/record-store.ts'
import { readSections } from '../format/segment-file.ts'
import type { FromLoader, ToLoader } from './messages.ts'

const { folder, lastId, parts } = workerData as ToLoader

let message: FromLoader
try {
  openRecordStore(folder, lastId).close()
  message = { ok: true, files: parts.map(({ name, sha256 }) => read(join(folder, name), sha256)) }
} catch (error) {
  message = { ok: false, reason: messageOf(error) }
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage(message)

function read(path: string, sha256: string) {
  const file = readSections(path)
  if (file.sha256 !== sha256) throw new Error(`${path} is damaged: it is not the file that the index was made with.`)
  return file
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path !== undefined ? `${path} is missing.` : error.message
}
