import { UpstreamError } from '../errors.ts'
import { type Allowance, createAllowance } from './allowance.ts'
import { createHostHealth, type HostHealth } from './health.ts'
import type { Alternative, HostOptions, SendRequest } from './host-types.ts'
import { createHostLanes, type HostLanes } from './priorities.ts'

/** The state of one host: its queue, its rate limit and its health. */
export type HostQueue = {
  readonly options: HostOptions
  readonly lanes: HostLanes<PacedRequest>
  readonly allowance: Allowance
  readonly health: HostHealth
  /** Requests that have not ended: queued, under way, or waiting for a retry. */
  present: number
  /** Attempts that have not ended. */
  underWay: number
  /** The next scheduled look at the queue. */
  wake: { readonly at: number; readonly cancel: AbortController } | undefined
}

/** A request with its retries. */
export type PacedRequest = {
  readonly lane: string
  readonly lowPriority: boolean
  /** By the monotonic clock. */
  readonly deadline: number
  /** Before `deadline` if the caller has an alternative. */
  readonly silenceDeadline: number
  readonly alternative: Alternative | undefined
  readonly send: SendRequest<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  /** The caller's own signal, and the listener on it. */
  readonly signal: AbortSignal | undefined
  readonly onAbort: () => void
  /** Aborted when the request has ended. */
  readonly ended: AbortController
  isTimedOut: boolean
  isUnderWay: boolean
  refusals: number
  failures: number
  /** How the last attempt failed, while the request waits for the next. */
  lastFailure: UpstreamError | undefined
}

/** Abort reason, never shown. Created once because creating errors is expensive. */
export const REQUEST_ENDED = new Error('the request has ended')

export function createHostQueue(options: HostOptions): HostQueue {
  const { random, initialBurst, timeoutScale, maxConcurrent } = options
  return {
    options,
    lanes: createHostLanes(maxConcurrent),
    allowance: createAllowance({ random, initialBurst }),
    health: createHostHealth({ random, timeoutScale }),
    present: 0,
    underWay: 0,
    wake: undefined,
  }
}

/** Calls `act` after the time, unless the signal aborts first. */
export function after({ options }: HostQueue, ms: number, signal: AbortSignal, act: () => void): void {
  options.wait(ms, signal).then(act, () => {})
}

export function endRequest(host: HostQueue, request: PacedRequest): void {
  if (request.ended.signal.aborted) return
  host.present--
  host.lanes.remove(request)
  request.signal?.removeEventListener('abort', request.onAbort)
  request.ended.abort(REQUEST_ENDED)
  if (host.lanes.size === 0) {
    // The queue is empty: no wake-up needed.
    host.wake?.cancel.abort(REQUEST_ENDED)
    host.wake = undefined
  }
}

export function rejectRequest(host: HostQueue, request: PacedRequest, error: unknown): void {
  endRequest(host, request)
  request.reject(error)
}

/** Rejects requests whose deadline comes before the end of the pause the host asked for. */
export function rejectIfPauseTooLong(host: HostQueue, requests: Iterable<PacedRequest>, cause?: unknown): void {
  const now = host.options.clock.monotonic()
  const { pauseUntil } = host.allowance
  if (now >= pauseUntil) return
  for (const request of requests) {
    if (request.deadline <= pauseUntil) rejectRequest(host, request, rateLimitedError(host, pauseUntil - now, cause))
  }
}

/** Rejects at once while the host is down, so that the caller can use its alternative. */
export function rejectIfHostDown(
  host: HostQueue,
  requests: Iterable<PacedRequest>,
  isGivenUp: boolean,
  cause?: unknown,
): void {
  const mustWait = host.health.waitMs(host.options.clock.monotonic(), host.underWay) > 0
  if (!mustWait && !isGivenUp) return
  for (const request of requests) {
    if (isGivenUp || request.alternative) rejectRequest(host, request, hostDownError(host, cause))
  }
}

/** The error of a request that has used up its timeout. */
export function deadlineError(host: HostQueue, timeoutMs: number): UpstreamError {
  const { options, allowance, lanes } = host
  const now = options.clock.monotonic()
  return allowance.rate === undefined && now >= allowance.pauseUntil
    ? new UpstreamError('timeout', `${options.name} did not answer within ${timeoutMs} ms`)
    : rateLimitedError(host, allowance.estimateMs(now, lanes.size + 1))
}

const rateLimitedError = ({ options: { name } }: HostQueue, retryAfterMs: number, cause?: unknown): UpstreamError =>
  new UpstreamError('rate_limited', `the rate limit of ${name} does not allow the request in time`, {
    retryAfterMs,
    cause,
  })

const hostDownError = ({ options: { name, clock }, health }: HostQueue, cause: unknown): UpstreamError =>
  health.isGivenUp(clock.monotonic())
    ? new UpstreamError('timeout', `${name} has not been answering`, { cause, unreachable: true })
    : new UpstreamError('unavailable', `${name} has not been answering, and the next attempt is not due yet`, {
        cause,
        unreachable: health.isDown,
      })
