import type { Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { createAllowance } from './allowance.ts'
import { createHostHealth, kindOf } from './health.ts'
import { createLanes } from './lanes.ts'

/** One host: who waits for it, who asks it, and when the next may. */
export type PacedHost = {
  run<T>(ask: Ask<T>, turn: Place): Promise<T>
  estimateMs(count: number): number
  state(): HostState
  readonly isIdle: boolean
}

/** Another way to the same answer. */
export type Alternative = {
  /** Called when the host has had half as long again as it usually takes. */
  readonly onSlow: () => void
}

type Place = {
  readonly signal: AbortSignal | undefined
  readonly deadlineMs: number
  readonly lane: string
  readonly alternative: Alternative | undefined
}

/** `deadlineMs` is what is left of the caller's time. */
export type Ask<T> = (turn: { readonly signal: AbortSignal; readonly deadlineMs: number }) => Promise<T>

export type HostState = {
  readonly waiting: number
  readonly underWay: number
  /** Questions a second, where the host has shown a limit. */
  readonly rate: number | undefined
  /** Milliseconds it has asked to be left alone for. */
  readonly restMs: number
}

export type HostOptions = {
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly concurrent: number
  /** Most questions present, waiting or under way. */
  readonly maxQuestions: number
  readonly firstFlight: number
  /** How often one question is asked again after being refused, and after failing. */
  readonly refusals: number
  readonly failures: number
  /** Stretches the times after which a host counts as slow or failed. */
  readonly timeoutScale: number
}

type Question = {
  readonly lane: string
  readonly deadlineAt: number
  readonly alternative: Alternative | undefined
  refusals: number
  failures: number
  /** How the last try failed, while the question waits for the next. */
  lastFailure: UpstreamError | undefined
  askOnce(): Promise<void>
  reject(error: unknown): void
}

/** Why a wait ends early. Made once: nobody sees it, and an error for every question is dear. */
const OVER = new Error('the question is over')
const FIRST_PAUSE_MS = 50
/** A timer of one millisecond that takes longer than this tells of a busy process. */
const CALM_MS = 20
/** Retries after a failure where the question can go elsewhere, and where no connection comes about. */
const MAX_FAILURES_WITH_ALTERNATIVE = 2
const MAX_FAILURES_UNREACHABLE = 2

export function createPacedHost({ name, clock, random, wait, concurrent, ...options }: HostOptions): PacedHost {
  const lanes = createLanes<Question>()
  const allowance = createAllowance({ random, firstFlight: options.firstFlight })
  const health = createHostHealth({ random, timeoutScale: options.timeoutScale })
  let present = 0
  let underWay = 0
  let wake: { readonly at: number; readonly cancel: AbortController } | undefined

  /** Does something later, unless the signal comes first. */
  const after = (ms: number, signal: AbortSignal, act: () => void): void => {
    wait(ms, signal).then(act, () => {})
  }

  /** Sends whatever may be sent, and sees to it that somebody looks again when more may. */
  const pump = (): void => {
    while (lanes.size > 0 && underWay < concurrent) {
      const now = clock.monotonic()
      const ms = Math.max(allowance.waitMs(now), health.waitMs(now, underWay))
      if (ms > 0) return wakeAt(now + ms)
      underWay++
      void lanes
        .next()!
        .askOnce()
        .finally(() => {
          underWay--
          pump()
        })
    }
  }

  const wakeAt = (at: number): void => {
    // An endless wait is ended by an answer, and every answer pumps.
    if (at === Infinity || (wake && wake.at <= at)) return
    wake?.cancel.abort(OVER)
    const mine = { at, cancel: new AbortController() }
    wake = mine
    after(at - clock.monotonic(), mine.cancel.signal, () => {
      if (wake === mine) wake = undefined
      pump()
    })
  }

  const tooOften = (retryAfterMs: number, cause?: unknown) =>
    new UpstreamError('rate_limited', `${name} cannot be asked again in time`, { retryAfterMs, cause })

  const overdue = (deadlineMs: number): UpstreamError => {
    const now = clock.monotonic()
    return allowance.rate === undefined && now >= allowance.restUntil
      ? new UpstreamError('timeout', `${name} did not answer within ${deadlineMs} ms`)
      : tooOften(allowance.estimateMs(now, lanes.size + 1))
  }

  /** A rest is never cut short: whoever cannot wait for its end need not wait at all. */
  const dismissHopeless = (questions: Iterable<Question>, cause?: unknown): void => {
    const now = clock.monotonic()
    if (now >= allowance.restUntil) return
    for (const question of questions) {
      if (question.deadlineAt <= allowance.restUntil) question.reject(tooOften(allowance.restUntil - now, cause))
    }
  }

  /** A host that is down is not waited for: the question goes elsewhere, or its caller is told at once. */
  const dismissFromDown = (questions: Iterable<Question>, isHopeless: boolean, cause?: unknown): void => {
    const mustWait = health.waitMs(clock.monotonic(), underWay) > 0
    if (!mustWait && !isHopeless) return
    for (const question of questions) {
      if (isHopeless || question.alternative) question.reject(givenUp(cause))
    }
  }

  const givenUp = (cause: unknown) =>
    new UpstreamError('unavailable', `${name} has not been answering and is not asked again yet`, {
      cause,
      unreachable: health.isDown,
    })

  const refused = (question: Question, error: UpstreamError): void => {
    if (++question.refusals > options.refusals) return question.reject(error)
    lanes.addAgain(question)
    dismissHopeless(lanes.all(), error)
  }

  const failed = (question: Question, error: UpstreamError, isOver: AbortSignal): void => {
    const pauseMs = FIRST_PAUSE_MS * 2 ** question.failures * (0.5 + random.fraction())
    const isLast =
      ++question.failures > maxFailures(question, error) || clock.monotonic() + pauseMs >= question.deadlineAt
    if (isLast) return question.reject(error)
    question.lastFailure = error
    after(pauseMs, isOver, () => {
      lanes.addAgain(question)
      dismissHopeless([question], error)
      dismissFromDown([question], health.isLasting || health.isSilent(underWay), error)
      pump()
    })
  }

  /**
   * Acts when the time that is left has passed. It is looked at twice, a millisecond apart: a process that is busy itself
   * hears of its timers before it hears of answers that have come in, and must not take that for the host's silence.
   */
  const whenSilent = (leftMs: () => number, isAnswered: AbortSignal, act: () => void, lookedAt = -Infinity): void => {
    const now = clock.monotonic()
    const ms = leftMs()
    if (ms <= 0 && now - lookedAt < CALM_MS) return act()
    after(Math.max(ms, 1), isAnswered, () => whenSilent(leftMs, isAnswered, act, ms <= 0 ? now : -Infinity))
  }

  /** What is not there now will not be there in a moment, and who can go elsewhere should not wait. */
  const maxFailures = ({ alternative }: Question, { unreachable, failure }: UpstreamError): number => {
    if (alternative) return unreachable || failure === 'timeout' ? 0 : MAX_FAILURES_WITH_ALTERNATIVE
    return unreachable ? MAX_FAILURES_UNREACHABLE : options.failures
  }

  return {
    run<T>(ask: Ask<T>, { signal, deadlineMs, lane, alternative }: Place): Promise<T> {
      if (present >= options.maxQuestions) {
        throw new UpstreamError('unavailable', `too many questions for ${name} are waiting`)
      }
      present++
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const over = new AbortController()
      let timeIsUp = false

      const end = (): void => {
        if (over.signal.aborted) return
        present--
        lanes.remove(question)
        signal?.removeEventListener('abort', abandon)
        over.abort(OVER)
        if (lanes.size === 0) {
          // Nobody is left to wake for.
          wake?.cancel.abort(OVER)
          wake = undefined
        }
      }
      const abandon = () => question.reject(signal?.reason)

      const question: Question = {
        lane,
        deadlineAt: clock.monotonic() + deadlineMs,
        alternative,
        refusals: 0,
        failures: 0,
        lastFailure: undefined,
        reject(error) {
          end()
          reject(error)
        },
        async askOnce() {
          const began = clock.monotonic()
          question.lastFailure = undefined
          const sent = allowance.sent(began)
          const watch = alternative && new AbortController()
          if (watch) {
            const giveUp = () => question.reject(new UpstreamError('timeout', `${name} has been silent for too long`))
            whenSilent(
              () => health.slowInMs(clock.monotonic(), began),
              watch.signal,
              () => {
                alternative.onSlow()
                whenSilent(() => health.failedInMs(clock.monotonic(), began), watch.signal, giveUp)
              },
            )
          }
          try {
            const answer = await ask({ signal: over.signal, deadlineMs: question.deadlineAt - began })
            const now = clock.monotonic()
            health.answered(now, now - began)
            allowance.passed(sent, now, lanes.size > 0)
            end()
            resolve(answer)
          } catch (error) {
            const now = clock.monotonic()
            const isOver = timeIsUp ? 'time is up' : over.signal.aborted && 'left'
            const kind = isOver ? health.kindOfEnd(isOver, now, began) : kindOf(error)
            if (kind === 'refused') allowance.refused(sent, now, (error as UpstreamError).retryAfterMs)
            else if (kind === 'alive') allowance.passed(sent, now, lanes.size > 0)
            else allowance.failed(sent, now)
            if (kind === 'refused' || kind === 'alive') health.answered(now)
            else if (kind !== 'nothing') health.failed(now, kind, began)

            if (!over.signal.aborted) {
              if (kind === 'refused') refused(question, error as UpstreamError)
              else if (kind === 'alive' || kind === 'nothing') question.reject(error)
              else failed(question, error as UpstreamError, over.signal)
            }
            dismissFromDown(lanes.all(), kind !== 'nothing' && health.isLasting, error)
          } finally {
            watch?.abort(OVER)
          }
        },
      }

      signal?.addEventListener('abort', abandon, { once: true })
      after(deadlineMs, over.signal, () => {
        timeIsUp = true
        // A host that answered every try wrongly was not silent.
        question.reject(question.lastFailure ?? overdue(deadlineMs))
      })
      lanes.add(question)
      dismissHopeless([question])
      dismissFromDown([question], health.isSilent(underWay))
      pump()
      return promise
    },
    estimateMs(count) {
      const now = clock.monotonic()
      const all = present + count
      const flights = Math.ceil(all / concurrent) * health.meanMs
      return Math.max(allowance.estimateMs(now, lanes.size + count) + health.meanMs, flights)
    },
    state: () => ({
      waiting: Math.max(present - underWay, 0),
      underWay,
      rate: allowance.rate,
      restMs: Math.max(allowance.restUntil - clock.monotonic(), 0),
    }),
    get isIdle() {
      return present + underWay === 0
    },
  }
}
