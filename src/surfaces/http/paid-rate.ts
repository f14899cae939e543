import type { RateDecision, RateLimiter } from '../../kernel/rate-limit.ts'

/** The rate-limit reservation of a request with a payment. It is released if the payment settles. */
export type PaymentCount = {
  /** For the RateLimit headers. */
  readonly decision: RateDecision
  /** Whether the request may go on; with `needsSignature` only if its payment turns out to be signed. */
  readonly isAllowed: boolean
  readonly needsSignature: boolean
  /** Releases the reservation after a settled payment; returns the decision for the headers then. */
  giveBack(): Promise<RateDecision>
}

/**
 * Reserves one request in the client's rate limit. A client whose limit is used up may still pay: signed payments that do
 * not settle have a second limit of the same size, so that a wallet without money does not bypass the first.
 */
export async function countPayment(limiter: RateLimiter, client: string): Promise<PaymentCount> {
  const own = await limiter.reserve(client)
  if (own.allowed) {
    return { decision: own, isAllowed: true, needsSignature: false, giveBack: async () => own.refund() }
  }
  const spare = await limiter.reserve(`payments of ${client}`)
  const giveBack = async () => {
    await spare.refund()
    return own
  }
  return { decision: own, isAllowed: spare.allowed, needsSignature: true, giveBack }
}
