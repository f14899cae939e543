import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { createBreaker, type HostFailure } from './breaker.ts'
import { createLatencyEstimate } from './latency.ts'

/** Response times and failures of one host: latency estimate and circuit breaker. */
export type HostHealth = {
  /** The host answered or refused. `elapsedMs` is left out if it says nothing about the host's speed. */
  answered(now: number, elapsedMs?: number): void
  failed(now: number, how: HostFailure, sentAt: number): void
  /** How long until the next request may be sent: 0 for now, Infinity if an answer must come first. */
  waitMs(now: number, underWay: number): number
  /** Whether a trial request is under way to a host that timed out before: its answer may take long. */
  isSilent(underWay: number): boolean
  /** Whether it has been silent for so long that only a probe, for which nobody waits, should be sent. */
  isGivenUp(now: number): boolean
  /** Maximum duration of the next attempt: short for the trial of a host that timed out, which callers wait for. */
  readonly maxAttemptMs: number
  /** Maximum duration of a probe. */
  readonly probeMs: number
  readonly state: 'closed' | 'failing' | 'down'
  /** How long until a request sent at that time counts as slow, or as failed; 0 or less if it already does. */
  slowInMs(now: number, sentAt: number): number
  failedInMs(now: number, sentAt: number): number
  /** What it says about the host if a request ended before its answer. */
  classifyEarlyEnd(how: 'timeout' | 'aborted', now: number, sentAt: number): 'nothing' | HostFailure
  readonly meanMs: number
  readonly isDown: boolean
  /** Whether it is still down after several trials. */
  readonly isPersistentlyDown: boolean
}

type Needs = {
  readonly random: Random
  /** Multiplies the times after which a host counts as slow or failed. */
  readonly timeoutScale: number
}

export function createHostHealth({ random, timeoutScale }: Needs): HostHealth {
  const breaker = createBreaker({ random })
  const latency = createLatencyEstimate()
  let answeredAt = -Infinity
  // A host that keeps answering other requests is only busy: what counts is how long it has been silent.
  const silentMs = (now: number, sentAt: number) => now - Math.max(sentAt, answeredAt)
  return {
    answered(now, elapsedMs) {
      answeredAt = now
      breaker.answered(now)
      if (elapsedMs !== undefined) latency.record(elapsedMs)
    },
    failed: breaker.failed,
    waitMs: breaker.waitMs,
    isSilent: breaker.isSilent,
    isGivenUp: breaker.isGivenUp,
    get maxAttemptMs() {
      return breaker.isOnTrial ? 2 * timeoutScale * latency.slowMs : Infinity
    },
    get probeMs() {
      return timeoutScale * latency.failedMs
    },
    get state() {
      return breaker.state
    },
    // A trial request to a host that is probably down counts as slow at once, so that the caller uses its alternative.
    slowInMs: (now, sentAt) => (breaker.state === 'closed' ? timeoutScale * latency.slowMs - silentMs(now, sentAt) : 0),
    failedInMs: (now, sentAt) => timeoutScale * latency.failedMs - silentMs(now, sentAt),
    classifyEarlyEnd(how, now, sentAt) {
      // Counts as a timeout only if the host had plenty of time.
      const isSilent =
        how === 'aborted' ? silentMs(now, sentAt) > timeoutScale * latency.slowMs : now - sentAt > 10 * latency.meanMs
      return isSilent ? 'timeout' : 'nothing'
    },
    get meanMs() {
      return latency.meanMs
    },
    get isPersistentlyDown() {
      return breaker.isPersistentlyDown
    },
    get isDown() {
      return breaker.state === 'down'
    },
  }
}

/** What an error says about the host: rate-limited us, failed, is alive, or nothing. */
export function classifyError(error: unknown): 'refused' | 'alive' | 'nothing' | HostFailure {
  // A request refused by our own address policy says nothing about the host.
  if (!(error instanceof UpstreamError) || error.refusal !== undefined) return 'nothing'
  if (error.failure === 'rate_limited' || error.retryAfterMs !== undefined) return 'refused'
  if (error.failure === 'timeout') return 'timeout'
  if (error.failure !== 'unavailable') return 'alive'
  if (error.broken) return 'broken'
  return error.unreachable ? 'unreachable' : 'error'
}
