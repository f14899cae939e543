/** Worker thread: runs one search at a time in the index it was last told to open. */
import { parentPort } from 'node:worker_threads'
import { searchMarks } from '../search/marks.ts'
import type { Store } from '../search/store.ts'
import { searchExpiring, searchTexts } from '../search/texts.ts'
import { GoneError } from '../format/records/record-store.ts'
import type { Answer, Asked, ToSearcher } from './messages.ts'
import { openLoaded } from './open.ts'

let open: { readonly store: Store } | { readonly error: unknown } | null = null

parentPort!.on('message', (message: ToSearcher) => {
  if ('asked' in message) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort!.postMessage(answerTo(message.asked))
    return
  }
  if (open && 'store' in open) open.store.close()
  try {
    open = { store: openLoaded(message.open) }
  } catch (error) {
    open = { error }
  }
})

function answerTo(asked: Asked): Answer {
  try {
    if (!open || 'error' in open) throw open?.error ?? new Error('No index is open.')
    return { ok: true, page: pageOf(open.store, asked) }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { ok: false, isGone: isGone(error), reason }
  }
}

/** A record, or a file that this thread had not opened yet, is no longer kept, as happens when there is a newer index. */
const isGone = (error: unknown) =>
  error instanceof GoneError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')

function pageOf(store: Store, asked: Asked) {
  switch (asked.method) {
    case 'search':
      return searchMarks(store, asked.question)
    case 'byDescription':
      return searchTexts(store, 'goods', asked.question)
    case 'byOwner':
      return searchTexts(store, 'owner', asked.question)
    case 'expiring':
      return searchExpiring(store, asked.question)
  }
}
