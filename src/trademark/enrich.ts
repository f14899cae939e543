import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { withTimeout } from '../kernel/timeout.ts'
import { UpstreamError } from '../kernel/errors.ts'
import { createConcurrencyLimit } from '../kernel/concurrency-limit.ts'
import type { Log } from '../kernel/log.ts'
import type { CaseStatus, RecordSystem } from './record-system.ts'

type Needs = {
  readonly system: RecordSystem
  readonly clock: Clock
  readonly log?: Pick<Log, 'warn'>
  /** Per record, including the time in the queue. */
  readonly timeoutMs?: number
  /** Concurrent requests of all searches together. */
  readonly maxConcurrent?: number
}

/** The current status of each record, in the given order; null if it failed or timed out. Rejects only on abort. */
export type Enrich = (serials: readonly string[], signal: AbortSignal) => Promise<(CaseStatus | null)[]>

const TIMEOUT_MS = 1_500
const MAX_CONCURRENT = 4
/** Ten searches of the maximum size. */
const MAX_QUEUE = 1_000
const MAX_CACHED = 20_000
const TTL_MS = 3_600_000

/** After this many failures in a row requests pause, so searches do not wait for another one. */
const MAX_FAILURES_IN_A_ROW = 5
const PAUSE_MS = 30_000
/** Longer: a rejected API key stays rejected until the operator changes it. */
const AUTH_PAUSE_MS = 300_000

/**
 * Loads current data for search results from a record system. One failed record does not affect the others. When the
 * system is down, rate-limited or rejects the key, requests pause, so searches are as fast as without it.
 */
export function createEnrich(needs: Needs): Enrich {
  const { system, clock, log, timeoutMs = TIMEOUT_MS, maxConcurrent = MAX_CONCURRENT } = needs
  const cache = createCache<CaseStatus | null>({ name: 'trademark records', max: MAX_CACHED, clock })
  const queue = createConcurrencyLimit({ name: 'trademark records', maxConcurrent, maxQueue: MAX_QUEUE })
  let failures = 0
  let resumesAt = -Infinity

  const pause = (ms: number, error: UpstreamError) => {
    resumesAt = clock.monotonic() + ms
    failures = 0
    log?.warn(
      { error, pauseMs: ms },
      'The trademark record system fails. Requests to it are paused; results have no data from it meanwhile.',
    )
  }

  const countFailure = (error: UpstreamError) => {
    // Requests that were in flight when the pause began add no information.
    if (clock.monotonic() < resumesAt) return
    failures++
    if (error.failure === 'rate_limited') pause(error.retryAfterMs ?? PAUSE_MS, error)
    else if (error.failure === 'auth_error') pause(AUTH_PAUSE_MS, error)
    else if (failures >= MAX_FAILURES_IN_A_ROW) pause(PAUSE_MS, error)
  }

  const request = (serial: string, signal: AbortSignal, onTurn: () => void) =>
    queue.run(async () => {
      onTurn()
      if (clock.monotonic() < resumesAt)
        throw new UpstreamError('unavailable', 'requests to the record system are paused')
      const value = await system.lookUp(serial, signal)
      failures = 0
      return { value, ttlMs: TTL_MS }
    }, signal)

  const lookUp = async (serial: string, signal: AbortSignal): Promise<CaseStatus | null> => {
    let hadTurn = false
    const load = (loading: AbortSignal) => request(serial, loading, () => (hadTurn = true))
    try {
      const run = (own: AbortSignal) => cache.getOrLoad(serial, load, { signal: own })
      return (await withTimeout({ who: 'the record system', timeoutMs, signal }, run)).value
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof UpstreamError)) throw error
      // A timeout in the queue says nothing about the system.
      if (hadTurn) countFailure(error)
      return null
    }
  }
  return (serials, signal) => Promise.all(serials.map((serial) => lookUp(serial, signal)))
}
