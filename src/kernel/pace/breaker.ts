import type { Random } from '../random.ts'

/** Circuit breaker: after a few failures in a row, a host gets one request at a time. */
export type Breaker = {
  /** How long until the next question may be sent: 0 for now, Infinity while the one under way has not come back. */
  waitMs(now: number, underWay: number): number
  answered(now: number): void
  failed(now: number, how: HostFailure, sentAt: number): void
  /** Whether it was tried again and again and is still down: a question that failed already should not wait for it. */
  readonly isPersistentlyDown: boolean
  /** Whether waiting is pointless because the question that tries it out may itself wait long for an answer. */
  isSilent(underWay: number): boolean
  /** `failing` where it answers with errors, `down` if it does not answer or cannot be reached. */
  readonly state: 'closed' | 'failing' | 'down'
}

/** `error`: it answered with an error. `timeout`: no answer. `unreachable`: no connection. */
export type HostFailure = 'error' | 'timeout' | 'unreachable'

/** How many failures in a row open the breaker. */
const MAX_FAILURES = { error: 5, timeout: 3, unreachable: 1 }
/** A host that answered a moment ago may break a connection now and then. */
const RECENT_ANSWER_MS = 5000
const MAX_FAILURES_AFTER_RECENT_ANSWER = { ...MAX_FAILURES, unreachable: 3 }
const FIRST_PAUSE_MS = 50
/** With jitter it stays below a second for a host that is down: requests wait that long. */
const MAX_PAUSE_MS = { error: 5000, timeout: 650, unreachable: 650 }
/** A server that is restarted comes back within the first few pauses. */
const MAX_RESTART_PAUSES = 3

export function createBreaker({ random }: { readonly random: Random }): Breaker {
  let failures = 0
  let pauses = 0
  let openedAt = 0
  let answeredAt = -Infinity
  let pauseUntil = 0
  let state: Breaker['state'] = 'closed'
  let isTimeout = false
  return {
    waitMs(now, underWay) {
      if (state === 'closed') return 0
      return underWay > 0 ? Infinity : Math.max(pauseUntil - now, 0)
    },
    answered(now) {
      failures = 0
      pauses = 0
      answeredAt = now
      state = 'closed'
    },
    failed(now, how, sentAt) {
      failures++
      const max = now - answeredAt < RECENT_ANSWER_MS ? MAX_FAILURES_AFTER_RECENT_ANSWER : MAX_FAILURES
      if (state === 'closed' && failures < max[how]) return
      // Questions sent before it opened fail together: only a later one says that the trouble goes on.
      if (state !== 'closed' && sentAt < openedAt) return
      if (state === 'closed') openedAt = now
      state = how === 'error' ? 'failing' : 'down'
      isTimeout = how === 'timeout'
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** pauses++, MAX_PAUSE_MS[how])
      pauseUntil = now + pauseMs * (0.5 + random.fraction())
    },
    isSilent: (underWay) => state === 'down' && isTimeout && underWay > 0,
    get isPersistentlyDown() {
      return state === 'down' && pauses > MAX_RESTART_PAUSES
    },
    get state() {
      return state
    },
  }
}
