import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { FeedId } from './auction.ts'
import type { SyncReport } from './sync.ts'

export type ScheduledSource = {
  readonly source: FeedId
  readonly intervalMs: number
  sync(signal: AbortSignal): Promise<SyncReport>
}

type Needs = {
  readonly sources: readonly ScheduledSource[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Exponential backoff: the first retry comes sooner than the interval, and each further one later. */
const FIRST_RETRY_MS = 60_000
const BUSY_RETRY_MS = 60_000
/** Random jitter, so that instances started together do not keep polling together. */
const MAX_JITTER = 0.1

/** Syncs every source at its own interval, one source at a time to spare the disk. */
export function scheduleSyncs({ sources, clock, random, log, wait }: Needs) {
  const stopping = new AbortController()
  const { signal } = stopping
  let turn: Promise<unknown> = Promise.resolve()

  async function syncInTurn(scheduled: ScheduledSource): Promise<SyncReport> {
    const mine = turn.then(async () => {
      signal.throwIfAborted()
      return scheduled.sync(signal)
    })
    turn = mine.catch(() => {})
    return mine
  }

  async function syncRepeatedly(scheduled: ScheduledSource): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const began = clock.monotonic()
      const next = await syncInTurn(scheduled).then(
        (report) => {
          logReport(log, report)
          failures = report.outcome === 'failed' ? failures + 1 : 0
          return delayAfter(report, failures, scheduled.intervalMs)
        },
        (error: unknown) => {
          if (!signal.aborted) log.error({ source: scheduled.source, error }, 'An auction source could not be synced.')
          return delayAfter(undefined, ++failures, scheduled.intervalMs)
        },
      )
      const spread = 1 + MAX_JITTER * random.fraction()
      await wait(Math.max(1000, next * spread - (clock.monotonic() - began)), signal).catch(() => {})
    }
  }

  const loops = Promise.all(sources.map(syncRepeatedly))
  return {
    /** Stops the running sync. What it has written stays. */
    async close(): Promise<void> {
      stopping.abort(new Error('The service is stopping.'))
      await loops
    },
  }
}

function delayAfter(report: SyncReport | undefined, failures: number, intervalMs: number): number {
  if (report?.outcome === 'busy') return Math.min(intervalMs, BUSY_RETRY_MS)
  if (failures === 0) return intervalMs
  const backOff = Math.min(intervalMs, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20))
  // A wrong key is not fixed by retrying early.
  if (report?.retryable === false) return intervalMs
  return Math.max(backOff, report?.retryAfterMs ?? 0)
}

function logReport(log: Log, report: SyncReport): void {
  const { outcome, kept } = report
  const fields = { ...report }
  if (outcome === 'failed') log.warn(fields, 'An auction source could not be synced; its previous auctions stay.')
  else if (kept > 0)
    log.warn(fields, 'Many live auctions were missing from a delivery, which suggests a truncated feed; they are kept.')
  else if (outcome === 'busy') log.debug(fields, 'Another process is syncing this auction source.')
  else log.info(fields, 'An auction source was synced.')
}
