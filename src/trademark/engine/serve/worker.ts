/** Worker thread: runs one search at a time in the index that it opened last. */
import { parentPort } from 'node:worker_threads'
import { searchMarks } from '../search/marks.ts'
import type { Store } from '../search/store.ts'
import { searchExpiring, searchTexts } from '../search/texts.ts'
import { GoneError } from '../format/records/record-store.ts'
import type { SearchRequest, SearchResponse, ToSearchWorker } from './messages.ts'
import { openLoaded } from './open.ts'

let open: { readonly store: Store } | { readonly error: unknown } | null = null

parentPort!.on('message', (message: ToSearchWorker) => {
  if ('search' in message) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort!.postMessage(respondTo(message.search))
    return
  }
  if (open && 'store' in open) open.store.close()
  try {
    open = { store: openLoaded(message.open) }
  } catch (error) {
    open = { error }
  }
})

function respondTo(request: SearchRequest): SearchResponse {
  try {
    if (!open || 'error' in open) throw open?.error ?? new Error('No index is open.')
    return { ok: true, page: runSearch(open.store, request) }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { ok: false, isGone: isGone(error), reason }
  }
}

/** A record, or a file that this thread had not opened yet, was deleted, as happens after a newer index was published. */
const isGone = (error: unknown) =>
  error instanceof GoneError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')

function runSearch(store: Store, request: SearchRequest) {
  switch (request.method) {
    case 'search':
      return searchMarks(store, request.query)
    case 'byDescription':
      return searchTexts(store, 'goods', request.query)
    case 'byOwner':
      return searchTexts(store, 'owner', request.query)
    case 'expiring':
      return searchExpiring(store, request.query)
  }
}
