import type { Random } from '../random.ts'
import { createBucket } from './bucket.ts'
import {
  clampRate,
  DEFAULT_PAUSE_MS,
  estimateFirst,
  estimateLater,
  growRate,
  type LimitHit,
  MAX_RATE_PER_SECOND,
} from './limit-hit.ts'
import { createTrial, type SentRequest } from './trial.ts'

/** The rate limit of one host, learnt from its answers. Times are milliseconds of the monotonic clock. */
export type Allowance = {
  /**
   * How long until the next request may be sent: 0 for now, Infinity if an answer must come first. `isNew`: it is of a
   * client that has sent nothing lately; the last token of a burst is kept for such a request.
   */
  waitMs(now: number, isNew: boolean): number
  sent(now: number): SentRequest
  /** The host answered. `hasQueue`: other requests were queued. */
  passed(request: SentRequest, now: number, hasQueue: boolean): void
  /** Neither an answer nor a refusal. */
  failed(request: SentRequest, now: number): void
  /** The host rate-limited the request, perhaps with a Retry-After. */
  refused(request: SentRequest, now: number, retryAfterMs: number | undefined): void
  /** How long it takes to send `count` further requests. */
  estimateMs(now: number, count: number): number
  /** Requests per second; undefined if no limit is known. */
  readonly rate: number | undefined
  readonly pauseUntil: number
}

type Options = {
  readonly random: Random
  /** Requests sent at once to an unknown host, before it has shown that it accepts more. */
  readonly initialBurst: number
}

/** Lower bound for Retry-After: a host that sends 0 and keeps refusing would be asked in a loop. */
const MIN_PAUSE_MS = 50
const MAX_DEFAULT_PAUSE_MS = 60_000
/** Send times that are remembered for the first estimate. */
const MAX_RECENT = 1024

export function createAllowance({ random, initialBurst }: Options): Allowance {
  const trial = createTrial(initialBurst)
  let pauseUntil = 0
  // The limit, known after the first hit: a bucket that fills at the learnt rate.
  const bucket = createBucket(1, MAX_RATE_PER_SECOND)
  let lastHit: LimitHit | undefined
  /** The rate that was refused; unknown while searching for it. */
  let refusedRate: number | undefined
  let refusalsInARow = 0
  let sentSincePause = 0
  let firstSentSincePause = 0
  let recent: number[] = []

  const estimate = (refusedSentAt: number, pauseMs: number) => {
    if (!lastHit) return estimateFirst(refusedSentAt, pauseMs, recent)
    refusedRate = bucket.rate
    return estimateLater(refusedSentAt, lastHit, {
      count: sentSincePause,
      firstAt: firstSentSincePause,
      rate: refusedRate,
    })
  }

  const learn = (hit: LimitHit): void => {
    const passes = Math.max(hit.sent - hit.refusals, 0.5)
    const rate = clampRate(hit.estimate(passes))
    bucket.set(rate, Math.max(1, Math.min(passes / 4, rate / 10)))
  }

  const grow = (hit: LimitHit): void => {
    const { rate } = bucket
    bucket.set(growRate(rate, refusedRate, hit))
    // Above the rate that was refused before: the host now allows more.
    if (refusedRate !== undefined && rate > 1.05 * refusedRate) refusedRate = undefined
  }

  return {
    waitMs(now, isNew) {
      if (now < pauseUntil) return pauseUntil - now
      if (!lastHit) return trial.waitMs(now)
      // A bucket that holds a single token has none to spare.
      return bucket.waitMs(now, isNew ? 1 : Math.min(bucket.size, 2))
    },
    sent(now) {
      if (lastHit) {
        bucket.take(now)
        if (sentSincePause++ === 0) firstSentSincePause = now
      } else {
        recent.push(now)
        if (recent.length >= 2 * MAX_RECENT) recent = recent.slice(-MAX_RECENT)
      }
      return { at: now, burst: trial.sent(now) }
    },
    passed(request, now, hasQueue) {
      trial.answered(request, now)
      if (!lastHit || request.at < lastHit.at) return
      refusalsInARow = 0
      if (hasQueue) grow(lastHit)
    },
    failed: trial.answered,
    refused(request, now, retryAfterMs) {
      const same = lastHit && request.at < lastHit.at ? lastHit : undefined
      const defaultPauseMs = same?.pauseMs ?? Math.min(DEFAULT_PAUSE_MS * 2 ** refusalsInARow, MAX_DEFAULT_PAUSE_MS)
      const pauseMs = Math.max(retryAfterMs ?? defaultPauseMs, MIN_PAUSE_MS)
      // Jitter: other clients that were refused must not all come back at once.
      pauseUntil = Math.max(pauseUntil, now + pauseMs + random.fraction() * Math.min(pauseMs / 20, 250))
      if (same) {
        same.refusals++
      } else {
        refusalsInARow++
        const estimated = estimate(request.at, pauseMs)
        lastHit = { ...estimated, at: now, refusedSentAt: request.at, pauseMs, refusals: 1 }
      }
      trial.end()
      learn(lastHit!)
      bucket.restart(pauseUntil)
      sentSincePause = 0
      recent = []
    },
    estimateMs(now, count) {
      const pauseMs = Math.max(pauseUntil - now, 0)
      return lastHit ? pauseMs + bucket.waitMs(now + pauseMs, count) : pauseMs
    },
    get rate() {
      return lastHit && bucket.rate
    },
    get pauseUntil() {
      return pauseUntil
    },
  }
}
