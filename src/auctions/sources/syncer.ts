import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Random } from '../../kernel/random.ts'
import type { SyncReport } from '../sync.ts'
import type { FeedSettings } from './feed/feed-settings.ts'
import type { SyncNews } from './serve-sync.ts'
import type { SyncOrder } from './sync-run.ts'

type Needs = {
  /** The file of the shelf. */
  readonly path: string
  readonly userAgent: string
  readonly sandbox: boolean
  readonly random: Random
  /** The entry of the thread, where it is not the usual one. */
  readonly thread?: URL
}

/** It reads a piece at a time; left alone, the heap would grow until it is told not to. */
const HEAP = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

type Watch = { readonly signal: AbortSignal; readonly onProgress?: (rows: number) => void }

export type Syncer = (settings: FeedSettings, watch: Watch) => Promise<SyncReport>

/** Syncs in threads of their own. A run that is stopped leaves what it has put; the next one takes up the rest. */
export function createSyncer({ path, userAgent, sandbox, random, thread }: Needs): Syncer {
  return (settings, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      // Here, not in the thread: one that outlives the folder by a moment must not bring it back.
      mkdirSync(dirname(path), { recursive: true })
      const order: SyncOrder = { path, settings, userAgent, sandbox, holder: random.uuid() }
      const worker = new Worker(thread ?? new URL('sync-thread.ts', import.meta.url), {
        workerData: order,
        stdin: false,
        resourceLimits: HEAP,
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      const stop = () => worker.postMessage('stop')
      signal.addEventListener('abort', stop, { once: true })
      let end = () => reject(new Error('The thread that synced ended.'))
      worker.on('message', (news: SyncNews) => {
        if (news.kind === 'progress') return onProgress?.(news.rows)
        end = () => {
          if (news.kind === 'done') resolve(news.report)
          else reject(signal.aborted ? (signal.reason as Error) : new Error(`The sync broke: ${news.reason}`))
        }
      })
      worker.on('error', (error) => (end = () => reject(error)))
      // Only when it has let go of its files: who stops the service may remove them.
      worker.on('exit', () => {
        signal.removeEventListener('abort', stop)
        end()
      })
    })
}
