import { formatMoney } from '../kernel/money.ts'
import type { PaidAnswer } from '../kernel/paywall.ts'
import type { Offer, PaymentRefused, Scheme } from './scheme.ts'

const TITLES = {
  'payment-required': 'Payment Required',
  'payment-insufficient': 'Payment Insufficient',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Payment Verification Failed',
  'malformed-credential': 'Malformed Payment',
  'invalid-challenge': 'Payment Not Usable Here',
} as const

/** One 402 for all clients: each protocol finds its own words in it, and people a sentence. */
export function inviteToPay(schemes: readonly Scheme[], offer: Offer, refused?: PaymentRefused): PaidAnswer {
  const why = refused?.message
  const headers = ['Cache-Control', 'no-store']
  const members: Record<string, unknown> = {}
  for (const scheme of schemes) {
    const invitation = scheme.invite(offer, why)
    headers.push(...invitation.headers)
    Object.assign(members, invitation.members)
  }
  const problem = refused?.problem ?? 'payment-required'
  const message =
    why ?? `This costs $${formatMoney(offer.price)} a request, paid by x402 or MPP; docs/payments.md tells how.`
  const body = {
    error: 'payment_required',
    message,
    type: `https://paymentauth.org/problems/${problem}`,
    title: TITLES[problem],
    status: 402,
    detail: message,
    ...members,
  }
  return { status: 402, headers, body: JSON.stringify(body) }
}
