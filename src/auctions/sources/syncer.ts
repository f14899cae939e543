import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Random } from '../../kernel/random.ts'
import type { ProxySettings } from '../../kernel/upstream/proxy.ts'
import type { SyncReport } from '../sync.ts'
import type { SyncMessage } from './run-sync-worker.ts'
import type { SyncJob } from './sync-run.ts'

type Needs = {
  /** The SQLite file. */
  readonly path: string
  readonly userAgent: string
  readonly sandbox: boolean
  readonly proxy?: ProxySettings | null
  readonly random: Random
  /** Another entry point of the worker. */
  readonly thread?: URL
}

/** The worker streams its input; without a limit V8 would let the heap grow. */
const HEAP = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

type Watch = { readonly signal: AbortSignal; readonly onProgress?: (rows: number) => void }

export type Syncer = (settings: SyncJob['settings'], watch: Watch) => Promise<SyncReport>

/** Runs each sync in a worker. A stopped sync keeps what it has written; the next one continues. */
export function createSyncer({ path, userAgent, sandbox, proxy, random, thread }: Needs): Syncer {
  return (settings, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      // Not in the worker: it may outlive the folder for a moment and must not create it again.
      mkdirSync(dirname(path), { recursive: true })
      const job: SyncJob = { path, settings, userAgent, sandbox, proxy: proxy ?? undefined, holder: random.uuid() }
      const worker = new Worker(thread ?? new URL('sync-worker.ts', import.meta.url), {
        workerData: job,
        stdin: false,
        resourceLimits: HEAP,
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      const stop = () => worker.postMessage('stop')
      signal.addEventListener('abort', stop, { once: true })
      let end = () => reject(new Error('The sync worker exited.'))
      worker.on('message', (news: SyncMessage) => {
        if (news.kind === 'progress') return onProgress?.(news.rows)
        end = () => {
          if (news.kind === 'done') resolve(news.report)
          else reject(signal.aborted ? (signal.reason as Error) : new Error(`The sync failed: ${news.reason}`))
        }
      })
      worker.on('error', (error) => (end = () => reject(error)))
      // Settle only after the worker has closed its files, which the caller may then remove.
      worker.on('exit', () => {
        signal.removeEventListener('abort', stop)
        end()
      })
    })
}
