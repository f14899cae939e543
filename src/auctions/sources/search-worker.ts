/** Worker thread that runs searches one at a time and loads new rows in between. */
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../kernel/clock.ts'
import { identityOf, isDamage, isLocked, moveAside, whyUnusable } from '../../kernel/damaged-file.ts'
import { openDatabase } from './schema.ts'
import { createSearcher, type Searcher } from './sqlite-search.ts'
import type { WorkerMessage, WorkerQuery } from './sqlite-index.ts'

const { path } = workerData as { readonly path: string }
/** Frequent, so that a search during a sync has few new rows to load. */
const REFRESH_MS = 250

let searcher: Searcher | null = null
/** The file that was opened. */
let identity: string | null = null
let problem: string | null = null

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (message: WorkerMessage): void => parentPort!.postMessage(message)

function open(): Searcher {
  if (searcher) return searcher
  identity = identityOf(path)
  const opened = createSearcher(openDatabase(path))
  identity = identityOf(path)
  return (searcher = opened)
}

/** The auctions can be fetched again, so a damaged file is moved aside, and an empty one takes its place. */
function replaceIfDamaged(error: unknown): void {
  const movedTo = isDamage(error) ? moveAside(path, systemClock.now(), { identity, suffixes: ['-wal', '-shm'] }) : null
  if (movedTo === null) throw error
  post({ kind: 'moved', movedTo })
}

function use<T>(run: (searcher: Searcher) => T): T {
  try {
    try {
      return report(null, run(open()))
    } catch (error) {
      searcher = null
      replaceIfDamaged(error)
      return report(null, run(open()))
    }
  } catch (error) {
    searcher = null
    if (!isLocked(error)) report(whyUnusable(error) ?? sentenceEnd(error), undefined)
    throw error
  }
}

/** Without the folder of the file, because clients see it. */
const sentenceEnd = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(path, basename(path)).replace(/\.$/, '')

/** Tells the main thread if the file can be used now or no longer. */
function report<T>(why: string | null, result: T): T {
  if (why !== problem) post({ kind: 'problem', problem: why })
  problem = why
  return result
}

function refresh(): void {
  try {
    use((open) => open.refresh(Math.floor(systemClock.now() / 1000)))
  } catch {
    // The next search fails the same way and reports it.
  }
}

parentPort!.on('message', (query: WorkerQuery) => {
  try {
    post({
      kind: 'found',
      found: use((open) => ('saleOf' in query ? open.findSales(query.saleOf) : open.search(query))),
    })
  } catch (error) {
    post({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
setInterval(refresh, REFRESH_MS)
refresh()
