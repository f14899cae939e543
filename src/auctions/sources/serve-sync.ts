import { parentPort, workerData } from 'node:worker_threads'
import type { Clock } from '../../kernel/clock.ts'
import type { SyncReport } from '../sync.ts'
import type { NameScore } from './feed/row.ts'
import { runSync, type SyncOrder } from './sync-run.ts'

/** What the thread tells. */
export type SyncNews =
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'done'; readonly report: SyncReport }
  | { readonly kind: 'broken'; readonly reason: string }

/** The body of a thread that syncs; an entry of one's own can hand in what a thread cannot be sent. */
export async function serveSync({ clock, nameScore }: { clock: Clock; nameScore?: NameScore }): Promise<void> {
  const port = parentPort!
  const stopping = new AbortController()
  // Any word means stop: there is only one to say.
  port.once('message', () => stopping.abort(new Error('The sync was stopped.')))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const tell = (news: SyncNews) => port.postMessage(news)
  try {
    const report = await runSync(workerData as SyncOrder, {
      clock,
      signal: stopping.signal,
      nameScore,
      onProgress: (rows) => tell({ kind: 'progress', rows }),
    })
    tell({ kind: 'done', report })
  } catch (error) {
    tell({ kind: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  port.close()
}
