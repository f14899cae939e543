import { Worker } from 'node:worker_threads'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Page } from '../../search-index.ts'
import type { Manifest } from '../manifest.ts'
import type { Answer, Asked } from './messages.ts'

type Task = {
  readonly asked: Asked
  readonly settle: (page: Page) => void
  readonly fail: (error: unknown) => void
}
type Seat = { worker: Worker | null; task: Task | null }

export type Pool = { ask(asked: Asked, signal?: AbortSignal): Promise<Page>; close(): Promise<void> }

/**
 * Threads that search, each one question at a time. Who waits and gives up is forgotten; who gives up while being
 * searched for is let go at once, though the thread first ends what it does.
 */
export function createPool(
  folder: string,
  manifest: () => Manifest | null,
  { threads, waiting: most }: { readonly threads: number; readonly waiting: number },
): Pool {
  const seats: Seat[] = Array.from({ length: threads }, () => ({ worker: null, task: null }))
  const waiting = new Set<Task>()
  let isClosed = false

  function start(seat: Seat): Worker {
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { folder }, stdin: false })
    const leave = (error?: unknown) => {
      // A thread that died is replaced when the next question comes; only the one it was at is lost.
      if (seat.worker !== worker) return
      seat.worker = null
      finish(seat, (task) => task.fail(unavailable('The thread that searched ended.', error)))
    }
    worker.on('message', (answer: Answer) =>
      finish(seat, (task) =>
        answer.ok
          ? task.settle(answer.page)
          : task.fail(unavailable('The trademark index did not answer.', answer.reason)),
      ),
    )
    worker.on('error', leave)
    worker.on('exit', () => leave())
    worker.unref()
    return worker
  }

  function finish(seat: Seat, tell: (task: Task) => void): void {
    const { task } = seat
    seat.task = null
    seat.worker?.unref()
    if (task) tell(task)
    next()
  }

  function next(): void {
    for (const task of waiting) {
      const seat = seats.find((one) => one.task === null)
      if (!seat || isClosed) return
      waiting.delete(task)
      const current = manifest()
      if (!current) {
        task.fail(unavailable('No trademark index is loaded.'))
        continue
      }
      seat.task = task
      seat.worker ??= start(seat)
      seat.worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      seat.worker.postMessage({ manifest: current, asked: task.asked })
    }
  }

  return {
    ask: (asked, signal) =>
      new Promise<Page>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        if (isClosed) return reject(unavailable('The trademark index is closed.'))
        if (waiting.size >= most) return reject(unavailable('Too many searches wait.', undefined, 1000))
        const giveUp = () => {
          waiting.delete(task)
          reject(signal!.reason as Error)
        }
        const settled = () => signal?.removeEventListener('abort', giveUp)
        const task: Task = {
          asked,
          settle: (page) => (settled(), resolve(page)),
          fail: (error) => (settled(), reject(error)),
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        waiting.add(task)
        next()
      }),
    async close() {
      isClosed = true
      const error = unavailable('The trademark index is closed.')
      for (const task of waiting) task.fail(error)
      waiting.clear()
      await Promise.all(seats.map(async (seat) => seat.worker?.terminate()))
    },
  }
}

const unavailable = (message: string, cause?: unknown, retryAfterMs?: number) =>
  new UpstreamError('unavailable', message, { cause, retryAfterMs })
