import { UpstreamError } from '../errors.ts'
import { dispatch, probeIfDue } from './dispatch.ts'
import {
  after,
  createHostQueue,
  deadlineError,
  type HostQueue,
  type PacedRequest,
  rejectIfHostDown,
  rejectIfPauseTooLong,
  rejectRequest,
} from './host-queue.ts'
import type { HostOptions, PacedHost, RequestOptions, SendRequest } from './host-types.ts'

export function createPacedHost(options: HostOptions): PacedHost {
  const { clock, maxConcurrent } = options
  const host = createHostQueue(options)
  const { lanes, allowance, health } = host
  return {
    run: (send, requestOptions) => run(host, send, requestOptions),
    estimateMs(count) {
      const now = clock.monotonic()
      const all = host.present + count
      const batchesMs = Math.ceil(all / maxConcurrent()) * health.meanMs
      return Math.max(allowance.estimateMs(now, lanes.size + count) + health.meanMs, batchesMs)
    },
    state: () => ({
      waiting: Math.max(host.present - host.underWay, 0),
      underWay: host.underWay,
      rate: allowance.rate,
      pauseMs: Math.max(allowance.pauseUntil - clock.monotonic(), 0),
      breaker: health.state,
    }),
    get isIdle() {
      return host.present + host.underWay === 0
    },
  }
}

/** Queues a request; rejects it at once if it cannot be sent in time. Throws if the queue is full. */
function run<T>(
  host: HostQueue,
  send: SendRequest<T>,
  { signal, timeoutMs, lane, lowPriority, alternative }: RequestOptions,
): Promise<T> {
  const { clock, name, maxRequests } = host.options
  if (host.present >= maxRequests) throw new UpstreamError('unavailable', `the request queue of ${name} is full`)
  host.present++
  const now = clock.monotonic()
  const deadline = now + timeoutMs
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const request: PacedRequest = {
    lane,
    lowPriority,
    deadline,
    silenceDeadline: Math.min(deadline, alternative?.deadline ?? deadline),
    alternative,
    send,
    resolve,
    reject,
    signal,
    onAbort: () => rejectRequest(host, request, signal?.reason),
    ended: new AbortController(),
    isTimedOut: false,
    isUnderWay: false,
    refusals: 0,
    failures: 0,
    lastFailure: undefined,
  }
  signal?.addEventListener('abort', request.onAbort, { once: true })
  const { signal: ended } = request.ended
  const timeOut = () => {
    request.isTimedOut = true
    // A host that answered every attempt with an error was not silent.
    rejectRequest(host, request, request.lastFailure ?? deadlineError(host, clock.monotonic() - now))
  }
  after(host, request.silenceDeadline - now, ended, () => {
    if (request.silenceDeadline < deadline && isWaitingForTurn(host, request)) {
      after(host, deadline - clock.monotonic(), ended, timeOut)
    } else timeOut()
  })
  host.lanes.add(request)
  rejectIfPauseTooLong(host, [request])
  const isGivenUp = host.health.isGivenUp(clock.monotonic())
  rejectIfHostDown(host, [request], isGivenUp || host.health.isSilent(host.underWay))
  if (isGivenUp) probeIfDue(host, send)
  else dispatch(host)
  return promise as Promise<T>
}

/** Whether the rate limit of the host is all that delays the request. */
const isWaitingForTurn = ({ allowance, health, options, underWay }: HostQueue, request: PacedRequest): boolean =>
  allowance.rate !== undefined &&
  !request.isUnderWay &&
  request.lastFailure === undefined &&
  health.waitMs(options.clock.monotonic(), underWay) === 0
