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
import type { Alternative } from './host-types.ts'
import type { SentRequest } from './trial.ts'

/** Exponential backoff before a retry starts with this. */
const FIRST_PAUSE_MS = 50
/** If a timer of one millisecond takes longer than this, our own process is busy. */
const MAX_TIMER_DELAY_MS = 20
/** Maximum retries if the caller has an alternative, and if there is no connection. */
const MAX_FAILURES_WITH_ALTERNATIVE = 2
const MAX_FAILURES_UNREACHABLE = 2

/** Sends every queued request that may be sent now and schedules a wake-up for the rest. */
export function dispatch(host: HostQueue): void {
  const { lanes, allowance, health, options } = host
  while (lanes.size > 0 && host.underWay < options.maxConcurrent) {
    const now = options.clock.monotonic()
    const { rate } = allowance
    const ms = Math.max(allowance.waitMs(now), health.waitMs(now, host.underWay), lanes.waitMs(now, rate))
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
  const { allowance, health, lanes } = host
  const { clock } = host.options
  const { ended, alternative } = request
  const began = clock.monotonic()
  request.lastFailure = undefined
  request.isUnderWay = true
  // Past the earlier deadline, the request waited for its turn, and has the rest of the time.
  const until = began < request.silenceDeadline ? request.silenceDeadline : request.deadline
  const sent = allowance.sent(began)
  const watch = alternative && watchForSilence(host, request, alternative, began)
  try {
    const answer = await request.send({ signal: ended.signal, timeoutMs: until - began })
    const now = clock.monotonic()
    health.answered(now, now - began)
    allowance.passed(sent, now, lanes.isBusy)
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

/** Records what a failed attempt says about the host, then retries or rejects the request. */
function handleError(host: HostQueue, request: PacedRequest, sent: SentRequest, error: unknown): void {
  const { allowance, health, lanes } = host
  const { signal } = request.ended
  const now = host.options.clock.monotonic()
  const earlyEnd = request.isTimedOut ? 'timeout' : signal.aborted && 'aborted'
  const kind = earlyEnd ? health.classifyEarlyEnd(earlyEnd, now, sent.at) : classifyError(error)
  if (kind === 'refused') allowance.refused(sent, now, (error as UpstreamError).retryAfterMs)
  else if (kind === 'alive') allowance.passed(sent, now, lanes.isBusy)
  else allowance.failed(sent, now)
  if (kind === 'refused' || kind === 'alive') health.answered(now)
  else if (kind !== 'nothing') health.failed(now, kind, sent.at)

  if (!signal.aborted) {
    if (kind === 'refused') retryRefused(host, request, error as UpstreamError)
    else if (kind === 'alive' || kind === 'nothing') rejectRequest(host, request, error)
    else retryFailed(host, request, error as UpstreamError)
  }
  rejectIfHostDown(host, lanes.all(), kind !== 'nothing' && health.isPersistentlyDown, error)
}

function retryRefused(host: HostQueue, request: PacedRequest, error: UpstreamError): void {
  if (++request.refusals > host.options.maxRefusals) return rejectRequest(host, request, error)
  host.lanes.addRetry(request)
  rejectIfPauseTooLong(host, host.lanes.all(), error)
}

function retryFailed(host: HostQueue, request: PacedRequest, error: UpstreamError): void {
  const { health } = host
  const { clock, random } = host.options
  const pauseMs = FIRST_PAUSE_MS * 2 ** request.failures * (0.5 + random.fraction())
  const isLast =
    ++request.failures > maxFailures(host, request, error) || clock.monotonic() + pauseMs >= request.silenceDeadline
  if (isLast) return rejectRequest(host, request, error)
  request.lastFailure = error
  after(host, pauseMs, request.ended.signal, () => {
    host.lanes.addRetry(request)
    rejectIfPauseTooLong(host, [request], error)
    rejectIfHostDown(host, [request], health.isPersistentlyDown || health.isSilent(host.underWay), error)
    dispatch(host)
  })
}

/** Fewer retries if the host is unreachable, or if the caller has an alternative. */
function maxFailures(host: HostQueue, { alternative }: PacedRequest, { unreachable, failure }: UpstreamError): number {
  if (alternative) return unreachable || failure === 'timeout' ? 0 : MAX_FAILURES_WITH_ALTERNATIVE
  return unreachable ? MAX_FAILURES_UNREACHABLE : host.options.maxFailures
}
