import type { Clock } from './clock.ts'
import { withDeadline } from './deadline.ts'
import { UpstreamError } from './errors.ts'

/** One source and the call that asks it. */
export type Task<Id extends string, T> = { readonly source: Id; ask(signal: AbortSignal): Promise<T> }

export type SourceAnswer<Id extends string, T> = { readonly source: Id; readonly value: T; readonly elapsedMs: number }
export type SourceFailure<Id extends string> = {
  readonly source: Id
  readonly error: UpstreamError
  readonly elapsedMs: number
}

type Options = {
  /** What each source has, counted from the start; it holds even for one that does not listen to its signal. */
  readonly deadlineMs: number
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks several sources at once and sorts what comes back, each list in the order of the tasks. One that fails never
 * spoils the others; only the caller's own signal rejects the whole.
 */
export async function gather<Id extends string, T>(
  tasks: readonly Task<Id, T>[],
  { deadlineMs, clock, signal }: Options,
): Promise<{ answers: SourceAnswer<Id, T>[]; failures: SourceFailure<Id>[] }> {
  const began = clock.monotonic()
  const settled = await Promise.all(
    tasks.map(async (task): Promise<SourceAnswer<Id, T> | SourceFailure<Id>> => {
      const { source } = task
      try {
        const value = await withDeadline({ who: source, ms: deadlineMs, signal }, (own) => task.ask(own))
        return { source, value, elapsedMs: clock.monotonic() - began }
      } catch (cause) {
        signal?.throwIfAborted()
        const error =
          cause instanceof UpstreamError
            ? cause
            : new UpstreamError('unavailable', `${source} could not be asked`, { cause })
        return { source, error, elapsedMs: clock.monotonic() - began }
      }
    }),
  )
  return {
    answers: settled.filter((each) => 'value' in each),
    failures: settled.filter((each) => 'error' in each),
  }
}
