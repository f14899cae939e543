/** Worker thread that runs searches one at a time and loads new rows in between. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../kernel/clock.ts'
import type { ListingQuery } from '../listing-index.ts'
import { openDatabase } from './schema.ts'
import { createSearcher, type Searcher } from './sqlite-search.ts'
import type { SearchResponse } from './sqlite-index.ts'

const { path } = workerData as { readonly path: string }
/** Frequent, so that a search during a sync has few new rows to load. */
const REFRESH_MS = 250

let searcher: Searcher | null = null
const open = (): Searcher => (searcher ??= createSearcher(openDatabase(path)))

function refresh(): void {
  try {
    open().refresh(Math.floor(systemClock.now() / 1000))
  } catch {
    // The next search fails the same way and reports it.
    searcher = null
  }
}

parentPort!.on('message', (query: ListingQuery) => {
  let response: SearchResponse
  try {
    response = { ok: true, page: open().search(query) }
  } catch (error) {
    searcher = null
    response = { ok: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(response)
})
setInterval(refresh, REFRESH_MS)
refresh()
