import type { Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import type { Random } from '../random.ts'
import { sleepOrAbortReason } from '../sleep.ts'
import { type Alternative, createPacedHost, type SendRequest, type HostState, type PacedHost } from './host.ts'

/** Asks hosts as fast as each of them allows, and no faster. One budget per host, shared by all who ask. */
export type Pacer = {
  /**
   * Runs `ask` when its turn at the host has come, and again where the host refused it (429, or 503 with Retry-After)
   * or failed in passing. Throws what `ask` threw last, `rate_limited` or `timeout` when the deadline comes first,
   * `unavailable` where too many wait already, or the reason of the caller's own signal.
   */
  run<T>(host: string, ask: SendRequest<T>, turn?: Turn): Promise<T>
  /** How many milliseconds `count` further questions would take now. */
  estimate(host: string, count: number): number
  /** What is known of a host; undefined where it was not asked lately. */
  state(host: string): HostState | undefined
  readonly size: number
}

export type Turn = {
  readonly signal?: AbortSignal | undefined
  /** For everything together: waiting for a turn, being refused, asking again, the answer. */
  readonly deadlineMs?: number | undefined
  /** Who asks. Lanes take turns, so a job of ten thousand names does not keep a single one waiting. */
  readonly lane?: string | undefined
  /** The caller can go elsewhere: the host is not waited for while it is down, and a slow answer is told of. */
  readonly alternative?: Alternative | undefined
}

type Options = {
  readonly clock: Clock
  readonly random: Random
  /** Most questions under way to one host. */
  readonly maxConcurrent?: number
  /** Most questions present at one host, waiting or under way. */
  readonly maxRequests?: number
  readonly maxHosts?: number
  /**
   * How many a host we know nothing of gets at once; all of them answered, it gets as many as there are. Those that
   * limit at all commonly take twenty at once: one more tells which kind this is, at the price of one refusal.
   */
  readonly initialBurst?: number
  /** How long a question without a deadline of its own may take. */
  readonly deadlineMs?: number
  /** How often one question is asked again after being refused, and after failing. */
  readonly maxRefusals?: number
  readonly maxFailures?: number
  /** Stretches the times after which a host counts as slow or failed. */
  readonly timeoutScale?: number
  /** Resolves after the time, rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What was learnt of a host is kept this long after it was last asked. */
const HOST_TTL_MS = 600_000

const DEFAULTS = {
  maxConcurrent: 100,
  maxRequests: 20_000,
  initialBurst: 21,
  maxRefusals: 8,
  maxFailures: 7,
  timeoutScale: 1,
}

export function createPacer({ maxHosts = 500, deadlineMs: defaultDeadlineMs = 60_000, ...options }: Options): Pacer {
  const { clock, wait = sleepOrAbortReason } = options
  // In order of use, the latest at the end.
  const hosts = new Map<string, { readonly host: PacedHost; readonly usedAt: number }>()

  const known = (name: string): PacedHost | undefined => {
    const { host, usedAt = 0 } = hosts.get(name) ?? {}
    const isForgotten = clock.monotonic() - usedAt >= HOST_TTL_MS && host?.isIdle && host.state().pauseMs === 0
    return isForgotten ? undefined : host
  }

  const makeRoom = (name: string): void => {
    if (hosts.size < maxHosts) return
    const idle = hosts.entries().find(([, { host }]) => host.isIdle)
    if (!idle) throw new UpstreamError('unavailable', `too many others are being asked for ${name} to be asked too`)
    hosts.delete(idle[0])
  }

  const hostFor = (name: string): PacedHost => {
    const found = known(name)
    hosts.delete(name)
    if (!found) makeRoom(name)
    const host = found ?? createPacedHost({ ...DEFAULTS, ...options, wait, name })
    hosts.set(name, { host, usedAt: clock.monotonic() })
    return host
  }

  return {
    async run(host, ask, { signal, deadlineMs = defaultDeadlineMs, lane = '', alternative } = {}) {
      signal?.throwIfAborted()
      if (deadlineMs <= 0) throw new UpstreamError('timeout', `no time is left to ask ${host}`)
      return hostFor(host).run(ask, { signal, deadlineMs, lane, alternative })
    },
    estimate: (host, count) => known(host)?.estimateMs(count) ?? 0,
    state: (host) => known(host)?.state(),
    get size() {
      return hosts.size
    },
  }
}
