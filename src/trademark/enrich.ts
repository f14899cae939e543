import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { withDeadline } from '../kernel/deadline.ts'
import { UpstreamError } from '../kernel/errors.ts'
import { createLimit } from '../kernel/limit.ts'
import type { Log } from '../kernel/log.ts'
import type { CaseStatus, RecordSystem } from './record-system.ts'

type Needs = {
  readonly system: RecordSystem
  readonly clock: Clock
  readonly log?: Pick<Log, 'warn'>
  /** For each record, from the moment it is asked for: waiting for a turn counts. */
  readonly deadlineMs?: number
  /** Records asked for at the same time, of all searches together. */
  readonly concurrent?: number
}

/** What is known of each of these, in their order; null where it could not be told in time. Never fails. */
export type Enrich = (serials: readonly string[], signal: AbortSignal) => Promise<(CaseStatus | null)[]>

const DEADLINE_MS = 1_500
const CONCURRENT = 4
/** Ten searches of the largest size. */
const WAITING = 1_000
const KEPT = 20_000
const KEPT_MS = 3_600_000

/** After so many failures in a row nobody has to wait for the next one. */
const PATIENCE = 5
const PAUSE_MS = 30_000
/** A key does not get better by itself. */
const REFUSED_PAUSE_MS = 300_000

/**
 * Asks a record system about the results of a search. A result it fails for does not spoil the others, and one that is
 * down, busy or refuses us is left alone for a while, so that searches are as fast as without it.
 */
export function createEnrich(needs: Needs): Enrich {
  const { system, clock, log, deadlineMs = DEADLINE_MS, concurrent = CONCURRENT } = needs
  const cache = createCache<CaseStatus | null>({ name: 'trademark records', max: KEPT, clock })
  const turns = createLimit({ name: 'trademark records', concurrent, queue: WAITING })
  let failures = 0
  let resumesAt = -Infinity

  const pause = (ms: number, error: UpstreamError) => {
    resumesAt = clock.monotonic() + ms
    failures = 0
    log?.warn({ error, pauseMs: ms }, 'The trademark record system fails; results come without its data for a while.')
  }

  const failed = (error: UpstreamError) => {
    // Those that were under way when it was left alone say nothing new.
    if (clock.monotonic() < resumesAt) return
    failures++
    if (error.failure === 'rate_limited') pause(error.retryAfterMs ?? PAUSE_MS, error)
    else if (error.failure === 'auth_error') pause(REFUSED_PAUSE_MS, error)
    else if (failures >= PATIENCE) pause(PAUSE_MS, error)
  }

  const ask = (serial: string, signal: AbortSignal, onTurn: () => void) =>
    turns.run(async () => {
      onTurn()
      if (clock.monotonic() < resumesAt) throw new UpstreamError('unavailable', 'the record system is left alone')
      const value = await system.look(serial, signal)
      failures = 0
      return { value, ttlMs: KEPT_MS }
    }, signal)

  const look = async (serial: string, signal: AbortSignal): Promise<CaseStatus | null> => {
    let hadTurn = false
    const load = (loading: AbortSignal) => ask(serial, loading, () => (hadTurn = true))
    try {
      const run = (own: AbortSignal) => cache.through(serial, load, { signal: own })
      return (await withDeadline({ who: 'the record system', ms: deadlineMs, signal }, run)).value
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof UpstreamError)) throw error
      // Who was too late in line learned nothing about the system.
      if (hadTurn) failed(error)
      return null
    }
  }
  return (serials, signal) => Promise.all(serials.map((serial) => look(serial, signal)))
}
