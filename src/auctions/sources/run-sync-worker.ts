import { parentPort, workerData } from 'node:worker_threads'
import type { Clock } from '../../kernel/clock.ts'
import type { SyncReport } from '../sync.ts'
import type { NameScore } from './feed/row.ts'
import { runSync, type SyncJob } from './sync-run.ts'

/** Messages from the worker. */
export type SyncMessage =
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'done'; readonly report: SyncReport }
  | { readonly kind: 'broken'; readonly reason: string }

/** The body of the sync worker. Another entry point can pass functions, which cannot be sent to a worker. */
export async function runSyncWorker({ clock, nameScore }: { clock: Clock; nameScore?: NameScore }): Promise<void> {
  const port = parentPort!
  const stopping = new AbortController()
  // Every message means stop.
  port.once('message', () => stopping.abort(new Error('The sync was stopped.')))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (news: SyncMessage) => port.postMessage(news)
  try {
    const report = await runSync(workerData as SyncJob, {
      clock,
      signal: stopping.signal,
      nameScore,
      onProgress: (rows) => post({ kind: 'progress', rows }),
    })
    post({ kind: 'done', report })
  } catch (error) {
    post({ kind: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  port.close()
}
