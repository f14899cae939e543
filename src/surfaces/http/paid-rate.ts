import type { RateDecision, RateLimiter } from '../../kernel/rate-limit.ts'

/** How a request that brings a payment is counted: it counts unless it buys something. */
export type PaymentCount = {
  /** What the client is told about its limit. */
  readonly decision: RateDecision
  /** Whether the request may go on; with `needsSignature` only if its payment turns out to be signed. */
  readonly isAllowed: boolean
  readonly needsSignature: boolean
  /** For a request that bought something. What the client is told then. */
  giveBack(): Promise<RateDecision>
}

/**
 * One request is reserved in the client's limit. A client whose limit is used up may still pay: signed payments that buy
 * nothing have a limit of their own, of the same size, so that a wallet without money is no way round the first.
 */
export async function countPayment(limiter: RateLimiter, client: string): Promise<PaymentCount> {
  const own = await limiter.reserve(client)
  if (own.allowed) {
    return { decision: own, isAllowed: true, needsSignature: false, giveBack: async () => own.refund() }
  }
  const spare = await limiter.reserve(`${client} payments`)
  const giveBack = async () => {
    await spare.refund()
    return own
  }
  return { decision: own, isAllowed: spare.allowed, needsSignature: true, giveBack }
}
