import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'

/** The queue, retries and rate limit of one host. */
export type PacedHost = {
  run<T>(send: SendRequest<T>, options: RequestOptions): Promise<T>
  estimateMs(count: number): number
  state(): HostState
  readonly isIdle: boolean
}

/** The caller can get the answer elsewhere too (a hedged request). */
export type Alternative = {
  /** Called when the host has taken 1.5 times as long as usual. */
  readonly onSlow: () => void
  /**
   * When to give up a host that does not answer, by the monotonic clock, so that time is left for the alternative. A
   * request that only waits for its turn at a host with a rate limit waits on: the host answers, and has the answer.
   */
  readonly deadline?: number | undefined
}

export type RequestOptions = {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly lane: string
  /** Set for work that may wait: together it gets at most a quarter of the host (see `priorities.ts`). */
  readonly lowPriority: boolean
  readonly alternative: Alternative | undefined
}

/** Sends one attempt. `timeoutMs` is what is left of the caller's timeout. */
export type SendRequest<T> = (attempt: { readonly signal: AbortSignal; readonly timeoutMs: number }) => Promise<T>

export type HostState = {
  readonly waiting: number
  readonly underWay: number
  /** Requests per second; undefined if the host has shown no limit. */
  readonly rate: number | undefined
  /** Milliseconds left of the pause the host asked for. */
  readonly pauseMs: number
  /** `failing` if it answers with errors, `down` if it is silent or cannot be reached; then one request at a time. */
  readonly breaker: 'closed' | 'failing' | 'down'
}

export type HostOptions = {
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Asked whenever a request could be sent. */
  readonly maxConcurrent: () => number
  /** Maximum requests of this host, queued and under way. */
  readonly maxRequests: number
  readonly initialBurst: number
  /** Maximum retries of one request after refusals, and after failures. */
  readonly maxRefusals: number
  readonly maxFailures: number
  /** Multiplies the times after which a host counts as slow or failed. */
  readonly timeoutScale: number
}
