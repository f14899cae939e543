import { UpstreamError } from '../../../kernel/errors.ts'
import type { Page } from '../../search-index.ts'
import type { Manifest } from '../manifest.ts'
import { followIndex, type ServedIndex } from './follow-index.ts'
import { loadIndex } from './load.ts'
import type { SearchRequest, SearchResponse } from './messages.ts'
import { createSearchThreads } from './search-threads.ts'

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

/**
 * A pool of worker threads that share one index in memory, one search per thread at a time. A newer index is loaded beside
 * the current one. A search that arrives after it was published waits for it, so that it finds what was just imported. It
 * waits for a limited time, and only while the queue is not full; then it runs in the old index. An aborted search rejects at
 * once, while its thread finishes the work.
 */
export function createPool(folder: string, manifest: () => Manifest | null, options: Options): Pool {
  const queue = new Set<Task>()
  const index = followIndex(folder, manifest, {
    load: options.load ?? loadIndex,
    onLoadError: options.onLoadError,
    onServe: (newer) => threads.openInIdle(newer),
    onLoadEnd: dispatch,
  })
  const threads = createSearchThreads<Task>(options.threads, {
    onResponse: settle,
    onCrash: (task, error) => task.reject(unavailable('The search thread ended unexpectedly.', error)),
    onFree: dispatch,
  })
  let isClosed = false

  function isWaiting(task: Task): boolean {
    const served = index.served()
    return index.isLoading() && served !== null && served.number < task.waitsFor
  }

  function stopWaiting(tasks: Iterable<Task>): void {
    for (const task of tasks) task.waitsFor = 0
    dispatch()
  }

  /** If a record was deleted meanwhile, the task is queued once more, for a newer index. */
  function settle(task: Task, response: SearchResponse, searched: ServedIndex): void {
    if (response.ok) return task.resolve({ page: response.page, manifest: searched.manifest })
    if (!response.isGone || isClosed || task.failedIn === searched)
      return task.reject(unavailable('The trademark index did not answer.', response.reason))
    task.failedIn = searched
    queue.add(task)
  }

  /** Gives queued tasks to free threads. */
  function dispatch(): void {
    if (isClosed) return
    index.refresh()
    const served = index.served()
    if (served === null) return index.isLoading() ? undefined : rejectQueue(index.error())
    for (const task of queue) {
      if (isWaiting(task) || (task.failedIn === served && index.isLoading())) continue
      const slot = threads.findFree()
      if (!slot) return
      queue.delete(task)
      threads.run(slot, task, served)
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
        index.refresh()
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
          waitsFor: index.newestNumber(),
        }
        const timer = isWaiting(task) ? setTimeout(() => stopWaiting([task]), options.openTimeoutMs) : undefined
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.add(task)
        dispatch()
      }),
    current: index.current,
    refresh: dispatch,
    ready: index.ready,
    async close() {
      isClosed = true
      const error = unavailable('The trademark index is closed.')
      for (const task of queue) task.reject(error)
      queue.clear()
      await Promise.all([index.close(), threads.terminate()])
    },
  }
}

const unavailable = (message: string, cause?: unknown, retryAfterMs?: number) =>
  new UpstreamError('unavailable', message, { cause, retryAfterMs })
