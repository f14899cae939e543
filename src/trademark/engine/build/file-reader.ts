import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Worker } from 'node:worker_threads'
import { isSparse, type Sparse } from '../../sources/office-xml/extract.ts'
import { readPortions, type ReadingOptions } from '../../sources/office-xml/read-register.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import type { TrademarkRecord } from '../../record.ts'
import { startThread } from '../thread.ts'
import { maxBodyBytes, encodeBody, decodeBody } from '../format/records/body.ts'

type ReadRecord = TrademarkRecord | Sparse

/** Records on their way between threads: encoded bodies one after the other, and the details of sparse ones. */
export type Portion = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
  readonly sparse: readonly {
    readonly at: number
    readonly details: Omit<Sparse, 'record'>
    readonly isEmpty: boolean
  }[]
}

export type Job = { readonly path: string; readonly job: 'hash' | 'read' }
export type FromReadWorker =
  | { readonly sha256: string }
  | { readonly portion: Portion; readonly done: number; readonly total: number }
  | { readonly end: true }
  | { readonly refused: string; readonly code: string | null }

/** Smaller files are read in this thread: starting a worker takes longer. */
const MIN_THREAD_BYTES = 16 * 1024 * 1024
/** Backpressure: portions that a worker may send before the first is acknowledged. */
export const MAX_PORTIONS_AHEAD = 8

/** SHA-256 of a file; a large file is hashed in a worker while it is being read. */
export async function hashFile(
  path: string,
  bytes: number,
  signal?: AbortSignal,
  minThreadBytes = MIN_THREAD_BYTES,
): Promise<string> {
  if (bytes < minThreadBytes) return hashInline(path, signal)
  const worker = startReader({ path, job: 'hash' })
  // If the file is refused meanwhile, the process need not wait for the hash.
  worker.unref()
  try {
    for await (const message of messagesOf(worker, signal)) if ('sha256' in message) return message.sha256
    throw new Error('The worker that reads a file ended before it was done.')
  } finally {
    await worker.terminate()
  }
}

export async function hashInline(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { ...(signal && { signal }) })
  return hash.digest('hex')
}

/** The records of a file as `readPortions` gives them; a large file is read in a worker. */
export async function* readRecords(
  path: string,
  bytes: number,
  { onProgress, signal }: ReadingOptions,
  minThreadBytes = MIN_THREAD_BYTES,
): AsyncGenerator<readonly ReadRecord[]> {
  if (bytes < minThreadBytes)
    return yield* readPortions(path, { ...(onProgress && { onProgress }), ...(signal && { signal }) })
  const worker = startReader({ path, job: 'read' })
  try {
    for await (const message of messagesOf(worker, signal)) {
      if ('end' in message) return
      if (!('portion' in message)) continue
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('more')
      onProgress?.(message.done, message.total)
      yield decodePortion(message.portion)
    }
    throw new Error('The worker that reads a file ended before it was done.')
  } finally {
    await worker.terminate()
  }
}

const startReader = (job: Job) => startThread(new URL('read-worker.ts', import.meta.url), job)

/** The messages of a worker until it exits; throws its error. */
async function* messagesOf(worker: Worker, signal: AbortSignal | undefined): AsyncGenerator<FromReadWorker> {
  const queue: FromReadWorker[] = []
  let ended: { readonly error: unknown } | null = null
  let wake = () => {}
  const end = (error: unknown) => {
    ended ??= { error }
    wake()
  }
  const abort = () => end(signal!.reason)
  worker.on('message', (message: FromReadWorker) => {
    queue.push(message)
    wake()
  })
  worker.on('error', end)
  worker.on('exit', () => end(null))
  signal?.addEventListener('abort', abort, { once: true })
  try {
    for (;;) {
      signal?.throwIfAborted()
      const message = queue.shift()
      if (message && 'refused' in message) throw refusal(message)
      if (message) yield message
      else if (ended !== null) {
        const { error } = ended as { readonly error: unknown }
        if (error === null) return
        throw error
      } else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

const refusal = ({ refused, code }: { readonly refused: string; readonly code: string | null }) =>
  code === null ? new RegisterError(refused) : Object.assign(new Error(refused), { code })

export function encodePortion(found: readonly ReadRecord[]): Portion {
  const ends = new Uint32Array(found.length)
  const sparse: Portion['sparse'][number][] = []
  let maxBytes = 0
  for (const one of found) if (recordOf(one)) maxBytes += maxBodyBytes(recordOf(one)!)
  const bytes = Buffer.allocUnsafeSlow(maxBytes)
  let end = 0
  for (const [at, one] of found.entries()) {
    const record = recordOf(one)
    if (record) end = encodeBody(record, bytes, end)
    ends[at] = end
    if (!isSparse(one)) continue
    const { record: _record, ...details } = one
    sparse.push({ at, details, isEmpty: record === null })
  }
  return { bytes, ends, sparse }
}

const recordOf = (found: ReadRecord) => (isSparse(found) ? found.record : found)

export function decodePortion({ bytes, ends, sparse }: Portion): ReadRecord[] {
  const found: ReadRecord[] = []
  let next = 0
  for (let at = 0; at < ends.length; at++) {
    const begin = at === 0 ? 0 : ends[at - 1]!
    const of = sparse[next]?.at === at ? sparse[next++]! : null
    const record = of?.isEmpty ? null : decodeBody(bytes, begin)
    found.push(of ? { ...of.details, record } : record!)
  }
  return found
}
