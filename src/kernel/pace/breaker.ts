import type { Random } from '../random.ts'

/** Circuit breaker: after a few failures in a row, a host gets one request at a time. */
export type Breaker = {
  /** How long until the next request may be sent: 0 for now, Infinity while the trial request is under way. */
  waitMs(now: number, underWay: number): number
  answered(now: number): void
  failed(now: number, how: HostFailure, sentAt: number): void
  /** Whether it is still down, or failing, after several trials: a request that has already failed should not wait for it. */
  readonly isPersistentlyDown: boolean
  /** Whether it timed out and a trial is under way: its answer may take long, so other requests do not wait for it. */
  isSilent(underWay: number): boolean
  /**
   * Whether it has not answered for so long that no caller should wait for a trial: only a probe, for which nobody
   * waits, finds out that it is back.
   */
  isGivenUp(now: number): boolean
  /** Whether the next request is the trial of a host that timed out once, shortly after it had answered. */
  readonly isOnTrial: boolean
  /** `failing` if it answers with errors, `down` if it does not answer or cannot be reached. */
  readonly state: 'closed' | 'failing' | 'down'
}

/** `error`: it answered with an error. `timeout`: no answer. `unreachable`: no connection. `broken`: it broke. */
export type HostFailure = 'error' | 'timeout' | 'unreachable' | 'broken'

/** Consecutive failures that open the breaker. A broken connection is no reason yet: it may have been an idle one. */
const MAX_FAILURES = { error: 5, timeout: 1, unreachable: 1, broken: 2 }
/** A host that answered a moment ago may break single connections, and one that answers others is slow for one name. */
const RECENT_ANSWER_MS = 5000
const MAX_FAILURES_AFTER_RECENT_ANSWER = { error: 5, timeout: 3, unreachable: 3, broken: 3 }
/** A host that answered within this time gets one trial after a timeout: perhaps a single name was slow. */
const TRUSTED_MS = 60_000
/** Exponential backoff between trials starts with this. */
const FIRST_PAUSE_MS = 50
/** Requests wait that long, so it is short for a host that may be back soon. */
const MAX_PAUSE_MS = { error: 1000, timeout: 2000, unreachable: 520, broken: 520 }
const MIN_JITTER = 0.75
/** A server that is restarted comes back within the first few pauses; one that is overloaded gets a few more. */
const MAX_RESTART_PAUSES = { error: 5, timeout: 3, unreachable: 3, broken: 3 }

export function createBreaker({ random }: { readonly random: Random }): Breaker {
  let failures = 0
  let pauses = 0
  let openedAt = 0
  let answeredAt = -Infinity
  let pauseUntil = 0
  let state: Breaker['state'] = 'closed'
  let lastFailure: HostFailure = 'error'
  const isSilent = () => state === 'down' && lastFailure === 'timeout'
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
      // A timeout during which other requests were answered says little; one during which none was says that it is down.
      const isRecent = how === 'timeout' ? answeredAt > sentAt : now - answeredAt < RECENT_ANSWER_MS
      const max = isRecent ? MAX_FAILURES_AFTER_RECENT_ANSWER : MAX_FAILURES
      if (state === 'closed' && failures < max[how]) return
      // Requests sent before it opened fail together: only a later failure says that the host is still down.
      if (state !== 'closed' && sentAt < openedAt) return
      if (state === 'closed') openedAt = now
      state = how === 'error' ? 'failing' : 'down'
      lastFailure = how
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** pauses++, MAX_PAUSE_MS[how])
      pauseUntil = now + pauseMs * (MIN_JITTER + 2 * (1 - MIN_JITTER) * random.fraction())
    },
    isSilent: (underWay) => isSilent() && underWay > 0,
    isGivenUp: (now) => isSilent() && (pauses > 1 || now - answeredAt > TRUSTED_MS),
    get isOnTrial() {
      return isSilent()
    },
    get isPersistentlyDown() {
      return state !== 'closed' && pauses > MAX_RESTART_PAUSES[lastFailure]
    },
    get state() {
      return state
    },
  }
}
