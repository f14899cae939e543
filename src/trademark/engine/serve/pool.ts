import type { Worker } from 'node:worker_threads'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Page } from '../../search-index.ts'
import type { Manifest } from '../manifest.ts'
import { loadIndex } from './load.ts'
import type { LoadedIndex, SearchRequest, SearchResponse, ToSearchWorker } from './messages.ts'
import { startThread } from '../thread.ts'

/** The manifest in the folder; each new one gets the next number. */
type PublishedIndex = { readonly manifest: Manifest | null; readonly number: number }
/** The index in memory that is searched. */
type ServedIndex = { readonly manifest: Manifest; readonly number: number; readonly loaded: LoadedIndex }
/** A page and the manifest of the index it comes from. */
type PoolResult = { readonly page: Page; readonly manifest: Manifest }
type Task = {
  readonly request: SearchRequest
  readonly resolve: (result: PoolResult) => void
  readonly reject: (error: unknown) => void
  /** The index in which this task failed because a record was deleted. */
  failedIn: ServedIndex | null
  /** The task waits until this index is open: the one that was published when it arrived. 0 to not wait. */
  waitsFor: number
}
/** A place for one worker thread; `opened` is the index it searches. */
type WorkerSlot = { worker: Worker | null; task: Task | null; opened: ServedIndex | null }

export type Pool = {
  run(request: SearchRequest, signal?: AbortSignal): Promise<PoolResult>
  /** The manifest of the index that is searched, or that the first search will open; null if there is no index. */
  current(): Manifest | null
  /** Starts to load the index in the folder, unless it is loaded already. */
  refresh(): void
  /** Resolves once the index in the folder is the one that is searched; rejects if it cannot be loaded. */
  ready(): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly threads: number
  /** Further searches are rejected. */
  readonly maxQueue: number
  /** Called when a newer index cannot be used and the previous one stays in use. */
  readonly onLoadError: (error: Error) => void
  /** Maximum wait of a search for an index that was published before it arrived. */
  readonly openTimeoutMs: number
  readonly load?: typeof loadIndex
}

/** A search's garbage is short-lived: a small young generation saves 100 MB per thread without slowing searches down. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 16 }

/**
 * A pool of worker threads that share one index in memory, one search per thread at a time. A newer index is loaded beside
 * the current one. A search that arrives after it was published waits for it, so that it finds what was just imported. It
 * waits for a limited time, and only while the queue is not full; then it runs in the old index. An aborted search rejects at
 * once, while its thread finishes the work.
 */
export function createPool(folder: string, manifest: () => Manifest | null, options: Options): Pool {
  const load = options.load ?? loadIndex
  const slots: WorkerSlot[] = Array.from({ length: options.threads }, () => ({
    worker: null,
    task: null,
    opened: null,
  }))
  const queue = new Set<Task>()
  let served: ServedIndex | null = null
  let loading: Promise<void> | null = null
  let published: PublishedIndex = { manifest: null, number: 0 }
  /** The index that could not be loaded; `number` is 0 if loading it should be tried again. */
  let failed: { readonly number: number; readonly error: Error } | null = null
  let isClosed = false

  function refresh(): void {
    if (isClosed) return
    try {
      const current = manifest()
      if (current !== published.manifest) published = { manifest: current, number: published.number + 1 }
      const { number } = published
      if (loading || !current || number === served?.number || number === failed?.number) return
      const found = load(folder, current, served?.loaded ?? null)
      if (!(found instanceof Promise)) return serve({ manifest: current, number, loaded: found })
      loading = found
        .then(
          (loaded) => serve({ manifest: current, number, loaded }),
          (error: Error) => fail(error, number),
        )
        .finally(() => {
          loading = null
          dispatch()
        })
    } catch (error) {
      fail(error as Error, 0)
    }
  }

  /** The index that a search arriving now waits for. Equal snapshots, merged or not, give equal results. */
  const newestNumber = () => (published.manifest?.snapshot === served?.manifest.snapshot ? 0 : published.number)
  const isWaiting = (task: Task) => loading !== null && served !== null && served.number < task.waitsFor
  function stopWaiting(tasks: Iterable<Task>): void {
    for (const task of tasks) task.waitsFor = 0
    dispatch()
  }

  function serve(newer: ServedIndex): void {
    served = newer
    failed = null
    // Idle threads must release the memory of the old index, too.
    for (const slot of slots) if (slot.worker && !slot.task) openServed(slot)
  }

  function fail(error: Error, number: number): void {
    const isNewError = failed?.error.message !== error.message
    failed = { number, error }
    if (isNewError && served) options.onLoadError(error)
  }

  function startWorker(slot: WorkerSlot): Worker {
    const worker = startThread(new URL('worker.ts', import.meta.url), null, WORKER_LIMITS)
    const onExit = (error?: unknown) => {
      // A dead thread is replaced at the next search; only its current search fails.
      if (slot.worker !== worker) return
      slot.worker = null
      slot.opened = null
      endTask(slot, (task) => task.reject(unavailable('The search thread ended unexpectedly.', error)))
    }
    worker.on('message', (response: SearchResponse) => endTask(slot, (task) => settle(task, response, slot.opened!)))
    worker.on('error', onExit)
    worker.on('exit', () => onExit())
    worker.unref()
    return worker
  }

  /** If a record was deleted meanwhile, the task is queued once more, for a newer index. */
  function settle(task: Task, response: SearchResponse, index: ServedIndex): void {
    if (response.ok) return task.resolve({ page: response.page, manifest: index.manifest })
    if (!response.isGone || isClosed || task.failedIn === index)
      return task.reject(unavailable('The trademark index did not answer.', response.reason))
    task.failedIn = index
    queue.add(task)
  }

  function endTask(slot: WorkerSlot, settleTask: (task: Task) => void): void {
    const { task } = slot
    slot.task = null
    slot.worker?.unref()
    if (task) settleTask(task)
    dispatch()
  }

  /** Makes the thread of this slot open the served index. */
  function openServed(slot: WorkerSlot): void {
    if (slot.opened === served) return
    slot.opened = served
    send(slot.worker!, { open: served!.loaded })
  }

  /** Gives queued tasks to free threads. */
  function dispatch(): void {
    if (isClosed) return
    refresh()
    if (!served && !loading) return rejectQueue(failed?.error)
    for (const task of queue) {
      if (served === null || isWaiting(task) || (task.failedIn === served && loading)) continue
      const slot = slots.find((one) => one.task === null && one.worker) ?? slots.find((one) => one.task === null)
      if (!slot) return
      queue.delete(task)
      slot.task = task
      slot.worker ??= startWorker(slot)
      slot.worker.ref()
      openServed(slot)
      send(slot.worker, { search: task.request })
    }
  }

  function rejectQueue(error?: Error): void {
    const all = [...queue]
    queue.clear()
    const message = error ? 'The trademark index cannot be used.' : 'No trademark index is loaded.'
    for (const task of all) task.reject(unavailable(message, error))
  }

  return {
    run: (request, signal) =>
      new Promise<PoolResult>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        if (isClosed) return reject(unavailable('The trademark index is closed.'))
        refresh()
        if (queue.size >= options.maxQueue) stopWaiting(queue)
        if (queue.size >= options.maxQueue)
          return reject(unavailable('Search queue full, retry in a second.', undefined, 1000))
        const onAbort = () => {
          clearTimeout(timer)
          queue.delete(task)
          reject(signal!.reason as Error)
        }
        const cleanUp = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
        }
        const task: Task = {
          request,
          resolve: (result) => (cleanUp(), resolve(result)),
          reject: (error) => (cleanUp(), reject(error)),
          failedIn: null,
          waitsFor: newestNumber(),
        }
        const timer = isWaiting(task) ? setTimeout(() => stopWaiting([task]), options.openTimeoutMs) : undefined
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.add(task)
        dispatch()
      }),
    current() {
      if (!served) return manifest()
      refresh()
      return served.manifest
    },
    refresh: dispatch,
    async ready() {
      for (;;) {
        refresh()
        if (!loading) break
        await loading
      }
      const current = manifest()
      if (current && current !== served?.manifest) throw failed?.error ?? new Error('The trademark index is closed.')
    },
    async close() {
      isClosed = true
      const error = unavailable('The trademark index is closed.')
      for (const task of queue) task.reject(error)
      queue.clear()
      await Promise.all([loading, ...slots.map(async (slot) => slot.worker?.terminate())])
    },
  }
}

function send(worker: Worker, message: ToSearchWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message)
}

const unavailable = (message: string, cause?: unknown, retryAfterMs?: number) =>
  new UpstreamError('unavailable', message, { cause, retryAfterMs })
