import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'

/** Keeps to the published limit of a service, so that it never has to refuse us. */
export type Budget = {
  /** Counts this many requests. Throws `rate_limited` if the last minute has no room for them. */
  spend(requests: number): void
  /** After a refusal: nothing may be spent for so long. */
  block(durationMs: number): void
}

const MINUTE_MS = 60_000

export function createBudget({
  perMinute,
  clock,
}: {
  readonly perMinute: number
  readonly clock: Pick<Clock, 'monotonic'>
}): Budget {
  /** When each request of the last minute was made; never more than `perMinute`. */
  let spentAt: number[] = []
  let blockedUntil = -Infinity
  return {
    spend(requests) {
      const now = clock.monotonic()
      if (now < blockedUntil) throw limitError('it asked us to wait', blockedUntil - now)
      spentAt = spentAt.filter((at) => now - at < MINUTE_MS)
      const excess = spentAt.length + requests - perMinute
      if (excess > 0)
        throw limitError(`it allows ${perMinute} requests a minute`, spentAt[excess - 1]! + MINUTE_MS - now)
      for (let count = 0; count < requests; count++) spentAt.push(now)
    },
    block(durationMs) {
      blockedUntil = Math.max(blockedUntil, clock.monotonic() + durationMs)
    },
  }
}

export const limitError = (why: string, retryAfterMs: number): UpstreamError =>
  new UpstreamError('rate_limited', why, { retryAfterMs })
