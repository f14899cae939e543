import { flushCompileCache } from 'node:module'
import { nextTurn } from '../../kernel/event-loop.ts'
import type { Log } from '../../kernel/log.ts'
import { sleep } from '../../kernel/sleep.ts'
import { rehearse } from './rehearsal.ts'
import { parseSampleAnswers } from './sample-answers.ts'

/** A client that waited for the service asks within this time. */
const QUIET_MS = 300
/** The build waits for this line (scripts/build.js). */
const WARMED_UP = 'The warm-up is complete.'

/**
 * Runs the code of the first answers while nobody has asked yet, then gives back the memory that the start took. Real
 * requests are not made to wait: `idle` is aborted by the first one.
 */
export async function warmUp(log: Pick<Log, 'debug'>, idle: AbortSignal): Promise<void> {
  for (const parse of parseSampleAnswers) {
    await nextTurn()
    if (idle.aborted) return
    parse()
  }
  await sleep(QUIET_MS, undefined, { keepsProcessAlive: false })
  if (idle.aborted) return
  await rehearse(log, idle)
  if (idle.aborted) return
  // The next start finds the code of the rehearsal compiled. Node keeps the first version of its cache.
  flushCompileCache()
  log.debug({}, WARMED_UP)
  // The young generation has grown, and V8 keeps its size until the next collection, which an idle service never sees.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
