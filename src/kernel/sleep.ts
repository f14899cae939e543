import { setTimeout as nodeSleep } from 'node:timers/promises'

/** The maximum delay of a Node timer; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

type SleepOptions = {
  /** False lets the process exit before the time is over. */
  readonly keepsProcessAlive?: boolean
}

/** Sleeps; rejects with an AbortError on abort. */
export const sleep = async (
  ms: number,
  signal?: AbortSignal,
  { keepsProcessAlive = true }: SleepOptions = {},
): Promise<void> => nodeSleep(ms, undefined, { ...(signal && { signal }), ref: keepsProcessAlive })

/** Sleeps; rejects with the signal's own reason on abort, which saves creating an error for each aborted sleep. */
export const sleepOrAbortReason = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(Math.max(Math.ceil(ms), 0), MAX_TIMER_MS))
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
