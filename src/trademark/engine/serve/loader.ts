/** Worker thread: loads gigabytes of index files into shared memory without blocking the event loop, then ends. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openRecordStore } from '../format/records/record-store.ts'
import { readSections } from '../format/segment-file.ts'
import type { FromLoader, ToLoader } from './messages.ts'

const { folder, lastId, parts } = workerData as ToLoader

let answer: FromLoader
try {
  openRecordStore(folder, lastId).close()
  answer = { ok: true, files: parts.map(({ name, sha256 }) => read(join(folder, name), sha256)) }
} catch (error) {
  answer = { ok: false, reason: sentenceOf(error) }
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage(answer)

function read(path: string, sha256: string) {
  const file = readSections(path)
  if (file.sha256 !== sha256) throw new Error(`${path} is damaged: it is not the file that the index was made with.`)
  return file
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path !== undefined ? `${path} is missing.` : error.message
}
