import { ApiError } from '../kernel/errors.ts'
import type { PaidRequest } from '../kernel/paywall.ts'
import type { Offer, Payment, RequestHeaders, Scheme } from './scheme.ts'

export const createOffer = (request: PaidRequest): Offer => ({
  scope: request.endpoint,
  description: request.description,
  price: request.price,
  url: request.url,
  bodyFingerprint: request.bodyFingerprint,
  bodyDigest: request.bodyDigest,
})

/** The payment of a request. Two payments are rejected, because it would be unclear which one to take. */
export function parsePayment(
  schemes: readonly Scheme[],
  { headers }: PaidRequest,
  offer: Offer,
): { scheme: Scheme; payment: Payment } | undefined {
  const found: (() => { scheme: Scheme; payment: Payment })[] = []
  for (const scheme of schemes) {
    try {
      const payment = scheme.parse(headers, offer)
      if (payment) found.push(() => ({ scheme, payment }))
    } catch (error) {
      found.push(() => {
        throw error
      })
    }
  }
  if (found.length > 1) throw new ApiError('invalid_request', 'Send one payment, not two.')
  return found[0]?.()
}

/** Whether headers may carry a payment, without parsing it. */
export const bringsPayment = (headers: RequestHeaders): boolean =>
  headers['payment-signature'] !== undefined ||
  headers['x-payment'] !== undefined ||
  /(?:^|,)\s*payment(?:[\s,]|$)/i.test(String(headers['authorization'] ?? ''))

/** Undefined if the stored text was pruned or its scheme is no longer set up: recovery of others must go on. */
export function restorePayment(schemes: readonly Scheme[], scheme: string, stored: string): Payment | undefined {
  try {
    return schemes.find(({ id }) => id === scheme)?.restore(stored)
  } catch {
    return undefined
  }
}
