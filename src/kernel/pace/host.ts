import type { Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { createAllowance } from './allowance.ts'
import { createHostHealth, classifyError } from './health.ts'
import { createLanes } from './lanes.ts'

/** The queue, the requests under way and the rate of one host. */
export type PacedHost = {
  run<T>(ask: SendRequest<T>, turn: TurnOptions): Promise<T>
  estimateMs(count: number): number
  state(): HostState
  readonly isIdle: boolean
}

/** Another way to the same answer. */
export type Alternative = {
  /** Called when the host has had half as long again as it usually takes. */
  readonly onSlow: () => void
}

type TurnOptions = {
  readonly signal: AbortSignal | undefined
  readonly deadlineMs: number
  readonly lane: string
  readonly alternative: Alternative | undefined
}

/** `deadlineMs` is what is left of the caller's time. */
export type SendRequest<T> = (turn: { readonly signal: AbortSignal; readonly deadlineMs: number }) => Promise<T>

export type HostState = {
  readonly waiting: number
  readonly underWay: number
  /** Questions a second, where the host has shown a limit. */
  readonly rate: number | undefined
  /** Milliseconds it has asked to be left alone for. */
  readonly pauseMs: number
}

export type HostOptions = {
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly maxConcurrent: number
  /** Most questions present, waiting or under way. */
  readonly maxRequests: number
  readonly initialBurst: number
  /** How often one question is asked again after being refused, and after failing. */
  readonly maxRefusals: number
  readonly maxFailures: number
  /** Stretches the times after which a host counts as slow or failed. */
  readonly timeoutScale: number
}

type PacedRequest = {
  readonly lane: string
  readonly deadlineAt: number
  readonly alternative: Alternative | undefined
  refusals: number
  failures: number
  sendOnce(): Promise<void>
  reject(error: unknown): void
}

/** Abort reason, never shown. Created once because creating errors is expensive. */
const REQUEST_ENDED = new Error('the question is over')
const FIRST_PAUSE_MS = 50
/** A timer of one millisecond that takes longer than this tells of a busy process. */
const MAX_TIMER_DELAY_MS = 20
/** Retries after a failure where the question can go elsewhere, and where no connection comes about. */
const MAX_FAILURES_WITH_ALTERNATIVE = 2
const MAX_FAILURES_UNREACHABLE = 2

export function createPacedHost({ name, clock, random, wait, maxConcurrent, ...options }: HostOptions): PacedHost {
  const lanes = createLanes<PacedRequest>()
  const allowance = createAllowance({ random, initialBurst: options.initialBurst })
  const health = createHostHealth({ random, timeoutScale: options.timeoutScale })
  let present = 0
  let underWay = 0
  let wake: { readonly at: number; readonly cancel: AbortController } | undefined

  /** Does something later, unless the signal comes first. */
  const after = (ms: number, signal: AbortSignal, act: () => void): void => {
    wait(ms, signal).then(act, () => {})
  }

  /** Sends every request that may be sent now and schedules a wake-up for the rest. */
  const pump = (): void => {
    while (lanes.size > 0 && underWay < maxConcurrent) {
      const now = clock.monotonic()
      const ms = Math.max(allowance.waitMs(now), health.waitMs(now, underWay))
      if (ms > 0) return wakeAt(now + ms)
      underWay++
      void lanes
        .next()!
        .sendOnce()
        .finally(() => {
          underWay--
          pump()
        })
    }
  }

  const wakeAt = (at: number): void => {
    // An endless wait is ended by an answer, and every answer pumps.
    if (at === Infinity || (wake && wake.at <= at)) return
    wake?.cancel.abort(REQUEST_ENDED)
    const mine = { at, cancel: new AbortController() }
    wake = mine
    after(at - clock.monotonic(), mine.cancel.signal, () => {
      if (wake === mine) wake = undefined
      pump()
    })
  }

  const rateLimitedError = (retryAfterMs: number, cause?: unknown) =>
    new UpstreamError('rate_limited', `${name} cannot be asked again in time`, { retryAfterMs, cause })

  const deadlineError = (deadlineMs: number): UpstreamError => {
    const now = clock.monotonic()
    return allowance.rate === undefined && now >= allowance.pauseUntil
      ? new UpstreamError('timeout', `${name} did not answer within ${deadlineMs} ms`)
      : rateLimitedError(allowance.estimateMs(now, lanes.size + 1))
  }

  /** Rejects requests whose deadline comes before the end of the pause the host asked for. */
  const rejectIfPauseTooLong = (questions: Iterable<PacedRequest>, cause?: unknown): void => {
    const now = clock.monotonic()
    if (now >= allowance.pauseUntil) return
    for (const question of questions) {
      if (question.deadlineAt <= allowance.pauseUntil)
        question.reject(rateLimitedError(allowance.pauseUntil - now, cause))
    }
  }

  /** Rejects at once while the host is down, so that the caller can use its alternative. */
  const rejectIfHostDown = (questions: Iterable<PacedRequest>, isHopeless: boolean, cause?: unknown): void => {
    const mustWait = health.waitMs(clock.monotonic(), underWay) > 0
    if (!mustWait && !isHopeless) return
    for (const question of questions) {
      if (isHopeless || question.alternative) question.reject(hostDownError(cause))
    }
  }

  const hostDownError = (cause: unknown) =>
    new UpstreamError('unavailable', `${name} has not been answering and is not asked again yet`, {
      cause,
      unreachable: health.isDown,
    })

  const retryRefused = (question: PacedRequest, error: UpstreamError): void => {
    if (++question.refusals > options.maxRefusals) return question.reject(error)
    lanes.addRetry(question)
    rejectIfPauseTooLong(lanes.all(), error)
  }

  const retryFailed = (question: PacedRequest, error: UpstreamError, isOver: AbortSignal): void => {
    const pauseMs = FIRST_PAUSE_MS * 2 ** question.failures * (0.5 + random.fraction())
    const isLast =
      ++question.failures > maxFailuresOf(question, error) || clock.monotonic() + pauseMs >= question.deadlineAt
    if (isLast) return question.reject(error)
    after(pauseMs, isOver, () => {
      lanes.addRetry(question)
      rejectIfPauseTooLong([question], error)
      rejectIfHostDown([question], health.isPersistentlyDown || health.isSilent(underWay), error)
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
    if (ms <= 0 && now - lookedAt < MAX_TIMER_DELAY_MS) return act()
    after(Math.max(ms, 1), isAnswered, () => whenSilent(leftMs, isAnswered, act, ms <= 0 ? now : -Infinity))
  }

  /** Fewer retries if the host is unreachable, or if the caller has an alternative. */
  const maxFailuresOf = ({ alternative }: PacedRequest, { unreachable, failure }: UpstreamError): number => {
    if (alternative) return unreachable || failure === 'timeout' ? 0 : MAX_FAILURES_WITH_ALTERNATIVE
    return unreachable ? MAX_FAILURES_UNREACHABLE : options.maxFailures
  }

  return {
    run<T>(ask: SendRequest<T>, { signal, deadlineMs, lane, alternative }: TurnOptions): Promise<T> {
      if (present >= options.maxRequests) {
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
        over.abort(REQUEST_ENDED)
        if (lanes.size === 0) {
          // The queue is empty: no wake-up needed.
          wake?.cancel.abort(REQUEST_ENDED)
          wake = undefined
        }
      }
      const abandon = () => question.reject(signal?.reason)

      const question: PacedRequest = {
        lane,
        deadlineAt: clock.monotonic() + deadlineMs,
        alternative,
        refusals: 0,
        failures: 0,
        reject(error) {
          end()
          reject(error)
        },
        async sendOnce() {
          const began = clock.monotonic()
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
            const kind = isOver ? health.classifyEarlyEnd(isOver, now, began) : classifyError(error)
            if (kind === 'refused') allowance.refused(sent, now, (error as UpstreamError).retryAfterMs)
            else if (kind === 'alive') allowance.passed(sent, now, lanes.size > 0)
            else allowance.failed(sent, now)
            if (kind === 'refused' || kind === 'alive') health.answered(now)
            else if (kind !== 'nothing') health.failed(now, kind, began)

            if (!over.signal.aborted) {
              if (kind === 'refused') retryRefused(question, error as UpstreamError)
              else if (kind === 'alive' || kind === 'nothing') question.reject(error)
              else retryFailed(question, error as UpstreamError, over.signal)
            }
            rejectIfHostDown(lanes.all(), kind !== 'nothing' && health.isPersistentlyDown, error)
          } finally {
            watch?.abort(REQUEST_ENDED)
          }
        },
      }

      signal?.addEventListener('abort', abandon, { once: true })
      after(deadlineMs, over.signal, () => {
        timeIsUp = true
        question.reject(deadlineError(deadlineMs))
      })
      lanes.add(question)
      rejectIfPauseTooLong([question])
      rejectIfHostDown([question], health.isSilent(underWay))
      pump()
      return promise
    },
    estimateMs(count) {
      const now = clock.monotonic()
      const all = present + count
      const flights = Math.ceil(all / maxConcurrent) * health.meanMs
      return Math.max(allowance.estimateMs(now, lanes.size + count) + health.meanMs, flights)
    },
    state: () => ({
      waiting: Math.max(present - underWay, 0),
      underWay,
      rate: allowance.rate,
      pauseMs: Math.max(allowance.pauseUntil - clock.monotonic(), 0),
    }),
    get isIdle() {
      return present + underWay === 0
    },
  }
}
