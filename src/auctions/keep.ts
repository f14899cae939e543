import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { SourceId } from './auction.ts'
import type { SyncReport } from './sync.ts'

export type Kept = {
  readonly source: SourceId
  readonly intervalMs: number
  sync(signal: AbortSignal): Promise<SyncReport>
}

type Needs = {
  readonly sources: readonly Kept[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** After a failure the next try comes sooner than usual, and later with every failure more. */
const FIRST_RETRY_MS = 60_000
const BUSY_MS = 60_000
/** Instances that started together shall not go on asking together. */
const SPREAD = 0.1

/** Goes on syncing every source in its interval, each at its own pace; one source at a time, for one disk. */
export function keepSynced({ sources, clock, random, log, wait }: Needs) {
  const ending = new AbortController()
  const { signal } = ending
  let turn: Promise<unknown> = Promise.resolve()

  async function inTurn(kept: Kept): Promise<SyncReport> {
    const mine = turn.then(async () => {
      signal.throwIfAborted()
      return kept.sync(signal)
    })
    turn = mine.catch(() => {})
    return mine
  }

  async function keep(kept: Kept): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const began = clock.monotonic()
      const next = await inTurn(kept).then(
        (report) => {
          tell(log, report)
          failures = report.outcome === 'failed' ? failures + 1 : 0
          return pauseAfter(report, failures, kept.intervalMs)
        },
        (error: unknown) => {
          if (!signal.aborted) log.error({ source: kept.source, error }, 'An auction source could not be synced.')
          return pauseAfter(undefined, ++failures, kept.intervalMs)
        },
      )
      const spread = 1 + SPREAD * random.fraction()
      await wait(Math.max(1000, next * spread - (clock.monotonic() - began)), signal).catch(() => {})
    }
  }

  const kept = Promise.all(sources.map(keep))
  return {
    /** Stops what is under way; what was put stays. */
    async close(): Promise<void> {
      ending.abort(new Error('The service stops.'))
      await kept
    },
  }
}

function pauseAfter(report: SyncReport | undefined, failures: number, intervalMs: number): number {
  if (report?.outcome === 'busy') return Math.min(intervalMs, BUSY_MS)
  if (failures === 0) return intervalMs
  const backOff = Math.min(intervalMs, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20))
  // Without the right key there is nothing to hurry for.
  if (report?.retryable === false) return intervalMs
  return Math.max(backOff, report?.retryAfterMs ?? 0)
}

function tell(log: Log, report: SyncReport): void {
  const { outcome, kept } = report
  const facts = { ...report }
  if (outcome === 'failed') log.warn(facts, 'An auction source could not be synced; what was there stays.')
  else if (kept > 0)
    log.warn(facts, 'Too many live auctions were missing in a delivery to be believed gone; they stay.')
  else if (outcome === 'busy') log.debug(facts, 'Another process syncs this auction source.')
  else log.info(facts, 'An auction source was synced.')
}
