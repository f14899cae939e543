import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import { type Breaker, createBreaker } from '../pace/breaker.ts'
import { type Random, secureRandom } from '../random.ts'

/** Circuit breakers by host: while a host is silent, requests fail at once, and a probe finds out when it is back. */
export type HostBreakers = {
  /** Whether the host has been silent for so long that nobody should wait for it. */
  isGivenUp(host: string): boolean
  /** Whether a probe is due; if so, the caller sends one, and reports its outcome like that of any request. */
  beginProbe(host: string): boolean
  endProbe(host: string): void
  /** The timeout of a request: short for the first one after a timeout. */
  limitTimeoutMs(host: string, timeoutMs: number): number
  /** Records how a request that began at that time ended; no error means that the host answered. */
  record(host: string, startedAt: number, error?: unknown): void
}

type Needs = { readonly clock: Clock; readonly max: number; readonly random?: Random }

/** A shorter timeout says nothing about the host. */
const MIN_TIMEOUT_MS = 300
const TRIAL_TIMEOUT_MS = 1000

type Entry = { readonly breaker: Breaker; probes: number }

export function createHostBreakers({ clock, max, random = secureRandom }: Needs): HostBreakers {
  const hosts = new LRUCache<string, Entry>({ max })

  const entryOf = (host: string): Entry => {
    const known = hosts.get(host)
    if (known) return known
    const entry = { breaker: createBreaker({ random }), probes: 0 }
    hosts.set(host, entry)
    return entry
  }

  return {
    isGivenUp: (host) => hosts.get(host)?.breaker.isGivenUp(clock.monotonic()) ?? false,
    beginProbe(host) {
      const entry = entryOf(host)
      if (entry.breaker.waitMs(clock.monotonic(), entry.probes) > 0) return false
      entry.probes++
      return true
    },
    endProbe(host) {
      entryOf(host).probes--
    },
    limitTimeoutMs: (host, timeoutMs) =>
      hosts.get(host)?.breaker.isOnTrial ? Math.min(timeoutMs, TRIAL_TIMEOUT_MS) : timeoutMs,
    record(host, startedAt, error) {
      const now = clock.monotonic()
      const isTimeout = error instanceof UpstreamError && error.failure === 'timeout'
      // An abort by the caller, and a host that cannot be reached, say nothing about how long it takes.
      const isAnswer = error === undefined || (error instanceof UpstreamError && !isTimeout && !error.unreachable)
      if (isAnswer) {
        entryOf(host).breaker.answered(now)
      } else if (isTimeout && now - startedAt >= MIN_TIMEOUT_MS) {
        entryOf(host).breaker.failed(now, 'timeout', startedAt)
      }
    },
  }
}

export const silentHostError = (host: string): UpstreamError =>
  new UpstreamError('timeout', `${host} has not been answering`, { unreachable: true })
