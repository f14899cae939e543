import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'

/** Upper bound for Retry-After: one request an hour is no load, and limits the effect of a wrong header. */
export const MAX_RETRY_AFTER_MS = 3_600_000

const DATE_SHAPES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/**
 * The milliseconds a Retry-After header asks for, between 0 and MAX_RETRY_AFTER_MS: seconds, or a date in one of the
 * three formats of RFC 9110. Undefined if it is neither.
 */
export function parseRetryAfter(value: string | undefined, clock: Clock): number | undefined {
  const text = value?.trim() ?? ''
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : DATE_SHAPES.some((shape) => shape.test(text))
      ? // Only the asctime format has no zone; all three mean GMT.
        Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - clock.now()
      : Number.NaN
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS)
}

/** Hosts with a Retry-After that is not over (backoff). */
export type HostBackoffs = {
  backOff(host: string, ms: number): void
  /** Milliseconds until the host may be used again; 0 for now. */
  remainingMs(host: string): number
  readonly size: number
}

export function createHostBackoffs({ max, clock }: { max: number; clock: Clock }): HostBackoffs {
  const until = new LRUCache<string, number>({ max })
  return {
    backOff(host, ms) {
      if (ms > 0) until.set(host, clock.monotonic() + ms)
    },
    remainingMs(host) {
      const end = until.get(host)
      if (end === undefined) return 0
      const ms = end - clock.monotonic()
      if (ms <= 0) until.delete(host)
      return Math.max(ms, 0)
    },
    get size() {
      return until.size
    },
  }
}
