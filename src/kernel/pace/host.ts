import { UpstreamError } from '../errors.ts'
import { createAllowance } from './allowance.ts'
import { createHostHealth, classifyError } from './health.ts'
import type { Alternative, HostOptions, PacedHost, RequestOptions, SendRequest } from './host-types.ts'
import { createLanes } from './lanes.ts'

type PacedRequest = {
  readonly lane: string
  /** By the monotonic clock. */
  readonly deadline: number
  readonly alternative: Alternative | undefined
  refusals: number
  failures: number
  /** How the last attempt failed, while the request waits for the next. */
  lastFailure: UpstreamError | undefined
  sendOnce(): Promise<void>
  reject(error: unknown): void
}

/** Abort reason, never shown. Created once because creating errors is expensive. */
const REQUEST_ENDED = new Error('the request has ended')
/** Exponential backoff before a retry starts with this. */
const FIRST_PAUSE_MS = 50
/** If a timer of one millisecond takes longer than this, our own process is busy. */
const MAX_TIMER_DELAY_MS = 20
/** Maximum retries if the caller has an alternative, and if there is no connection. */
const MAX_FAILURES_WITH_ALTERNATIVE = 2
const MAX_FAILURES_UNREACHABLE = 2

export function createPacedHost({ name, clock, random, wait, maxConcurrent, ...options }: HostOptions): PacedHost {
  const lanes = createLanes<PacedRequest>()
  const allowance = createAllowance({ random, initialBurst: options.initialBurst })
  const health = createHostHealth({ random, timeoutScale: options.timeoutScale })
  let present = 0
  let underWay = 0
  let wake: { readonly at: number; readonly cancel: AbortController } | undefined

  /** Calls `act` after the time, unless the signal aborts first. */
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
    // An infinite wait ends with an answer, and every answer calls `pump`.
    if (at === Infinity || (wake && wake.at <= at)) return
    wake?.cancel.abort(REQUEST_ENDED)
    const wakeUp = { at, cancel: new AbortController() }
    wake = wakeUp
    after(at - clock.monotonic(), wakeUp.cancel.signal, () => {
      if (wake === wakeUp) wake = undefined
      pump()
    })
  }

  const rateLimitedError = (retryAfterMs: number, cause?: unknown) =>
    new UpstreamError('rate_limited', `the rate limit of ${name} does not allow the request in time`, {
      retryAfterMs,
      cause,
    })

  const deadlineError = (timeoutMs: number): UpstreamError => {
    const now = clock.monotonic()
    return allowance.rate === undefined && now >= allowance.pauseUntil
      ? new UpstreamError('timeout', `${name} did not answer within ${timeoutMs} ms`)
      : rateLimitedError(allowance.estimateMs(now, lanes.size + 1))
  }

  /** Rejects requests whose deadline comes before the end of the pause the host asked for. */
  const rejectIfPauseTooLong = (requests: Iterable<PacedRequest>, cause?: unknown): void => {
    const now = clock.monotonic()
    if (now >= allowance.pauseUntil) return
    for (const request of requests) {
      if (request.deadline <= allowance.pauseUntil) request.reject(rateLimitedError(allowance.pauseUntil - now, cause))
    }
  }

  /** Rejects at once while the host is down, so that the caller can use its alternative. */
  const rejectIfHostDown = (requests: Iterable<PacedRequest>, isGivenUp: boolean, cause?: unknown): void => {
    const mustWait = health.waitMs(clock.monotonic(), underWay) > 0
    if (!mustWait && !isGivenUp) return
    for (const request of requests) {
      if (isGivenUp || request.alternative) request.reject(hostDownError(cause))
    }
  }

  const hostDownError = (cause: unknown) =>
    new UpstreamError('unavailable', `${name} has not been answering, and the next attempt is not due yet`, {
      cause,
      unreachable: health.isDown,
    })

  const retryRefused = (request: PacedRequest, error: UpstreamError): void => {
    if (++request.refusals > options.maxRefusals) return request.reject(error)
    lanes.addRetry(request)
    rejectIfPauseTooLong(lanes.all(), error)
  }

  const retryFailed = (request: PacedRequest, error: UpstreamError, ended: AbortSignal): void => {
    const pauseMs = FIRST_PAUSE_MS * 2 ** request.failures * (0.5 + random.fraction())
    const isLast = ++request.failures > maxFailuresOf(request, error) || clock.monotonic() + pauseMs >= request.deadline
    if (isLast) return request.reject(error)
    request.lastFailure = error
    after(pauseMs, ended, () => {
      lanes.addRetry(request)
      rejectIfPauseTooLong([request], error)
      rejectIfHostDown([request], health.isPersistentlyDown || health.isSilent(underWay), error)
      pump()
    })
  }

  /**
   * Calls `act` when no time is left. Checks twice, a millisecond apart: a busy process runs its timers before it reads
   * the answers that have arrived, and must not take that for a silent host.
   */
  const whenSilent = (leftMs: () => number, isAnswered: AbortSignal, act: () => void, checkedAt = -Infinity): void => {
    const now = clock.monotonic()
    const ms = leftMs()
    if (ms <= 0 && now - checkedAt < MAX_TIMER_DELAY_MS) return act()
    after(Math.max(ms, 1), isAnswered, () => whenSilent(leftMs, isAnswered, act, ms <= 0 ? now : -Infinity))
  }

  /** Fewer retries if the host is unreachable, or if the caller has an alternative. */
  const maxFailuresOf = ({ alternative }: PacedRequest, { unreachable, failure }: UpstreamError): number => {
    if (alternative) return unreachable || failure === 'timeout' ? 0 : MAX_FAILURES_WITH_ALTERNATIVE
    return unreachable ? MAX_FAILURES_UNREACHABLE : options.maxFailures
  }

  return {
    run<T>(send: SendRequest<T>, { signal, timeoutMs, lane, alternative }: RequestOptions): Promise<T> {
      if (present >= options.maxRequests) {
        throw new UpstreamError('unavailable', `the request queue of ${name} is full`)
      }
      present++
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const ended = new AbortController()
      let isTimedOut = false

      const end = (): void => {
        if (ended.signal.aborted) return
        present--
        lanes.remove(request)
        signal?.removeEventListener('abort', abandon)
        ended.abort(REQUEST_ENDED)
        if (lanes.size === 0) {
          // The queue is empty: no wake-up needed.
          wake?.cancel.abort(REQUEST_ENDED)
          wake = undefined
        }
      }
      const abandon = () => request.reject(signal?.reason)

      const request: PacedRequest = {
        lane,
        deadline: clock.monotonic() + timeoutMs,
        alternative,
        refusals: 0,
        failures: 0,
        lastFailure: undefined,
        reject(error) {
          end()
          reject(error)
        },
        async sendOnce() {
          const began = clock.monotonic()
          request.lastFailure = undefined
          const sent = allowance.sent(began)
          const watch = alternative && new AbortController()
          if (watch) {
            const giveUp = () => request.reject(new UpstreamError('timeout', `${name} has been silent for too long`))
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
            const answer = await send({ signal: ended.signal, timeoutMs: request.deadline - began })
            const now = clock.monotonic()
            health.answered(now, now - began)
            allowance.passed(sent, now, lanes.size > 0)
            end()
            resolve(answer)
          } catch (error) {
            const now = clock.monotonic()
            const earlyEnd = isTimedOut ? 'timeout' : ended.signal.aborted && 'aborted'
            const kind = earlyEnd ? health.classifyEarlyEnd(earlyEnd, now, began) : classifyError(error)
            if (kind === 'refused') allowance.refused(sent, now, (error as UpstreamError).retryAfterMs)
            else if (kind === 'alive') allowance.passed(sent, now, lanes.size > 0)
            else allowance.failed(sent, now)
            if (kind === 'refused' || kind === 'alive') health.answered(now)
            else if (kind !== 'nothing') health.failed(now, kind, began)

            if (!ended.signal.aborted) {
              if (kind === 'refused') retryRefused(request, error as UpstreamError)
              else if (kind === 'alive' || kind === 'nothing') request.reject(error)
              else retryFailed(request, error as UpstreamError, ended.signal)
            }
            rejectIfHostDown(lanes.all(), kind !== 'nothing' && health.isPersistentlyDown, error)
          } finally {
            watch?.abort(REQUEST_ENDED)
          }
        },
      }

      signal?.addEventListener('abort', abandon, { once: true })
      after(timeoutMs, ended.signal, () => {
        isTimedOut = true
        // A host that answered every attempt with an error was not silent.
        request.reject(request.lastFailure ?? deadlineError(timeoutMs))
      })
      lanes.add(request)
      rejectIfPauseTooLong([request])
      rejectIfHostDown([request], health.isSilent(underWay))
      pump()
      return promise
    },
    estimateMs(count) {
      const now = clock.monotonic()
      const all = present + count
      const batchesMs = Math.ceil(all / maxConcurrent) * health.meanMs
      return Math.max(allowance.estimateMs(now, lanes.size + count) + health.meanMs, batchesMs)
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
