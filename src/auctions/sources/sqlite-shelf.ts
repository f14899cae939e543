import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Shelf, ShelfPage, ShelfQuestion } from '../shelf.ts'

export type SearchAnswer =
  | { readonly ok: true; readonly page: ShelfPage }
  | { readonly ok: false; readonly reason: string }

type Options = {
  /** How many questions may wait; one more is refused. */
  readonly waiting?: number
}

type Task = { readonly question: ShelfQuestion; settle(page: ShelfPage): void; fail(error: unknown): void }

/**
 * The shelf in a file, searched in a thread of its own: a search takes a few milliseconds, which other requests shall not
 * wait for. The thread starts with the first question or with `warm`, and sees what any process writes.
 */
export function openShelf(path: string, { waiting: most = 256 }: Options = {}): Shelf & { warm(): void } {
  const line = new Set<Task>()
  let worker: Worker | null = null
  let task: Task | null = null
  let isClosed = false

  function start(): Worker {
    // Here, not in the thread: one that outlives the folder by a moment must not bring it back.
    mkdirSync(dirname(path), { recursive: true })
    const thread = new Worker(new URL('shelf-thread.ts', import.meta.url), { workerData: { path }, stdin: false })
    const leave = (error?: unknown) => {
      if (worker !== thread) return
      worker = null
      finish((one) => one.fail(unavailable('The thread that searched ended.', error)))
    }
    thread.on('message', (answer: SearchAnswer) =>
      finish((one) => {
        if (answer.ok) one.settle(answer.page)
        else one.fail(unavailable('The auctions could not be searched.', answer.reason))
      }),
    )
    thread.on('error', leave)
    thread.on('exit', () => leave())
    thread.unref()
    return thread
  }

  function finish(tell: (task: Task) => void): void {
    const done = task
    task = null
    worker?.unref()
    if (done) tell(done)
    next()
  }

  function next(): void {
    const [first] = line
    if (!first || task || isClosed) return
    line.delete(first)
    task = first
    worker ??= start()
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(first.question)
  }

  return {
    search: (question, signal) =>
      new Promise<ShelfPage>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        if (isClosed) return reject(unavailable('The auctions are closed.'))
        if (line.size >= most) return reject(unavailable('Too many searches wait.', undefined, 1000))
        const giveUp = () => {
          line.delete(one)
          reject(signal!.reason as Error)
        }
        const settled = () => signal?.removeEventListener('abort', giveUp)
        const one: Task = {
          question,
          settle: (page) => (settled(), resolve(page)),
          fail: (error) => (settled(), reject(error)),
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        line.add(one)
        next()
      }),
    warm() {
      if (!isClosed) worker ??= start()
    },
    async close() {
      isClosed = true
      // The running search too: whether its answer would still arrive is a matter of chance.
      for (const one of [...line, ...(task ? [task] : [])]) one.fail(unavailable('The auctions are closed.'))
      line.clear()
      task = null
      await worker?.terminate()
    },
  }
}

const unavailable = (message: string, cause?: unknown, retryAfterMs?: number) =>
  new UpstreamError('unavailable', message, { cause, retryAfterMs })
