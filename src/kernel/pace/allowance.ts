import type { Random } from '../random.ts'
import { createBucket } from './bucket.ts'

/** The rate limit of one host, learnt from its answers. Times are milliseconds of the monotonic clock. */
export type Allowance = {
  /** How long until the next request may be sent: 0 for now, Infinity if an answer must come first. */
  waitMs(now: number): number
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

export type SentRequest = { readonly at: number; readonly burst: number }

type Options = {
  readonly random: Random
  /** Requests sent at once to an unknown host, before it has shown that it accepts more. */
  readonly initialBurst: number
}

/** Backoff if a refusal has no Retry-After. Doubled with every consecutive refusal. */
const DEFAULT_PAUSE_MS = 1000
/** Lower bound for Retry-After: a host that sends 0 and keeps refusing would be asked in a loop. */
const MIN_PAUSE_MS = 50
const MAX_DEFAULT_PAUSE_MS = 60_000
/** How far back the first estimate looks, however long the Retry-After is. */
const MAX_LOOK_BACK_MS = 60_000
/** With fewer requests before the first refusal, this many are assumed. */
const MIN_SAMPLES = 10
/** Send times that are remembered for the first estimate. */
const MAX_RECENT = 1024
/** A rate that every host accepts. */
const TRIAL_RATE_PER_SECOND = 20
/** Longest part of a response time that counts as the host's own, not as network latency. */
const TRUSTED_LATENCY_MS = 200
/** Further bursts after an inconclusive trial. Limited, because with much jitter every trial is inconclusive. */
const MAX_DOUBTS = 5
const MIN_RATE_PER_SECOND = 1 / 60
const MAX_RATE_PER_SECOND = 10_000
/** While the limit is unknown: growth of the rate per answer, less if the host has long pauses. */
const SEARCH_STEP = 0.08
/** Once the limit is known: answers until the rate is close to it again, per refusal at the last hit. */
const ANSWERS_PER_REFUSAL = 80
/** The time between two hits is at least this many times the pause they cost. */
const MIN_PAUSES_BETWEEN_REFUSALS = 8
/** Share of the refused rate that is approached; the refused rate itself is never tried again. */
const TARGET_SHARE = 0.97

/** One time the host refused; refusals of requests sent before `at` belong to it. */
type LimitHit = {
  readonly at: number
  readonly refusedSentAt: number
  readonly pauseMs: number
  /** Requests sent since the last pause. */
  readonly sent: number
  refusals: number
  estimate(passes: number): number
}

const clampRate = (rate: number): number => Math.min(Math.max(rate, MIN_RATE_PER_SECOND), MAX_RATE_PER_SECOND)

export function createAllowance({ random, initialBurst }: Options): Allowance {
  let mode: 'trial' | 'open' | 'limited' = 'trial'
  let pauseUntil = 0

  // The trial: a burst of requests, then none until all of them are answered. The bucket is one larger than that of a
  // host with a common limit: when it is empty, such a host has refused the last request.
  const trial = createBucket(initialBurst, TRIAL_RATE_PER_SECOND)
  let burst = 0
  let burstSent = 0
  let burstUnderWay = 0
  let burstLastAt = 0
  let trialBegan = 0
  let trialSent = 0
  let fastestMs = TRUSTED_LATENCY_MS
  let isHeld = false
  let doubts = 0
  let stragglerDeadline = Infinity

  // The limit: a bucket that fills at the learnt rate.
  const bucket = createBucket(1, MAX_RATE_PER_SECOND)
  /** The rate that was refused; unknown while searching for it. */
  let refusedRate: number | undefined
  let lastHit: LimitHit | undefined
  let refusalsInARow = 0
  let sentSincePause = 0
  let firstSentSincePause = 0
  let recent: number[] = []

  const beginBurst = (now: number): void => {
    burst++
    burstSent = 0
    stragglerDeadline = Infinity
    // A burst that repeats an inconclusive trial continues its count.
    if (doubts > 0 && now - burstLastAt < TRUSTED_LATENCY_MS) return
    trialBegan = now
    trialSent = 0
    doubts = 0
    fastestMs = TRUSTED_LATENCY_MS
  }

  const countTrialSend = (now: number): void => {
    if (burstUnderWay === 0) beginBurst(now)
    burstSent++
    trialSent++
    burstUnderWay++
    burstLastAt = now
    trial.take(now)
    isHeld = trial.waitMs(now) > 0
  }

  const countTrialAnswer = (request: SentRequest, now: number): void => {
    if (mode !== 'trial' || request.burst !== burst) return
    fastestMs = Math.min(fastestMs, now - request.at)
    burstUnderWay--
    if (!isHeld) return
    if (burstUnderWay === 0) {
      burstLastAt = now
      // The requests may have arrived this far apart, and the host's own bucket was refilled meanwhile.
      const refilled = ((now - trialBegan - fastestMs) * TRIAL_RATE_PER_SECOND) / 1000
      if (trialSent >= initialBurst + Math.floor(refilled) || ++doubts > MAX_DOUBTS) {
        mode = 'open'
      } else {
        isHeld = false
        trial.take(now, -2 - refilled)
      }
    } else if (burstUnderWay === Math.floor(burstSent / 2)) {
      // One slow answer must not hold up the rest.
      stragglerDeadline = now + (now - trialBegan) + 100
    }
  }

  /** The first refusal: accepted requests, divided by the time they took and the pause after them. */
  const firstHit = (request: SentRequest, pauseMs: number): Pick<LimitHit, 'sent' | 'estimate'> => {
    const lookBackMs = Math.min(Math.max(pauseMs, DEFAULT_PAUSE_MS), MAX_LOOK_BACK_MS)
    const counted = recent.filter((at) => at >= request.at - lookBackMs)
    const spanMs = request.at - (counted[0] ?? request.at) + Math.max(pauseMs, DEFAULT_PAUSE_MS)
    // A few accepted requests say little about how many would have been accepted.
    const minPasses = counted.length < MIN_SAMPLES ? MIN_SAMPLES : 0
    return { sent: counted.length, estimate: (passes) => (0.95 * Math.max(passes, minPasses) * 1000) / spanMs }
  }

  /**
   * A later refusal: requests accepted since the last one. A host with a token bucket also refilled it during the pause,
   * a host with a fixed window started the window after it; the estimate is between the two.
   */
  const laterHit = (request: SentRequest, { refusedSentAt }: LimitHit): Pick<LimitHit, 'sent' | 'estimate'> => {
    const refused = bucket.rate
    const withPauseMs = Math.max(request.at - refusedSentAt, 1)
    const withoutPauseMs = Math.max(request.at - firstSentSincePause, 1)
    refusedRate = refused
    return {
      sent: sentSincePause,
      estimate(passes) {
        const least = (passes * 1000) / withPauseMs
        return Math.min(Math.sqrt(least * Math.min((passes * 1000) / withoutPauseMs, refused)), 0.95 * refused)
      },
    }
  }

  const learn = ({ sent, refusals, estimate }: LimitHit): void => {
    const passes = Math.max(sent - refusals, 0.5)
    const rate = clampRate(estimate(passes))
    bucket.set(rate, Math.max(1, Math.min(passes / 4, rate / 10)))
  }

  const grow = ({ pauseMs, refusals }: LimitHit): void => {
    const { rate } = bucket
    // Each hit costs refusals and a pause: the more it cost, the slower the rate grows.
    const answers = Math.max(ANSWERS_PER_REFUSAL * refusals, (MIN_PAUSES_BETWEEN_REFUSALS * rate * pauseMs) / 1000)
    const step =
      refusedRate === undefined
        ? SEARCH_STEP * Math.min(Math.sqrt(DEFAULT_PAUSE_MS / pauseMs), 1)
        : Math.max(TARGET_SHARE * refusedRate - rate, 0.05 * refusedRate) / answers
    bucket.set(clampRate(rate + step))
    // Above the rate that was refused before: the host now allows more.
    if (refusedRate !== undefined && rate > 1.05 * refusedRate) refusedRate = undefined
  }

  return {
    waitMs(now) {
      if (now < pauseUntil) return pauseUntil - now
      if (mode === 'trial') {
        if (!isHeld) return 0
        if (now < stragglerDeadline) return stragglerDeadline - now
        mode = 'open'
      }
      return mode === 'open' ? 0 : bucket.waitMs(now)
    },
    sent(now) {
      if (mode === 'trial') countTrialSend(now)
      if (mode === 'limited') {
        bucket.take(now)
        if (sentSincePause++ === 0) firstSentSincePause = now
      } else {
        recent.push(now)
        if (recent.length >= 2 * MAX_RECENT) recent = recent.slice(-MAX_RECENT)
      }
      return { at: now, burst }
    },
    passed(request, now, hasQueue) {
      countTrialAnswer(request, now)
      if (!lastHit || request.at < lastHit.at) return
      refusalsInARow = 0
      if (hasQueue) grow(lastHit)
    },
    failed: countTrialAnswer,
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
        const hit = lastHit ? laterHit(request, lastHit) : firstHit(request, pauseMs)
        lastHit = { ...hit, at: now, refusedSentAt: request.at, pauseMs, refusals: 1 }
      }
      mode = 'limited'
      learn(lastHit!)
      bucket.restart(pauseUntil)
      sentSincePause = 0
      recent = []
    },
    estimateMs(now, count) {
      const pauseMs = Math.max(pauseUntil - now, 0)
      return mode === 'limited' ? pauseMs + bucket.waitMs(now + pauseMs, count) : pauseMs
    },
    get rate() {
      return mode === 'limited' ? bucket.rate : undefined
    },
    get pauseUntil() {
      return pauseUntil
    },
  }
}
