import type { Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { createAllowance } from './allowance.ts'
import { createBreaker } from './breaker.ts'
import { createLanes } from './lanes.ts'

/** One host: who waits for it, who asks it, and when the next may. */
export type PacedHost = {
  run<T>(ask: Ask<T>, turn: { signal: AbortSignal | undefined; deadlineMs: number; lane: string }): Promise<T>
  estimateMs(count: number): number
  state(): HostState
  readonly isIdle: boolean
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
}

type Question = {
  readonly lane: string
  readonly deadlineAt: number
  refusals: number
  failures: number
  askOnce(): Promise<void>
  reject(error: unknown): void
}

/** Why a wait ends early. Made once: nobody sees it, and an error for every question is dear. */
const OVER = new Error('the question is over')
const FIRST_LATENCY_MS = 100
const FIRST_PAUSE_MS = 50

export function createPacedHost({ name, clock, random, wait, concurrent, ...options }: HostOptions): PacedHost {
  const lanes = createLanes<Question>()
  const allowance = createAllowance({ random, firstFlight: options.firstFlight })
  const breaker = createBreaker({ random })
  let present = 0
  let underWay = 0
  let latencyMs = FIRST_LATENCY_MS
  let wake: { readonly at: number; readonly cancel: AbortController } | undefined

  /** Does something later, unless the signal comes first. */
  const after = (ms: number, signal: AbortSignal, act: () => void): void => {
    wait(ms, signal).then(act, () => {})
  }

  /** Sends whatever may be sent, and sees to it that somebody looks again when more may. */
  const pump = (): void => {
    while (lanes.size > 0 && underWay < concurrent) {
      const now = clock.monotonic()
      const ms = Math.max(allowance.waitMs(now), breaker.waitMs(now, underWay))
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

  const refused = (question: Question, error: UpstreamError): void => {
    if (++question.refusals > options.refusals) return question.reject(error)
    lanes.addAgain(question)
    dismissHopeless(lanes.all(), error)
  }

  const failed = (question: Question, error: UpstreamError, isOver: AbortSignal): void => {
    const pauseMs = FIRST_PAUSE_MS * 2 ** question.failures * (0.5 + random.fraction())
    const isLast = ++question.failures > options.failures || clock.monotonic() + pauseMs >= question.deadlineAt
    if (isLast) return question.reject(error)
    after(pauseMs, isOver, () => {
      lanes.addAgain(question)
      dismissHopeless([question], error)
      pump()
    })
  }

  /** What an error tells about the host: `refused`, `failed`, or nothing but that it is there. */
  const kindOf = (
    error: unknown,
    inFlightMs: number,
    timeIsUp: boolean,
  ): 'refused' | 'failed' | 'alive' | 'nothing' => {
    // The caller's time was up: a sign of trouble only where the host had plenty of it.
    if (timeIsUp) return inFlightMs > 10 * latencyMs ? 'failed' : 'nothing'
    // What we refused to ask says nothing about the host, and would be refused again.
    if (!(error instanceof UpstreamError) || error.refusal !== undefined) return 'nothing'
    if (error.failure === 'rate_limited' || error.retryAfterMs !== undefined) return 'refused'
    return error.failure === 'unavailable' || error.failure === 'timeout' ? 'failed' : 'alive'
  }

  return {
    run<T>(ask: Ask<T>, { signal, deadlineMs, lane }: Parameters<PacedHost['run']>[1]): Promise<T> {
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
        refusals: 0,
        failures: 0,
        reject(error) {
          end()
          reject(error)
        },
        async askOnce() {
          const began = clock.monotonic()
          const sent = allowance.sent(began)
          try {
            const answer = await ask({ signal: over.signal, deadlineMs: question.deadlineAt - began })
            const now = clock.monotonic()
            latencyMs += (now - began - latencyMs) / 8
            breaker.answered()
            allowance.passed(sent, now, lanes.size > 0)
            end()
            resolve(answer)
          } catch (error) {
            const now = clock.monotonic()
            const kind = kindOf(error, now - began, timeIsUp)
            if (kind === 'refused') allowance.refused(sent, now, (error as UpstreamError).retryAfterMs)
            else if (kind === 'alive') allowance.passed(sent, now, lanes.size > 0)
            else allowance.failed(sent, now)
            if (kind === 'failed') breaker.failed(now)
            else if (kind !== 'nothing') breaker.answered()

            if (over.signal.aborted) return
            if (kind === 'refused') refused(question, error as UpstreamError)
            else if (kind === 'failed') failed(question, error as UpstreamError, over.signal)
            else question.reject(error)
          }
        },
      }

      signal?.addEventListener('abort', abandon, { once: true })
      after(deadlineMs, over.signal, () => {
        timeIsUp = true
        question.reject(overdue(deadlineMs))
      })
      lanes.add(question)
      dismissHopeless([question])
      pump()
      return promise
    },
    estimateMs(count) {
      const now = clock.monotonic()
      const all = present + count
      const flights = Math.ceil(all / concurrent) * latencyMs
      return Math.max(allowance.estimateMs(now, lanes.size + count) + latencyMs, flights)
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
