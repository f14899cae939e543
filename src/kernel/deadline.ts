import { UpstreamError } from './errors.ts'
import { MAX_TIMER_MS } from './sleep.ts'

/** What the promise comes to, or the signal's reason as soon as it aborts; what the promise does later is ignored. */
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

type Deadline = {
  /** Who is being waited for, as the error names it. */
  readonly who: string
  readonly ms: number
  /** The caller's own signal; its reason is passed on as it is. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs something that must be over in time. The deadline holds even where `run` does not listen to its signal: the
 * caller is told at once, and whatever `run` comes to afterwards is dropped.
 */
export async function withDeadline<T>(
  { who, ms, signal: caller }: Deadline,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted()
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  caller?.addEventListener('abort', follow, { once: true })
  const overdue = () => controller.abort(new UpstreamError('timeout', `${who} did not answer within ${ms} ms`))
  const timer = setTimeout(overdue, Math.min(Math.max(ms, 0), MAX_TIMER_MS))
  try {
    return await unlessAborted(run(controller.signal), controller.signal)
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', follow)
  }
}
