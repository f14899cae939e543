/** Searches, one question after the other, in a thread of its own; between them it takes in what is new. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../kernel/clock.ts'
import type { ShelfQuestion } from '../shelf.ts'
import { openDatabase } from './schema.ts'
import { createSearcher, type Searcher } from './sqlite-search.ts'
import type { SearchAnswer } from './sqlite-shelf.ts'

const { path } = workerData as { readonly path: string }
/** Often enough that a question during a sync finds little left to take in. */
const REFRESH_MS = 250

let searcher: Searcher | null = null
const open = (): Searcher => (searcher ??= createSearcher(openDatabase(path)))

function refresh(): void {
  try {
    open().refresh(Math.floor(systemClock.now() / 1000))
  } catch {
    // The next question meets the same and can tell somebody.
    searcher = null
  }
}

parentPort!.on('message', (question: ShelfQuestion) => {
  let answer: SearchAnswer
  try {
    answer = { ok: true, page: open().search(question) }
  } catch (error) {
    searcher = null
    answer = { ok: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(answer)
})
setInterval(refresh, REFRESH_MS)
refresh()
