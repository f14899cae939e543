import type { Clock } from './clock.ts'
import { withTimeout } from './timeout.ts'
import { UpstreamError } from './errors.ts'

/** One source and the function that queries it. */
export type Task<Id extends string, T> = { readonly source: Id; run(signal: AbortSignal): Promise<T> }

export type SourceAnswer<Id extends string, T> = { readonly source: Id; readonly value: T; readonly elapsedMs: number }
export type SourceFailure<Id extends string> = {
  readonly source: Id
  readonly error: UpstreamError
  readonly elapsedMs: number
}

type Options = {
  /** For each source, from the start. Also ends a source that does not listen to its signal. */
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

/**
 * Queries several sources concurrently under one timeout. Answers and failures are in the order of the tasks. A source
 * that fails does not affect the others; only the caller's own signal rejects the whole.
 */
export async function gather<Id extends string, T>(
  tasks: readonly Task<Id, T>[],
  { timeoutMs, clock, signal }: Options,
): Promise<{ answers: SourceAnswer<Id, T>[]; failures: SourceFailure<Id>[] }> {
  const began = clock.monotonic()
  const settled = await Promise.all(
    tasks.map(async (task): Promise<SourceAnswer<Id, T> | SourceFailure<Id>> => {
      const { source } = task
      try {
        const value = await withTimeout({ who: source, timeoutMs, signal }, (own) => task.run(own))
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
