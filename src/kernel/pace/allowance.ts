import type { Random } from '../random.ts'
import { createBucket } from './bucket.ts'

/** The request rate one host allows, learnt from its answers. Times are milliseconds of the monotonic clock. */
export type Allowance = {
  /** How long until the next question may be sent: 0 for now, Infinity where answers have to come first. */
  waitMs(now: number): number
  sent(now: number): SentRequest
  /** It answered. `hungry`: others were waiting for their turn. */
  passed(question: SentRequest, now: number, hungry: boolean): void
  /** Neither an answer nor a refusal. */
  failed(question: SentRequest, now: number): void
  /** It said that we ask too often, and perhaps for how long to stay away. */
  refused(question: SentRequest, now: number, retryAfterMs: number | undefined): void
  /** How long `count` further questions take to be sent. */
  estimateMs(now: number, count: number): number
  /** Questions a second, where a limit is known. */
  readonly rate: number | undefined
  readonly pauseUntil: number
}

export type SentRequest = { readonly at: number; readonly burst: number }

type Options = {
  readonly random: Random
  /** How many questions a host we know nothing of gets at once, before it has shown that it takes more. */
  readonly initialBurst: number
}

/** Used if a refusal has no Retry-After. Doubled with every refusal in a row. */
const DEFAULT_PAUSE_MS = 1000
/** Lower bound for Retry-After: a host that says 0 and goes on refusing would be asked in a loop. */
const MIN_PAUSE_MS = 50
const MAX_DEFAULT_PAUSE_MS = 60_000
/** How far back the first estimate looks, however long the host wants to be left alone. */
const MAX_LOOK_BACK_MS = 60_000
const MIN_SAMPLES = 10
const MAX_RECENT = 1024
/** Requests a second that every host accepts. */
const TRIAL_RATE_PER_SECOND = 20
/** How much of the time an answer takes is believed to be the host's own, and not spent on the way there. */
const TRUSTED_LATENCY_MS = 200
/** On a line with much jitter doubts never end. */
const MAX_DOUBTS = 5
const MIN_RATE_PER_SECOND = 1 / 60
const MAX_RATE_PER_SECOND = 10_000
/** While the limit is a guess: almost a tenth more every second, less where the host thinks in longer spans. */
const SEARCH_STEP = 0.08
/** Once it has been met again: how many answers it takes to come close, for each refusal it cost the last time. */
const ANSWERS_PER_REFUSAL = 80
/** And how many times as long as the rest it cost. */
const MIN_PAUSES_BETWEEN_REFUSALS = 8
/** Share of the refused rate that is approached; the refused rate itself is never tried again. */
const TARGET_SHARE = 0.97

/** One time the host refused; refusals of requests sent before `at` belong to it. */
type LimitHit = {
  /** Everything sent before this belongs to it. */
  readonly at: number
  readonly refusedSentAt: number
  readonly restMs: number
  readonly asked: number
  refusals: number
  estimate(passes: number): number
}

const clampRate = (rate: number): number => Math.min(Math.max(rate, MIN_RATE_PER_SECOND), MAX_RATE_PER_SECOND)

export function createAllowance({ random, initialBurst }: Options): Allowance {
  let mode: 'trial' | 'open' | 'limited' = 'trial'
  let pauseUntil = 0

  // The trial: a flight of questions, then silence until all of them have been answered. The bucket is a little larger
  // than that of a host with a limit would be; when it is empty, the last question was one too many for such a host.
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

  // The limit: a bucket that fills at the rate learnt.
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
    // One that is to settle a doubt goes on with the count.
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

  const countTrialAnswer = (question: SentRequest, now: number): void => {
    if (mode !== 'trial' || question.burst !== burst) return
    fastestMs = Math.min(fastestMs, now - question.at)
    burstUnderWay--
    if (!isHeld) return
    if (burstUnderWay === 0) {
      burstLastAt = now
      // The questions may have arrived as far apart as this, and the host had time to forgive some.
      const forgiven = ((now - trialBegan - fastestMs) * TRIAL_RATE_PER_SECOND) / 1000
      if (trialSent >= initialBurst + Math.floor(forgiven) || ++doubts > MAX_DOUBTS) {
        mode = 'open'
      } else {
        isHeld = false
        trial.take(now, -2 - forgiven)
      }
    } else if (burstUnderWay === Math.floor(burstSent / 2)) {
      // One slow answer must not hold up the rest.
      stragglerDeadline = now + (now - trialBegan) + 100
    }
  }

  /** The first time: what went through in a while, over that while and the rest that it cost. */
  const firstHit = (question: SentRequest, restMs: number): Pick<LimitHit, 'asked' | 'estimate'> => {
    const lookBackMs = Math.min(Math.max(restMs, DEFAULT_PAUSE_MS), MAX_LOOK_BACK_MS)
    const counted = recent.filter((at) => at >= question.at - lookBackMs)
    const spanMs = question.at - (counted[0] ?? question.at) + Math.max(restMs, DEFAULT_PAUSE_MS)
    // Where hardly anybody asked, what went through says little about what could have.
    const few = counted.length < MIN_SAMPLES ? MIN_SAMPLES : 0
    return { asked: counted.length, estimate: (passes) => (0.95 * Math.max(passes, few) * 1000) / spanMs }
  }

  /**
   * Later: what went through since then. A bucket was filled during the rest too, a window began only after it; the
   * truth lies between.
   */
  const laterHit = (question: SentRequest, { refusedSentAt }: LimitHit): Pick<LimitHit, 'asked' | 'estimate'> => {
    const refused = bucket.rate
    const withRestMs = Math.max(question.at - refusedSentAt, 1)
    const withoutRestMs = Math.max(question.at - firstSentSincePause, 1)
    refusedRate = refused
    return {
      asked: sentSincePause,
      estimate(passes) {
        const least = (passes * 1000) / withRestMs
        return Math.min(Math.sqrt(least * Math.min((passes * 1000) / withoutRestMs, refused)), 0.95 * refused)
      },
    }
  }

  const learn = ({ asked, refusals, estimate }: LimitHit): void => {
    const passes = Math.max(asked - refusals, 0.5)
    const rate = clampRate(estimate(passes))
    bucket.set(rate, Math.max(1, Math.min(passes / 4, rate / 10)))
  }

  const grow = ({ restMs, refusals }: LimitHit): void => {
    const { rate } = bucket
    // Each time costs its refusals and a rest; both have to be worth it.
    const answers = Math.max(ANSWERS_PER_REFUSAL * refusals, (MIN_PAUSES_BETWEEN_REFUSALS * rate * restMs) / 1000)
    const step =
      refusedRate === undefined
        ? SEARCH_STEP * Math.min(Math.sqrt(DEFAULT_PAUSE_MS / restMs), 1)
        : Math.max(TARGET_SHARE * refusedRate - rate, 0.05 * refusedRate) / answers
    bucket.set(clampRate(rate + step))
    // Beyond what was refused before: the host has become more generous.
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
      return { at: now, burst: burst }
    },
    passed(question, now, hungry) {
      countTrialAnswer(question, now)
      if (!lastHit || question.at < lastHit.at) return
      refusalsInARow = 0
      if (hungry) grow(lastHit)
    },
    failed: countTrialAnswer,
    refused(question, now, retryAfterMs) {
      const same = lastHit && question.at < lastHit.at ? lastHit : undefined
      const guess = same?.restMs ?? Math.min(DEFAULT_PAUSE_MS * 2 ** refusalsInARow, MAX_DEFAULT_PAUSE_MS)
      const restMs = Math.max(retryAfterMs ?? guess, MIN_PAUSE_MS)
      // Jitter: other clients that were refused must not all come back at once.
      pauseUntil = Math.max(pauseUntil, now + restMs + random.fraction() * Math.min(restMs / 20, 250))
      if (same) {
        same.refusals++
      } else {
        refusalsInARow++
        const met = lastHit ? laterHit(question, lastHit) : firstHit(question, restMs)
        lastHit = { ...met, at: now, refusedSentAt: question.at, restMs, refusals: 1 }
      }
      mode = 'limited'
      learn(lastHit!)
      bucket.restart(pauseUntil)
      sentSincePause = 0
      recent = []
    },
    estimateMs(now, count) {
      const rest = Math.max(pauseUntil - now, 0)
      return mode === 'limited' ? rest + bucket.waitMs(now + rest, count) : rest
    },
    get rate() {
      return mode === 'limited' ? bucket.rate : undefined
    },
    get pauseUntil() {
      return pauseUntil
    },
  }
}
