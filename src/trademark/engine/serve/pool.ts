import type { Worker } from 'node:worker_threads'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Page } from '../../search-index.ts'
import type { Manifest } from '../manifest.ts'
import { load } from './load.ts'
import type { Answer, Asked, Loaded, ToSearcher } from './messages.ts'
import { startThread } from '../thread.ts'

/** A manifest, numbered as they were seen. */
type Published = { readonly manifest: Manifest | null; readonly number: number }
/** An index in memory, and its manifest. */
type Served = { readonly manifest: Manifest; readonly number: number; readonly loaded: Loaded }
type Answered = { readonly page: Page; readonly manifest: Manifest }
type Task = {
  readonly asked: Asked
  readonly settle: (answered: Answered) => void
  readonly fail: (error: unknown) => void
  /** An index that cannot answer it, because a record of it is gone. */
  notOf: Served | null
  /** The number of the index that was published when it came; 0 where it does not wait for that one to be open. */
  wants: number
}
type Seat = { worker: Worker | null; task: Task | null; has: Served | null }

export type Pool = {
  /** The page, and the manifest of the index it comes from. */
  ask(asked: Asked, signal?: AbortSignal): Promise<Answered>
  /** The manifest of the index that is searched, or that the first search will open; null if there is no index. */
  current(): Manifest | null
  /** Begins to open what the folder has now, unless that is open already. */
  refresh(): void
  /** Resolves once the index in the folder is the one that is searched. */
  ready(): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly threads: number
  readonly waiting: number
  /** Called when a newer index cannot be used and the previous one stays in use. */
  readonly onTrouble: (error: Error) => void
  /** Maximum wait of a search for an index that was published before it arrived. */
  readonly openTimeoutMs: number
  readonly load?: typeof load
}

/** A search's garbage is short-lived: a small young generation saves 100 MB per thread without slowing searches down. */
const SEARCHING = { maxYoungGenerationSizeMb: 16 }

/**
 * A pool of worker threads that share one index in memory, one search per thread at a time. A newer index is loaded beside
 * the current one. A search that arrives after it was published waits for it, so it finds what was just imported: for a
 * limited time, and while the queue has room; then the old index serves it. An aborted search rejects at once, while its
 * thread finishes the work.
 */
export function createPool(folder: string, manifest: () => Manifest | null, options: Options): Pool {
  const open = options.load ?? load
  const seats: Seat[] = Array.from({ length: options.threads }, () => ({ worker: null, task: null, has: null }))
  const waiting = new Set<Task>()
  let served: Served | null = null
  let loading: Promise<void> | null = null
  let published: Published = { manifest: null, number: 0 }
  /** `number` is 0 where it is worth another try. */
  let failed: { readonly number: number; readonly error: Error } | null = null
  let isClosed = false

  function refresh(): void {
    if (isClosed) return
    try {
      const current = manifest()
      if (current !== published.manifest) published = { manifest: current, number: published.number + 1 }
      const { number } = published
      if (loading || !current || number === served?.number || number === failed?.number) return
      const found = open(folder, current, served?.loaded ?? null)
      if (!(found instanceof Promise)) return serve({ manifest: current, number, loaded: found })
      loading = found
        .then(
          (loaded) => serve({ manifest: current, number, loaded }),
          (error: Error) => fail(error, number),
        )
        .finally(() => {
          loading = null
          next()
        })
    } catch (error) {
      fail(error as Error, 0)
    }
  }

  /** What a search that comes now has to wait for. The same snapshot, merged or not, gives the same answers. */
  const wanted = () => (published.manifest?.snapshot === served?.manifest.snapshot ? 0 : published.number)
  const isHeld = (task: Task) => loading !== null && served !== null && served.number < task.wants
  function release(tasks: Iterable<Task>): void {
    for (const task of tasks) task.wants = 0
    next()
  }

  function serve(newer: Served): void {
    served = newer
    failed = null
    // Idle threads release the old index, too.
    for (const seat of seats) if (seat.worker && !seat.task) hand(seat)
  }

  function fail(error: Error, number: number): void {
    const isNews = failed?.error.message !== error.message
    failed = { number, error }
    if (isNews && served) options.onTrouble(error)
  }

  function start(seat: Seat): Worker {
    const worker = startThread(new URL('worker.ts', import.meta.url), null, SEARCHING)
    const leave = (error?: unknown) => {
      // A dead thread is replaced at the next search; only its current search fails.
      if (seat.worker !== worker) return
      seat.worker = null
      seat.has = null
      finish(seat, (task) => task.fail(unavailable('The search thread ended unexpectedly.', error)))
    }
    worker.on('message', (answer: Answer) => finish(seat, (task) => take(task, answer, seat.has!)))
    worker.on('error', leave)
    worker.on('exit', () => leave())
    worker.unref()
    return worker
  }

  function take(task: Task, answer: Answer, from: Served): void {
    if (answer.ok) return task.settle({ page: answer.page, manifest: from.manifest })
    if (!answer.isGone || isClosed || task.notOf === from)
      return task.fail(unavailable('The trademark index did not answer.', answer.reason))
    task.notOf = from
    waiting.add(task)
  }

  function finish(seat: Seat, tell: (task: Task) => void): void {
    const { task } = seat
    seat.task = null
    seat.worker?.unref()
    if (task) tell(task)
    next()
  }

  /** The thread of this seat opens what is served. */
  function hand(seat: Seat): void {
    if (seat.has === served) return
    seat.has = served
    send(seat.worker!, { open: served!.loaded })
  }

  function next(): void {
    if (isClosed) return
    refresh()
    if (!served && !loading) return failWaiting(failed?.error)
    for (const task of waiting) {
      if (served === null || isHeld(task) || (task.notOf === served && loading)) continue
      const seat = seats.find((one) => one.task === null && one.worker) ?? seats.find((one) => one.task === null)
      if (!seat) return
      waiting.delete(task)
      seat.task = task
      seat.worker ??= start(seat)
      seat.worker.ref()
      hand(seat)
      send(seat.worker, { asked: task.asked })
    }
  }

  function failWaiting(error?: Error): void {
    const all = [...waiting]
    waiting.clear()
    const said = error ? 'The trademark index cannot be used.' : 'No trademark index is loaded.'
    for (const task of all) task.fail(unavailable(said, error))
  }

  return {
    ask: (asked, signal) =>
      new Promise<Answered>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        if (isClosed) return reject(unavailable('The trademark index is closed.'))
        refresh()
        if (waiting.size >= options.waiting) release(waiting)
        if (waiting.size >= options.waiting)
          return reject(unavailable('Search queue full, retry in a second.', undefined, 1000))
        const giveUp = () => {
          clearTimeout(timer)
          waiting.delete(task)
          reject(signal!.reason as Error)
        }
        const settled = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
        }
        const task: Task = {
          asked,
          settle: (answered) => (settled(), resolve(answered)),
          fail: (error) => (settled(), reject(error)),
          notOf: null,
          wants: wanted(),
        }
        const timer = isHeld(task) ? setTimeout(() => release([task]), options.openTimeoutMs) : undefined
        signal?.addEventListener('abort', giveUp, { once: true })
        waiting.add(task)
        next()
      }),
    current() {
      if (!served) return manifest()
      refresh()
      return served.manifest
    },
    refresh: next,
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
      for (const task of waiting) task.fail(error)
      waiting.clear()
      await Promise.all([loading, ...seats.map(async (seat) => seat.worker?.terminate())])
    },
  }
}

function send(worker: Worker, message: ToSearcher): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message)
}

const unavailable = (message: string, cause?: unknown, retryAfterMs?: number) =>
  new UpstreamError('unavailable', message, { cause, retryAfterMs })
