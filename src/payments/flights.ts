import { ApiError } from '../kernel/errors.ts'
import type { PaidAnswer } from '../kernel/paywall.ts'
import { unlessAborted } from '../kernel/timeout.ts'
import { PaymentRefused } from './scheme.ts'

/** What identifies one payment for one request. */
export type FlightPlan = {
  /** `Payment.key`. */
  readonly key: string
  readonly fingerprint: string
  readonly proof: string
  /** Whether the proof can be read on the chain once the payment is being settled. */
  readonly isProofPublic: boolean
  readonly signal: AbortSignal
}

export type Flight = {
  /** From now on the proof may be public: requests that come later do not share the answer. */
  publish(): void
}

type Landing = { readonly answer: PaidAnswer } | { readonly error: unknown }
type OpenFlight = FlightPlan & { isPublic: boolean; readonly landed: Promise<Landing> }

/**
 * Requests with the same payment, within this process: one is served at a time. Those that waited with the same request
 * share a settled answer, a refusal or a 503; otherwise the next one is served.
 */
export function createFlights() {
  const open = new Map<string, OpenFlight>()

  async function serve(plan: FlightPlan, run: (flight: Flight) => Promise<PaidAnswer>): Promise<PaidAnswer> {
    for (let other = open.get(plan.key); other; other = open.get(plan.key)) {
      const mayShare =
        other.fingerprint === plan.fingerprint && other.proof === plan.proof && !(other.isPublic && plan.isProofPublic)
      const landing = await unlessAborted(other.landed, plan.signal)
      if (!mayShare) continue
      if ('answer' in landing && landing.answer.isSettled) return landing.answer
      // What went wrong because its caller left says nothing about the others.
      if ('error' in landing && !other.signal.aborted && isForAll(landing.error)) throw landing.error
    }
    const { promise: landed, resolve } = Promise.withResolvers<Landing>()
    const flight: OpenFlight = { ...plan, isPublic: false, landed }
    open.set(plan.key, flight)
    const land = (landing: Landing) => {
      open.delete(plan.key)
      resolve(landing)
    }
    try {
      const answer = await run({ publish: () => void (flight.isPublic = true) })
      land({ answer })
      return answer
    } catch (error) {
      land({ error })
      throw error
    }
  }

  return { serve }
}

/** Not the error of one caller who left, nor of work that the next one may repeat. */
const isForAll = (error: unknown): boolean =>
  error instanceof PaymentRefused || (error instanceof ApiError && error.code === 'service_unavailable')
