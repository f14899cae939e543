import type { Random } from '../random.ts'

/** Keeps a host that seems to be down from being asked by everybody: after a few failures in a row, one at a time. */
export type Breaker = {
  /** How long until the next question may be sent: 0 for now, Infinity while the one under way has not come back. */
  waitMs(now: number, underWay: number): number
  answered(): void
  failed(now: number): void
}

const FAILURES = 5
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5000

export function createBreaker({ random }: { readonly random: Random }): Breaker {
  let failures = 0
  let pauseUntil = 0
  return {
    waitMs(now, underWay) {
      if (failures < FAILURES) return 0
      return underWay > 0 ? Infinity : Math.max(pauseUntil - now, 0)
    },
    answered() {
      failures = 0
    },
    failed(now) {
      failures++
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(failures - FAILURES, 0), LONGEST_PAUSE_MS)
      pauseUntil = now + pause * (0.5 + random.fraction())
    },
  }
}
