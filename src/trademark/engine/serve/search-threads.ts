import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.ts'
import type { ServedIndex } from './follow-index.ts'
import type { SearchRequest, SearchResponse, ToSearchWorker } from './messages.ts'

/** A place for one worker thread; `opened` is the index it searches. */
type WorkerSlot<Task> = { worker: Worker | null; task: Task | null; opened: ServedIndex | null }

type Events<Task> = {
  readonly onResponse: (task: Task, response: SearchResponse, index: ServedIndex) => void
  /** The thread ended while it ran this task. */
  readonly onCrash: (task: Task, error: unknown) => void
  /** A thread may have become free; called after the events above. */
  readonly onFree: () => void
}

/** A search's garbage is short-lived: a small young generation saves 100 MB per thread without slowing searches down. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 16 }

/** Up to `count` worker threads, each started at its first search. A thread runs one search at a time. */
export function createSearchThreads<Task extends { readonly request: SearchRequest }>(
  count: number,
  { onResponse, onCrash, onFree }: Events<Task>,
) {
  const slots: WorkerSlot<Task>[] = Array.from({ length: count }, () => ({ worker: null, task: null, opened: null }))

  function startWorker(slot: WorkerSlot<Task>): Worker {
    const worker = startThread(new URL('worker.ts', import.meta.url), null, WORKER_LIMITS)
    const onExit = (error?: unknown) => {
      // A dead thread is replaced at the next search; only its current search fails.
      if (slot.worker !== worker) return
      slot.worker = null
      slot.opened = null
      endTask(slot, (task) => onCrash(task, error))
    }
    worker.on('message', (response: SearchResponse) =>
      endTask(slot, (task) => onResponse(task, response, slot.opened!)),
    )
    worker.on('error', onExit)
    worker.on('exit', () => onExit())
    worker.unref()
    return worker
  }

  function endTask(slot: WorkerSlot<Task>, settle: (task: Task) => void): void {
    const { task } = slot
    slot.task = null
    slot.worker?.unref()
    if (task) settle(task)
    onFree()
  }

  return {
    /** A thread without a task, preferably one that runs already. */
    findFree: () => slots.find((one) => one.task === null && one.worker) ?? slots.find((one) => one.task === null),
    run(slot: WorkerSlot<Task>, task: Task, index: ServedIndex): void {
      slot.task = task
      slot.worker ??= startWorker(slot)
      slot.worker.ref()
      openIndex(slot, slot.worker, index)
      send(slot.worker, { search: task.request })
    },
    /** Makes idle threads open this index, so that they release the memory of the old one. */
    openInIdle(index: ServedIndex): void {
      for (const slot of slots) if (slot.worker && !slot.task) openIndex(slot, slot.worker, index)
    },
    async terminate(): Promise<void> {
      await Promise.all(slots.map(async (slot) => slot.worker?.terminate()))
    },
  }
}

function openIndex(slot: { opened: ServedIndex | null }, worker: Worker, index: ServedIndex): void {
  if (slot.opened === index) return
  slot.opened = index
  send(worker, { open: index.loaded })
}

function send(worker: Worker, message: ToSearchWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message)
}
