// The global of the same name is a getter, which every request would call several times.
import { performance } from 'node:perf_hooks'

/** Time is an argument, so that tests control it. */
export type Clock = {
  /** Milliseconds since the Unix epoch; may jump when the machine's clock is corrected. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For durations and windows. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

/** A clock for tests: time passes only through `advance`. */
export function manualClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let elapsed = 0
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    advance(ms) {
      elapsed += ms
    },
  }
}

/** The current time as in every answer: ISO 8601 in UTC. */
export const timestamp = (clock: Clock): string => new Date(clock.now()).toISOString()
