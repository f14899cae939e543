import { createBucket } from './bucket.ts'

/**
 * The trial of an unknown host: a burst of requests, then none until all of them are answered. If the host refuses none
 * of them, it has no limit for now.
 */
export type Trial = {
  /** How long until the next request may be sent: 0 for now or if the trial is over, Infinity if an answer must come first. */
  waitMs(now: number): number
  /** Counts a request, and returns the number of its burst. */
  sent(now: number): number
  answered(request: SentRequest, now: number): void
  /** The host has refused a request: its limit is known. */
  end(): void
}

export type SentRequest = { readonly at: number; readonly burst: number }

/** A rate that every host accepts. */
const TRIAL_RATE_PER_SECOND = 20
/** Longest part of a response time that counts as the host's own, not as network latency. */
const TRUSTED_LATENCY_MS = 200
/** Further bursts after an inconclusive trial. Limited, because with much jitter every trial is inconclusive. */
const MAX_DOUBTS = 5

export function createTrial(initialBurst: number): Trial {
  // One larger than the bucket of a host with a common limit: when it is empty, such a host has refused the last request.
  const bucket = createBucket(initialBurst, TRIAL_RATE_PER_SECOND)
  let isOver = false
  let burst = 0
  let burstSent = 0
  let burstUnderWay = 0
  let burstLastAt = 0
  let began = 0
  let sent = 0
  let fastestMs = TRUSTED_LATENCY_MS
  let isHeld = false
  let doubts = 0
  let stragglerDeadline = Infinity

  const beginBurst = (now: number): void => {
    burst++
    burstSent = 0
    stragglerDeadline = Infinity
    // A burst that repeats an inconclusive trial continues its count.
    if (doubts > 0 && now - burstLastAt < TRUSTED_LATENCY_MS) return
    began = now
    sent = 0
    doubts = 0
    fastestMs = TRUSTED_LATENCY_MS
  }

  const endBurst = (now: number): void => {
    burstLastAt = now
    // The requests may have arrived this far apart, and the host's own bucket was refilled meanwhile.
    const refilled = ((now - began - fastestMs) * TRIAL_RATE_PER_SECOND) / 1000
    if (sent >= initialBurst + Math.floor(refilled) || ++doubts > MAX_DOUBTS) {
      isOver = true
    } else {
      isHeld = false
      bucket.take(now, -2 - refilled)
    }
  }

  return {
    waitMs(now) {
      if (isOver || !isHeld) return 0
      if (now < stragglerDeadline) return stragglerDeadline - now
      isOver = true
      return 0
    },
    sent(now) {
      if (isOver) return burst
      if (burstUnderWay === 0) beginBurst(now)
      burstSent++
      sent++
      burstUnderWay++
      burstLastAt = now
      bucket.take(now)
      isHeld = bucket.waitMs(now) > 0
      return burst
    },
    answered(request, now) {
      if (isOver || request.burst !== burst) return
      fastestMs = Math.min(fastestMs, now - request.at)
      burstUnderWay--
      if (!isHeld) return
      if (burstUnderWay === 0) endBurst(now)
      // One slow answer must not hold up the rest.
      else if (burstUnderWay === Math.floor(burstSent / 2)) stragglerDeadline = now + (now - began) + 100
    },
    end() {
      isOver = true
    },
  }
}
