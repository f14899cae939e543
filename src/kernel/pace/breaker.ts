import type { Random } from '../random.ts'

/** Circuit breaker: after a few failures in a row, a host gets one request at a time. */
export type Breaker = {
  /** How long until the next request may be sent: 0 for now, Infinity while the trial request is under way. */
  waitMs(now: number, underWay: number): number
  answered(now: number): void
  failed(now: number, how: HostFailure, sentAt: number): void
  /** Whether it is still down after several trials: a request that has already failed should not wait for it. */
  readonly isPersistentlyDown: boolean
  /** Whether a trial request is under way to a host that timed out before: its answer may take long. */
  isSilent(underWay: number): boolean
  /** `failing` if it answers with errors, `down` if it does not answer or cannot be reached. */
  readonly state: 'closed' | 'failing' | 'down'
}

/** `error`: it answered with an error. `timeout`: no answer. `unreachable`: no connection. */
export type HostFailure = 'error' | 'timeout' | 'unreachable'

/** Consecutive failures that open the breaker. */
const MAX_FAILURES = { error: 5, timeout: 3, unreachable: 1 }
/** A host that answered a moment ago may break single connections. */
const RECENT_ANSWER_MS = 5000
const MAX_FAILURES_AFTER_RECENT_ANSWER = { ...MAX_FAILURES, unreachable: 3 }
/** Exponential backoff between trials starts with this. */
const FIRST_PAUSE_MS = 50
/** With jitter, below a second for a host that is down, because requests wait that long. */
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
      // Requests sent before it opened fail together: only a later failure says that the host is still down.
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
