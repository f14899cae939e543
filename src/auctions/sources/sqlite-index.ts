import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UpstreamError } from '../../kernel/errors.ts'
import type { ListingIndex, ListingPage, ListingQuery } from '../listing-index.ts'
import type { IndexedSale } from '../sale-listing.ts'

/** A search, or the lookup of the listings of one domain. */
export type WorkerQuery = ListingQuery | { readonly saleOf: string }

export type WorkerMessage =
  | { readonly kind: 'found'; readonly found: ListingPage | readonly IndexedSale[] }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Why the file cannot be used, as the end of a sentence; null once it can. */
  | { readonly kind: 'problem'; readonly problem: string | null }
  /** A damaged file was moved aside, and an empty one took its place. */
  | { readonly kind: 'moved'; readonly movedTo: string }

type Options = {
  /** Searches that may wait; further ones are rejected. */
  readonly maxQueue?: number
  readonly onMovedAside?: (movedTo: string) => void
}

export type OpenListingIndex = ListingIndex & {
  /** Starts the worker, so that the first search need not wait for it. */
  warm(): void
  /** Why the auctions cannot be searched, as the end of a sentence; null if nothing is known against it. */
  problem(): string | null
  findSales(domain: string, signal?: AbortSignal): Promise<readonly IndexedSale[]>
}

type PendingSearch = {
  readonly query: WorkerQuery
  settle(found: ListingPage | readonly IndexedSale[]): void
  fail(error: unknown): void
}

/**
 * The index in a SQLite file, searched in a worker thread: a search takes a few milliseconds, which must not block other
 * requests. The worker starts with the first search or with `warm`, and sees what any process writes.
 */
export function openListingIndex(
  path: string,
  { maxQueue = 256, onMovedAside = () => {} }: Options = {},
): OpenListingIndex {
  let problem: string | null = null
  const queue = new Set<PendingSearch>()
  let worker: Worker | null = null
  let task: PendingSearch | null = null
  let isClosed = false

  /** Throws if the folder cannot be created. */
  function start(): Worker {
    // Not in the worker: it may outlive the folder for a moment and must not create it again.
    mkdirSync(dirname(path), { recursive: true })
    const thread = new Worker(new URL('search-worker.ts', import.meta.url), { workerData: { path }, stdin: false })
    const onExit = (error?: unknown) => {
      if (worker !== thread) return
      worker = null
      finish((one) => one.fail(unavailable('The search worker exited.', error)))
    }
    thread.on('message', (message: WorkerMessage) => {
      switch (message.kind) {
        case 'found':
          return finish((one) => one.settle(message.found))
        case 'failed':
          return finish((one) => one.fail(unavailable('The auctions could not be searched.', message.reason)))
        case 'problem':
          problem = message.problem
          return undefined
        case 'moved':
          return onMovedAside(message.movedTo)
      }
    })
    thread.on('error', onExit)
    thread.on('exit', () => onExit())
    thread.unref()
    return thread
  }

  function finish(settle: (task: PendingSearch) => void): void {
    const done = task
    task = null
    worker?.unref()
    if (done) settle(done)
    next()
  }

  function next(): void {
    const [first] = queue
    if (!first || task || isClosed) return
    queue.delete(first)
    task = first
    try {
      worker ??= start()
    } catch (error) {
      problem = `its folder cannot be created (${(error as NodeJS.ErrnoException).code})`
      return finish((one) => one.fail(unavailable('The auctions could not be searched.', error)))
    }
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(first.query)
  }

  const ask = (query: WorkerQuery, signal?: AbortSignal) =>
    new Promise<ListingPage | readonly IndexedSale[]>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      if (isClosed) return reject(unavailable('The auction index is closed.'))
      if (queue.size >= maxQueue) return reject(unavailable('The search queue is full.', undefined, 1000))
      const onAbort = () => {
        queue.delete(one)
        reject(signal!.reason as Error)
      }
      const stopListening = () => signal?.removeEventListener('abort', onAbort)
      const one: PendingSearch = {
        query,
        settle: (found) => (stopListening(), resolve(found)),
        fail: (error) => (stopListening(), reject(error)),
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.add(one)
      next()
    })

  return {
    search: async (query, signal) => (await ask(query, signal)) as ListingPage,
    findSales: async (domain, signal) => (await ask({ saleOf: domain }, signal)) as readonly IndexedSale[],
    warm() {
      try {
        if (!isClosed) worker ??= start()
      } catch (error) {
        // A search tries again.
        problem = `its folder cannot be created (${(error as NodeJS.ErrnoException).code})`
      }
    },
    problem: () => problem,
    async close() {
      isClosed = true
      // The running search is ended too: its response may or may not still arrive.
      for (const one of [...queue, ...(task ? [task] : [])]) one.fail(unavailable('The auction index is closed.'))
      queue.clear()
      task = null
      await worker?.terminate()
    },
  }
}

const unavailable = (message: string, cause?: unknown, retryAfterMs?: number) =>
  new UpstreamError('unavailable', message, { cause, retryAfterMs })
