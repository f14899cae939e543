import { UpstreamError } from '../errors.ts'
import { classifyError } from './health.ts'
import {
  after,
  endRequest,
  type HostQueue,
  type PacedRequest,
  rejectIfHostDown,
  rejectIfPauseTooLong,
  rejectRequest,
  REQUEST_ENDED,
} from './host-queue.ts'
import { unlessAborted } from '../timeout.ts'
import type { Alternative, SendRequest } from './host-types.ts'
import type { SentRequest } from './trial.ts'

/** Exponential backoff before a retry starts with this. */
const FIRST_PAUSE_MS = 50
/** If a timer of one millisecond takes longer than this, our own process is busy. */
const MAX_TIMER_DELAY_MS = 20
/** Maximum retries if the caller has an alternative, and if there is no connection or it breaks. */
const MAX_FAILURES_WITH_ALTERNATIVE = 1
const MAX_FAILURES_UNREACHABLE = 2

/** Sends every queued request that may be sent now and schedules a wake-up for the rest. */
export function dispatch(host: HostQueue): void {
  const { lanes, allowance, health, options } = host
  while (lanes.size > 0 && host.underWay < options.maxConcurrent()) {
    const now = options.clock.monotonic()
    const { rate } = allowance
    const allowedInMs = allowance.waitMs(now, lanes.isNextNew(now, rate))
    const ms = Math.max(allowedInMs, health.waitMs(now, host.underWay), lanes.waitMs(now, rate))
    if (ms > 0) return wakeAt(host, now + ms)
    host.underWay++
    const request = lanes.next(now, rate)
    void sendOnce(host, request).finally(() => {
      host.underWay--
      lanes.ended(request)
      dispatch(host)
    })
  }
}

function wakeAt(host: HostQueue, at: number): void {
  const { wake } = host
  // An infinite wait ends with an answer, and every answer calls `dispatch`.
  if (at === Infinity || (wake && wake.at <= at)) return
  wake?.cancel.abort(REQUEST_ENDED)
  const wakeUp = { at, cancel: new AbortController() }
  host.wake = wakeUp
  after(host, at - host.options.clock.monotonic(), wakeUp.cancel.signal, () => {
    if (host.wake === wakeUp) host.wake = undefined
    dispatch(host)
  })
}

/** One attempt. Ends the request, or queues it for a retry. Never rejects. */
async function sendOnce(host: HostQueue, request: PacedRequest): Promise<void> {
  const { allowance, health } = host
  const { ended, alternative } = request
  const began = host.options.clock.monotonic()
  request.lastFailure = undefined
  request.isUnderWay = true
  // Past the earlier deadline, the request waited for its turn, and has the rest of the time.
  const until = began < request.silenceDeadline ? request.silenceDeadline : request.deadline
  const sent = allowance.sent(began)
  const watch = alternative && watchForSilence(host, request, alternative, began)
  try {
    const timeoutMs = Math.min(until - began, health.maxAttemptMs)
    const answer = await request.send({ signal: ended.signal, timeoutMs })
    recordAnswer(host, sent)
    endRequest(host, request)
    request.resolve(answer)
  } catch (error) {
    handleError(host, request, sent, error)
  } finally {
    request.isUnderWay = false
    watch?.abort(REQUEST_ENDED)
  }
}

/** Tells the caller when the host is slow, and gives up when it has been silent too long. Abort it after the answer. */
function watchForSilence(
  host: HostQueue,
  request: PacedRequest,
  alternative: Alternative,
  began: number,
): AbortController {
  const watch = new AbortController()
  const { health } = host
  const { clock, name } = host.options
  const giveUp = () =>
    rejectRequest(host, request, new UpstreamError('timeout', `${name} has been silent for too long`))
  whenSilent(
    host,
    () => health.slowInMs(clock.monotonic(), began),
    watch.signal,
    () => {
      alternative.onSlow()
      whenSilent(host, () => health.failedInMs(clock.monotonic(), began), watch.signal, giveUp)
    },
  )
  return watch
}

/**
 * Calls `act` when no time is left. Checks twice, a millisecond apart: a busy process runs its timers before it reads the
 * answers that have arrived, and must not take that for a silent host.
 */
function whenSilent(
  host: HostQueue,
  leftMs: () => number,
  isAnswered: AbortSignal,
  act: () => void,
  checkedAt = -Infinity,
): void {
  const now = host.options.clock.monotonic()
  const ms = leftMs()
  if (ms <= 0 && now - checkedAt < MAX_TIMER_DELAY_MS) return act()
  after(host, Math.max(ms, 1), isAnswered, () => whenSilent(host, leftMs, isAnswered, act, ms <= 0 ? now : -Infinity))
}

function recordAnswer({ allowance, health, lanes, options }: HostQueue, sent: SentRequest): void {
  const now = options.clock.monotonic()
  health.answered(now, now - sent.at)
  allowance.passed(sent, now, lanes.isBusy)
}

type ErrorKind = ReturnType<typeof classifyError>

/** Records what a failed attempt says about the host. */
function recordError(host: HostQueue, sent: SentRequest, kind: ErrorKind, error: unknown): void {
  const { allowance, health, lanes } = host
  const now = host.options.clock.monotonic()
  if (kind === 'refused') allowance.refused(sent, now, (error as UpstreamError).retryAfterMs)
  else if (kind === 'alive') allowance.passed(sent, now, lanes.isBusy)
  else allowance.failed(sent, now)
  if (kind === 'refused' || kind === 'alive') health.answered(now)
  else if (kind !== 'nothing') health.failed(now, kind, sent.at)
}

/** Records a failed attempt, then retries or rejects the request. */
function handleError(host: HostQueue, request: PacedRequest, sent: SentRequest, error: unknown): void {
  const { health, lanes } = host
  const { signal } = request.ended
  const now = host.options.clock.monotonic()
  const earlyEnd = request.isTimedOut ? 'timeout' : signal.aborted && 'aborted'
  const kind = earlyEnd ? health.classifyEarlyEnd(earlyEnd, now, sent.at) : classifyError(error)
  recordError(host, sent, kind, error)
  if (!signal.aborted) {
    if (kind === 'refused') retryRefused(host, request, error as UpstreamError)
    else if (kind === 'alive' || kind === 'nothing') rejectRequest(host, request, error)
    else retryFailed(host, request, error as UpstreamError)
  }
  const isGivenUp = kind !== 'nothing' && (health.isPersistentlyDown || health.isGivenUp(now))
  rejectIfHostDown(host, lanes.all(), isGivenUp, error)
}

/**
 * Finds out whether a host that has been silent is back, if it is time to: sends the request without anyone waiting for
 * the answer, so that a dead host costs no caller its timeout.
 */
export function probeIfDue(host: HostQueue, send: SendRequest<unknown>): void {
  const { allowance, health, options } = host
  const now = options.clock.monotonic()
  if (host.underWay > 0 || Math.max(allowance.waitMs(now, false), health.waitMs(now, 0)) > 0) return
  host.underWay++
  const { probeMs } = health
  const ended = new AbortController()
  after(host, probeMs, ended.signal, () => ended.abort(new UpstreamError('timeout', `${options.name} is silent`)))
  const sent = allowance.sent(now)
  // Through a promise, so that an error thrown at once is handled like any other.
  unlessAborted(
    Promise.resolve().then(() => send({ signal: ended.signal, timeoutMs: probeMs })),
    ended.signal,
  )
    .then(
      () => recordAnswer(host, sent),
      (error: unknown) => recordError(host, sent, classifyError(error), error),
    )
    .finally(() => {
      ended.abort(REQUEST_ENDED)
      host.underWay--
      dispatch(host)
    })
}

function retryRefused(host: HostQueue, request: PacedRequest, error: UpstreamError): void {
  if (++request.refusals > host.options.maxRefusals) return rejectRequest(host, request, error)
  host.lanes.addRetry(request)
  rejectIfPauseTooLong(host, host.lanes.all(), error)
}

function retryFailed(host: HostQueue, request: PacedRequest, error: UpstreamError): void {
  const { health } = host
  const { clock, random } = host.options
  // A connection that breaks says little about the next one, so the first retry is sent at once.
  const isImmediate = error.broken && request.failures === 0
  const pauseMs = isImmediate ? 0 : FIRST_PAUSE_MS * 2 ** request.failures * (0.5 + random.fraction())
  const now = clock.monotonic()
  const isTooLate = now + pauseMs >= request.silenceDeadline
  const isLast = ++request.failures > maxFailures(host, request, error) || isTooLate || health.isGivenUp(now)
  if (isLast) return rejectRequest(host, request, error)
  request.lastFailure = error
  after(host, pauseMs, request.ended.signal, () => {
    host.lanes.addRetry(request)
    rejectIfPauseTooLong(host, [request], error)
    const isGivenUp = health.isPersistentlyDown || health.isSilent(host.underWay) || health.isGivenUp(clock.monotonic())
    rejectIfHostDown(host, [request], isGivenUp, error)
    dispatch(host)
  })
}

/** Fewer retries if the host is unreachable, or if the caller has an alternative. */
function maxFailures(host: HostQueue, { alternative }: PacedRequest, error: UpstreamError): number {
  const { unreachable, broken, failure, untrusted } = error
  if (untrusted) return 0
  if (alternative) return (unreachable && !broken) || failure === 'timeout' ? 0 : MAX_FAILURES_WITH_ALTERNATIVE
  return unreachable || broken ? MAX_FAILURES_UNREACHABLE : host.options.maxFailures
}
