import { UpstreamError } from './errors.ts'
import { MAX_TIMER_MS } from './sleep.ts'

/** The promise, rejected with the signal's reason as soon as it aborts. What the promise does later is ignored. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const settle = (how: () => void) => {
      signal.removeEventListener('abort', onAbort)
      how()
    }
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}

type TimeoutOptions = {
  /** The subject of the error message: `${who} did not answer within …`. */
  readonly who: string
  readonly timeoutMs: number
  /** The caller's own signal; its reason is passed on unchanged. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs something under a timeout. The timeout holds even if `run` does not listen to its signal: the caller gets the
 * error at once, and the later result of `run` is discarded.
 */
export async function withTimeout<T>(
  { who, timeoutMs, signal: caller }: TimeoutOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted()
  const controller = new AbortController()
  // Rejected directly and not by a listener on its own signal, which would cost every request one more.
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (reason: unknown) => {
    reject(reason)
    controller.abort(reason)
  }
  const follow = () => stop(caller?.reason)
  caller?.addEventListener('abort', follow, { once: true })
  const timeOut = () => stop(new UpstreamError('timeout', `${who} did not answer within ${timeoutMs} ms`))
  const timer = setTimeout(timeOut, Math.min(Math.max(timeoutMs, 0), MAX_TIMER_MS))
  try {
    return await Promise.race([run(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', follow)
  }
}
