import type { Random } from '../random.ts'
import { createBucket } from './bucket.ts'

/** What one host lets us ask, learnt from how it answers. Times are milliseconds of a clock that never goes back. */
export type Allowance = {
  /** How long until the next question may be sent: 0 for now, Infinity where answers have to come first. */
  waitMs(now: number): number
  sent(now: number): Sent
  /** It answered. `hungry`: others were waiting for their turn. */
  passed(question: Sent, now: number, hungry: boolean): void
  /** Neither an answer nor a refusal. */
  failed(question: Sent, now: number): void
  /** It said that we ask too often, and perhaps for how long to stay away. */
  refused(question: Sent, now: number, retryAfterMs: number | undefined): void
  /** How long `count` further questions take to be sent. */
  estimateMs(now: number, count: number): number
  /** Questions a second, where a limit is known. */
  readonly rate: number | undefined
  readonly restUntil: number
}

export type Sent = { readonly at: number; readonly flight: number }

type Options = {
  readonly random: Random
  /** How many questions a host we know nothing of gets at once, before it has shown that it takes more. */
  readonly firstFlight: number
}

/** Where a refusal does not say for how long. Doubled as long as refusals follow each other. */
const DEFAULT_REST_MS = 1000
/** Whatever it says: one that says 0 and goes on refusing would be asked in circles. */
const MIN_REST_MS = 50
const MAX_GUESSED_REST_MS = 60_000
/** How far back the first estimate looks, however long the host wants to be left alone. */
const MAX_LOOK_BACK_MS = 60_000
const FEW = 10
const MAX_REMEMBERED = 1024
/** Questions a second that nobody minds. */
const TRICKLE = 20
/** How much of the time an answer takes is believed to be the host's own, and not spent on the way there. */
const TRUSTED_LATENCY_MS = 200
/** On a line with much jitter doubts never end. */
const MAX_DOUBTS = 5
const SLOWEST = 1 / 60
const FASTEST = 10_000
/** While the limit is a guess: almost a tenth more every second, less where the host thinks in longer spans. */
const SEARCH_STEP = 0.08
/** Once it has been met again: how many answers it takes to come close, for each refusal it cost the last time. */
const ANSWERS_PER_REFUSAL = 80
/** And how many times as long as the rest it cost. */
const RESTS_APART = 8
/** How close. What was refused is never asked for again, only approached. */
const CLOSE = 0.97

/** A moment the host refused, as long as refusals of the same flight come in. */
type Meeting = {
  /** Everything sent before this belongs to it. */
  readonly at: number
  readonly refusedSentAt: number
  readonly restMs: number
  readonly asked: number
  refusals: number
  estimate(passes: number): number
}

const within = (rate: number): number => Math.min(Math.max(rate, SLOWEST), FASTEST)

export function createAllowance({ random, firstFlight }: Options): Allowance {
  let mode: 'trial' | 'open' | 'limited' = 'trial'
  let restUntil = 0

  // The trial: a flight of questions, then silence until all of them have been answered. The bucket is a little larger
  // than that of a host with a limit would be; when it is empty, the last question was one too many for such a host.
  const trial = createBucket(firstFlight, TRICKLE)
  let flight = 0
  let flightSent = 0
  let flightUnderWay = 0
  let flightLast = 0
  let trialBegan = 0
  let trialSent = 0
  let fastestMs = TRUSTED_LATENCY_MS
  let isHeld = false
  let doubts = 0
  let patienceUntil = Infinity

  // The limit: a bucket that fills at the rate learnt.
  const bucket = createBucket(1, FASTEST)
  /** The rate that was refused; unknown while searching for it. */
  let most: number | undefined
  let meeting: Meeting | undefined
  let refusalsInARow = 0
  let sentSinceRest = 0
  let firstSinceRest = 0
  let recent: number[] = []

  const beginFlight = (now: number): void => {
    flight++
    flightSent = 0
    patienceUntil = Infinity
    // One that is to settle a doubt goes on with the count.
    if (doubts > 0 && now - flightLast < TRUSTED_LATENCY_MS) return
    trialBegan = now
    trialSent = 0
    doubts = 0
    fastestMs = TRUSTED_LATENCY_MS
  }

  const depart = (now: number): void => {
    if (flightUnderWay === 0) beginFlight(now)
    flightSent++
    trialSent++
    flightUnderWay++
    flightLast = now
    trial.take(now)
    isHeld = trial.waitMs(now) > 0
  }

  const landed = (question: Sent, now: number): void => {
    if (mode !== 'trial' || question.flight !== flight) return
    fastestMs = Math.min(fastestMs, now - question.at)
    flightUnderWay--
    if (!isHeld) return
    if (flightUnderWay === 0) {
      flightLast = now
      // The questions may have arrived as far apart as this, and the host had time to forgive some.
      const forgiven = ((now - trialBegan - fastestMs) * TRICKLE) / 1000
      if (trialSent >= firstFlight + Math.floor(forgiven) || ++doubts > MAX_DOUBTS) {
        mode = 'open'
      } else {
        isHeld = false
        trial.take(now, -2 - forgiven)
      }
    } else if (flightUnderWay === Math.floor(flightSent / 2)) {
      // A straggler must not hold up everybody.
      patienceUntil = now + (now - trialBegan) + 100
    }
  }

  /** The first time: what went through in a while, over that while and the rest that it cost. */
  const meetFirst = (question: Sent, restMs: number): Pick<Meeting, 'asked' | 'estimate'> => {
    const lookBackMs = Math.min(Math.max(restMs, DEFAULT_REST_MS), MAX_LOOK_BACK_MS)
    const counted = recent.filter((at) => at >= question.at - lookBackMs)
    const spanMs = question.at - (counted[0] ?? question.at) + Math.max(restMs, DEFAULT_REST_MS)
    // Where hardly anybody asked, what went through says little about what could have.
    const few = counted.length < FEW ? FEW : 0
    return { asked: counted.length, estimate: (passes) => (0.95 * Math.max(passes, few) * 1000) / spanMs }
  }

  /**
   * Later: what went through since then. A bucket was filled during the rest too, a window began only after it; the
   * truth lies between.
   */
  const meetAgain = (question: Sent, { refusedSentAt }: Meeting): Pick<Meeting, 'asked' | 'estimate'> => {
    const refused = bucket.rate
    const withRestMs = Math.max(question.at - refusedSentAt, 1)
    const withoutRestMs = Math.max(question.at - firstSinceRest, 1)
    most = refused
    return {
      asked: sentSinceRest,
      estimate(passes) {
        const least = (passes * 1000) / withRestMs
        return Math.min(Math.sqrt(least * Math.min((passes * 1000) / withoutRestMs, refused)), 0.95 * refused)
      },
    }
  }

  const learn = ({ asked, refusals, estimate }: Meeting): void => {
    const passes = Math.max(asked - refusals, 0.5)
    const rate = within(estimate(passes))
    bucket.set(rate, Math.max(1, Math.min(passes / 4, rate / 10)))
  }

  const grow = ({ restMs, refusals }: Meeting): void => {
    const { rate } = bucket
    // Each time costs its refusals and a rest; both have to be worth it.
    const answers = Math.max(ANSWERS_PER_REFUSAL * refusals, (RESTS_APART * rate * restMs) / 1000)
    const step =
      most === undefined
        ? SEARCH_STEP * Math.min(Math.sqrt(DEFAULT_REST_MS / restMs), 1)
        : Math.max(CLOSE * most - rate, 0.05 * most) / answers
    bucket.set(within(rate + step))
    // Beyond what was refused before: the host has become more generous.
    if (most !== undefined && rate > 1.05 * most) most = undefined
  }

  return {
    waitMs(now) {
      if (now < restUntil) return restUntil - now
      if (mode === 'trial') {
        if (!isHeld) return 0
        if (now < patienceUntil) return patienceUntil - now
        mode = 'open'
      }
      return mode === 'open' ? 0 : bucket.waitMs(now)
    },
    sent(now) {
      if (mode === 'trial') depart(now)
      if (mode === 'limited') {
        bucket.take(now)
        if (sentSinceRest++ === 0) firstSinceRest = now
      } else {
        recent.push(now)
        if (recent.length >= 2 * MAX_REMEMBERED) recent = recent.slice(-MAX_REMEMBERED)
      }
      return { at: now, flight }
    },
    passed(question, now, hungry) {
      landed(question, now)
      if (!meeting || question.at < meeting.at) return
      refusalsInARow = 0
      if (hungry) grow(meeting)
    },
    failed: landed,
    refused(question, now, retryAfterMs) {
      const same = meeting && question.at < meeting.at ? meeting : undefined
      const guess = same?.restMs ?? Math.min(DEFAULT_REST_MS * 2 ** refusalsInARow, MAX_GUESSED_REST_MS)
      const restMs = Math.max(retryAfterMs ?? guess, MIN_REST_MS)
      // Whoever else was told the same should not come back in the same moment.
      restUntil = Math.max(restUntil, now + restMs + random.fraction() * Math.min(restMs / 20, 250))
      if (same) {
        same.refusals++
      } else {
        refusalsInARow++
        const met = meeting ? meetAgain(question, meeting) : meetFirst(question, restMs)
        meeting = { ...met, at: now, refusedSentAt: question.at, restMs, refusals: 1 }
      }
      mode = 'limited'
      learn(meeting!)
      bucket.restart(restUntil)
      sentSinceRest = 0
      recent = []
    },
    estimateMs(now, count) {
      const rest = Math.max(restUntil - now, 0)
      return mode === 'limited' ? rest + bucket.waitMs(now + rest, count) : rest
    },
    get rate() {
      return mode === 'limited' ? bucket.rate : undefined
    },
    get restUntil() {
      return restUntil
    },
  }
}
