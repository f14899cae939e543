import { ApiError } from '../kernel/errors.ts'
import type { PaidAnswer, PaidRequest, Product, Work } from '../kernel/paywall.ts'
import type { LedgerEntry, StoredAnswer } from './ledger.ts'
import { restorePayment } from './payment-headers.ts'
import { hashOwnToken, mayFetchAgain, PAYMENT_TOKEN } from './payment-token.ts'
import { type Offer, type Payment, PaymentRefused, type Scheme } from './scheme.ts'

/** One request together with the payment it carries. */
export type Purchase = {
  readonly request: PaidRequest
  readonly offer: Offer
  readonly scheme: Scheme
  readonly payment: Payment
  /** Identifies this attempt in the ledger. */
  readonly owner: string
  /** The result of `prepare`, which is called at most once. */
  readonly prepared: () => Promise<Work>
}

/**
 * Refuses a payment that was used for another request. The signature must match too: the payment's key can be read on
 * the chain by anybody.
 */
export function assertSamePurchase(entry: LedgerEntry, { request, payment, scheme }: Purchase): void {
  const isSame = restorePayment([scheme], scheme.id, entry.payment)?.proof === payment.proof
  if (entry.fingerprint === request.fingerprint && isSame) return
  throw new PaymentRefused('invalid-challenge', 'This payment was made for another request; sign a new one for this.')
}

/**
 * A payment that is being settled can be read on the chain by anybody. If its payer chose a token, only the token tells
 * the payer from others until the answer was delivered.
 */
export function assertToken({ tokenHash }: LedgerEntry, { scheme, request }: Purchase): void {
  if (!scheme.isProofPublic || tokenHash === undefined || hashOwnToken(request.headers) === tokenHash) return
  throw new PaymentRefused(
    'invalid-challenge',
    `Send the ${PAYMENT_TOKEN} header that this payment was sent with first.`,
  )
}

/**
 * The stored answer of a settled payment. `isEarly`: the request came before the payment could be public, so it needs no
 * token.
 */
export function replay(entry: LedgerEntry, purchase: Purchase, { isEarly, now }: ReplayCheck): PaidAnswer {
  const { answer, receipt } = entry
  // A pruned entry has no payment to compare with.
  if (entry.payment === '') {
    const sentence = 'This payment was used a while ago, and its answer is no longer kept.'
    throw new PaymentRefused('invalid-challenge', sentence)
  }
  assertSamePurchase(entry, purchase)
  if (!answer || !receipt) throw new RangeError('a settled payment without an answer')
  if (purchase.scheme.isProofPublic && !isEarly && !mayFetchAgain(entry, purchase.request.headers, now)) {
    const sentence = `The answer to this payment was delivered. To fetch it again, send the ${PAYMENT_TOKEN} header that came with it (over MCP: onoma/payment-token in _meta).`
    throw new PaymentRefused('invalid-challenge', sentence)
  }
  return deliver(answer, receipt.headers)
}

type ReplayCheck = { readonly isEarly: boolean; readonly now: number }

/** Without `extra` headers it is a repeat. */
export const deliver = (
  { status, body }: StoredAnswer,
  receipt: readonly string[],
  extra: readonly string[] = [],
): PaidAnswer => ({
  status,
  headers: ['Cache-Control', 'private', ...receipt, ...extra],
  body,
  isSettled: true,
})

/** Has no receipt: nothing was paid. */
export const deliverUncharged = ({ status, body }: Product): PaidAnswer => ({
  status,
  headers: ['Cache-Control', 'no-store'],
  body,
  isSettled: false,
})

export const unavailable = (sentence: string, cause?: unknown): ApiError =>
  new ApiError('service_unavailable', sentence, { cause, headers: { 'Retry-After': '2' } })

/** For ledger calls before any money has moved: if one fails, nothing was taken. */
export async function orUnavailable<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    const sentence = 'The payment cannot be written down at the moment; it was not taken. Send the same request again.'
    throw unavailable(sentence, error)
  }
}
