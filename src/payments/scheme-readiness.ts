import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Payment, Scheme } from './scheme.ts'

export type WhyNotReady = () => { readonly reason: string; readonly retryAfterSeconds: number } | undefined

/**
 * A scheme that is offered only while it is ready. A payment is still parsed then, because it may have bought an answer
 * before: without that, its repetition would get 402, and the client would pay twice.
 */
export function offerWhenReady(scheme: Scheme, whyNotReady: WhyNotReady): Scheme {
  const guard = (payment: Payment): Payment => ({
    ...payment,
    async verify(signal) {
      const why = whyNotReady()
      if (why) throw notReady([why])
      return payment.verify(signal)
    },
    async settle(...args) {
      assertReady()
      return payment.settle(...args)
    },
    async recover(...args) {
      assertReady()
      return payment.recover(...args)
    },
  })
  const assertReady = () => {
    const why = whyNotReady()
    if (why) throw new UpstreamError('unavailable', why.reason)
  }
  return {
    ...scheme,
    whyNotReady,
    parse(...args) {
      const payment = scheme.parse(...args)
      return payment && guard(payment)
    },
    restore: (stored) => guard(scheme.restore(stored)),
  }
}

/** The answer of a paid endpoint that cannot be paid for at the moment. */
export const notReady = (reasons: readonly NonNullable<ReturnType<WhyNotReady>>[]): ApiError =>
  new ApiError(
    'service_unavailable',
    `Payments are not possible at the moment, and nothing was charged. ${reasons.map(({ reason }) => reason).join(' ')}`,
    { headers: { 'Retry-After': String(Math.min(...reasons.map((one) => one.retryAfterSeconds))) } },
  )
