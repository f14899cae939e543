import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { createBreaker, type HostFailure } from './breaker.ts'
import { createLatencyEstimate } from './latency.ts'

/** How a host has been answering: how fast, and whether it is worth being asked. */
export type HostHealth = {
  /** It answered, or refused to; `tookMs` where the time says something about it. */
  answered(now: number, tookMs?: number): void
  failed(now: number, how: HostFailure, sentAt: number): void
  /** How long until the next question may be sent: 0 for now, Infinity while an answer has to come first. */
  waitMs(now: number, underWay: number): number
  /** Whether waiting is pointless because the question that tries it out may itself wait long for an answer. */
  isSilent(underWay: number): boolean
  /** How long until a question sent at that time counts as slow, or as failed; 0 or less where it does. */
  slowInMs(now: number, sentAt: number): number
  failedInMs(now: number, sentAt: number): number
  /** What it says about the host that a question ended before its answer. */
  classifyEarlyEnd(how: 'time is up' | 'left', now: number, sentAt: number): 'nothing' | HostFailure
  readonly meanMs: number
  readonly isDown: boolean
  /** Whether it was tried again and again and is still down. */
  readonly isPersistentlyDown: boolean
}

type Needs = {
  readonly random: Random
  /** Stretches the times after which a host counts as slow or failed. */
  readonly timeoutScale: number
}

export function createHostHealth({ random, timeoutScale }: Needs): HostHealth {
  const breaker = createBreaker({ random })
  const latency = createLatencyEstimate()
  let answeredAt = -Infinity
  // A host that goes on answering others is busy with them: what counts is how long it has been silent.
  const silentMs = (now: number, sentAt: number) => now - Math.max(sentAt, answeredAt)
  return {
    answered(now, tookMs) {
      answeredAt = now
      breaker.answered(now)
      if (tookMs !== undefined) latency.record(tookMs)
    },
    failed: breaker.failed,
    waitMs: breaker.waitMs,
    isSilent: breaker.isSilent,
    // A host that is thought to be down is tried by one question, which does not wait to find out.
    slowInMs: (now, sentAt) => (breaker.state === 'closed' ? timeoutScale * latency.slowMs - silentMs(now, sentAt) : 0),
    failedInMs: (now, sentAt) => timeoutScale * latency.failedMs - silentMs(now, sentAt),
    classifyEarlyEnd(how, now, sentAt) {
      // A sign of trouble only where the host had plenty of time.
      const isSilent =
        how === 'left' ? silentMs(now, sentAt) > timeoutScale * latency.slowMs : now - sentAt > 10 * latency.meanMs
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

/** What an error tells about the host: that it refused, how it failed, that it is there, or nothing. */
export function classifyError(error: unknown): 'refused' | 'alive' | 'nothing' | HostFailure {
  // A question we refused to send says nothing about the host, and would be refused again.
  if (!(error instanceof UpstreamError) || error.refusal !== undefined) return 'nothing'
  if (error.failure === 'rate_limited' || error.retryAfterMs !== undefined) return 'refused'
  if (error.failure === 'timeout') return 'timeout'
  if (error.failure !== 'unavailable') return 'alive'
  return error.unreachable ? 'unreachable' : 'error'
}
