import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Worker } from 'node:worker_threads'
import { readInto, type ReadingOptions } from '../../sources/office-xml/read-register.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import { startThread } from '../thread.ts'
import { createPortionWriter, type Portion } from './portion.ts'

export type ToReadWorker = { readonly read: string } | { readonly more: true }
export type FromReadWorker =
  | { readonly portion: Portion; readonly done: number; readonly total: number }
  | { readonly end: true }
  | { readonly refused: string; readonly code: string | null }

/** Smaller files are read in this thread: starting a worker takes longer. */
const MIN_THREAD_BYTES = 16 * 1024 * 1024
/** Backpressure: portions that a worker may send before the first is acknowledged. */
export const MAX_PORTIONS_AHEAD = 8

/** SHA-256 of a file. In this thread: it takes a thousandth of the time that reading the records does. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { ...(signal && { signal }) })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
  return hash.digest('hex')
}

/** The records of a file, encoded. A large file is read in a worker. */
export async function* readRecords(
  path: string,
  bytes: number,
  { onProgress, signal }: ReadingOptions,
  minThreadBytes = MIN_THREAD_BYTES,
): AsyncGenerator<Portion> {
  if (bytes < minThreadBytes)
    return yield* readPortions(path, { ...(onProgress && { onProgress }), ...(signal && { signal }) })
  const worker = takeReader()
  let isDone = false
  try {
    send(worker, { read: path })
    for await (const message of messagesOf(worker, signal)) {
      if ('end' in message) {
        isDone = true
        return
      }
      if (!('portion' in message)) continue
      send(worker, { more: true })
      onProgress?.(message.done, message.total)
      yield message.portion
    }
    throw new Error('The worker that reads a file ended before it was done.')
  } finally {
    if (isDone) keepReader(worker)
    else await worker.terminate()
  }
}

/** Reads a file in this thread. */
export async function* readPortions(path: string, options: ReadingOptions): AsyncGenerator<Portion> {
  const writer = createPortionWriter()
  for await (const _chunk of readInto(path, writer, options)) yield* writer.take(false)
  yield* writer.take(true)
}

/**
 * The reader of the last file, for the next one: an import of the whole register reads a hundred files, and starting a worker
 * takes half a second. It ends when no further file comes, and does not keep the process alive.
 */
let idleReader: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | null = null
const IDLE_TIMEOUT_MS = 5_000

function takeReader(): Worker {
  const idle = idleReader
  idleReader = null
  if (!idle) return startThread(new URL('read-worker.ts', import.meta.url), null)
  clearTimeout(idle.timer)
  idle.worker.removeAllListeners('error').removeAllListeners('exit').ref()
  return idle.worker
}

function keepReader(worker: Worker): void {
  if (idleReader) return void worker.terminate()
  const forget = () => {
    if (idleReader?.worker === worker) idleReader = null
  }
  worker.on('error', forget).on('exit', forget).unref()
  const timer = setTimeout(() => {
    forget()
    void worker.terminate()
  }, IDLE_TIMEOUT_MS).unref()
  idleReader = { worker, timer }
}

function send(worker: Worker, message: ToReadWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message)
}

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
  const receive = (message: FromReadWorker) => {
    queue.push(message)
    wake()
  }
  const exit = () => end(null)
  worker.on('message', receive).on('error', end).on('exit', exit)
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
    worker.off('message', receive).off('error', end).off('exit', exit)
  }
}

const refusal = ({ refused, code }: { readonly refused: string; readonly code: string | null }) =>
  code === null ? new RegisterError(refused) : Object.assign(new Error(refused), { code })
