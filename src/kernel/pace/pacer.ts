import type { Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { sleepOrAbortReason } from '../sleep.ts'
import type { Alternative, HostState, PacedHost, SendRequest } from './host-types.ts'
import { createPacedHost } from './host.ts'

/**
 * Outbound rate limiting with queue, retry and circuit breaker: requests to each host as fast as it allows. All callers
 * share one budget per host.
 */
export type Pacer = {
  /**
   * Queues the request, calls `send` when the host's rate limit allows, and retries with backoff if the host refused (429,
   * or 503 with Retry-After) or failed temporarily. Throws the last error of `send`, `rate_limited` or `timeout` after
   * `timeoutMs`, `unavailable` if the queue is full, or the reason of the caller's own signal.
   */
  run<T>(host: string, send: SendRequest<T>, options?: PaceOptions): Promise<T>
  /** Milliseconds that `count` further requests would take now. */
  estimate(host: string, count: number): number
  /** The state of a host; undefined if it was not used recently. */
  state(host: string): HostState | undefined
  readonly size: number
}

export type PaceOptions = {
  readonly signal?: AbortSignal | undefined
  /** For the whole request: queue, refusals, retries and the answer. */
  readonly timeoutMs?: number | undefined
  /** The client. Lanes take turns, so a job of ten thousand names does not delay a single name of another. */
  readonly lane?: string | undefined
  /** Set for work that may wait: together it gets at most a quarter of the host (see `priorities.ts`). */
  readonly lowPriority?: boolean | undefined
  /** Set if the caller has another source: fails at once while the host is down, and reports a slow answer. */
  readonly alternative?: Alternative | undefined
}

type Options = {
  readonly clock: Clock
  readonly random: Random
  /** Maximum concurrent requests per host; a function is asked again for every request. */
  readonly maxConcurrent?: number | ((host: string) => number)
  /** Maximum requests per host, queued and under way. */
  readonly maxRequests?: number
  readonly maxHosts?: number
  /**
   * Requests sent at once to an unknown host; if it answers all of them, it has no limit for now. Hosts with a limit
   * commonly accept twenty at once: one more shows whether there is a limit, at the cost of one refusal.
   */
  readonly initialBurst?: number
  /** Timeout of a request without its own. */
  readonly timeoutMs?: number
  /** Maximum retries of one request after refusals, and after failures. */
  readonly maxRefusals?: number
  readonly maxFailures?: number
  /** Multiplies the times after which a host counts as slow or failed. */
  readonly timeoutScale?: number
  /** Resolves after the time, rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The state of a host is kept this long after its last request. */
const HOST_TTL_MS = 600_000

const DEFAULT_MAX_CONCURRENT = 100
const DEFAULTS = {
  maxRequests: 20_000,
  initialBurst: 21,
  maxRefusals: 8,
  maxFailures: 5,
  timeoutScale: 1,
}

export function createPacer({ maxHosts = 500, timeoutMs: defaultTimeoutMs = 60_000, ...options }: Options): Pacer {
  const { clock, wait = sleepOrAbortReason, maxConcurrent = DEFAULT_MAX_CONCURRENT } = options
  const limitOf = (host: string) => (): number =>
    typeof maxConcurrent === 'number' ? maxConcurrent : maxConcurrent(host)
  // In order of use, the most recent last.
  const hosts = new Map<string, { readonly host: PacedHost; readonly usedAt: number }>()

  const known = (name: string): PacedHost | undefined => {
    const { host, usedAt = 0 } = hosts.get(name) ?? {}
    const isExpired = clock.monotonic() - usedAt >= HOST_TTL_MS && host?.isIdle && host.state().pauseMs === 0
    return isExpired ? undefined : host
  }

  const makeRoom = (name: string): void => {
    if (hosts.size < maxHosts) return
    const idle = hosts.entries().find(([, { host }]) => host.isIdle)
    if (!idle)
      throw new UpstreamError('unavailable', `${name} cannot be asked now: too many other hosts are being asked`)
    hosts.delete(idle[0])
  }

  const hostFor = (name: string): PacedHost => {
    const found = known(name)
    hosts.delete(name)
    if (!found) makeRoom(name)
    const host = found ?? createPacedHost({ ...DEFAULTS, ...options, maxConcurrent: limitOf(name), wait, name })
    hosts.set(name, { host, usedAt: clock.monotonic() })
    return host
  }

  return {
    async run(host, send, options = {}) {
      const { signal, timeoutMs = defaultTimeoutMs, lane = '', lowPriority = false, alternative } = options
      signal?.throwIfAborted()
      if (timeoutMs <= 0) throw new UpstreamError('timeout', `no time is left to ask ${host}`)
      return hostFor(host).run(send, { signal, timeoutMs, lane, lowPriority, alternative })
    },
    estimate: (host, count) => known(host)?.estimateMs(count) ?? 0,
    state: (host) => known(host)?.state(),
    get size() {
      return hosts.size
    },
  }
}
