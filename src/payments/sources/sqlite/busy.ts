import { UpstreamError } from '../../../kernel/errors.ts'
import { sleep } from '../../../kernel/sleep.ts'

/** How long a statement waits for another process's lock before it fails. */
export const BUSY_TIMEOUT_MS = 2000
const MAX_RETRY_DELAY_MS = 25
const SQLITE_BUSY = 5

/**
 * Runs a statement, and again while another process holds the lock. SQLite's own busy timeout would block the whole
 * service for that time. Repeating is safe: a statement that finds the lock taken has changed nothing.
 */
export async function runUnlocked<Result>(run: () => Result): Promise<Result> {
  try {
    return await retryWhileBusy(run)
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** An error of SQLite as one for callers. Not their fault: the disk is full, or the lock was held for too long. */
export const asUnavailable = (error: unknown): unknown =>
  sqliteCode(error) === undefined
    ? error
    : new UpstreamError('unavailable', 'the payment ledger cannot be written', { cause: error })

/** Like `runUnlocked`, and throws SQLite's own error. */
export async function retryWhileBusy<Result>(run: () => Result): Promise<Result> {
  let waitedMs = 0
  for (let delayMs = 1; ; delayMs = Math.min(2 * delayMs, MAX_RETRY_DELAY_MS)) {
    try {
      return run()
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || waitedMs >= BUSY_TIMEOUT_MS) throw error
    }
    await sleep(delayMs)
    waitedMs += delayMs
  }
}

/** SQLite's primary result code; undefined if the error is not from SQLite. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return undefined
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
}
