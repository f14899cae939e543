import { formatMoney, type Usd } from '../kernel/money.ts'
import type { PaidAnswer } from '../kernel/paywall.ts'
import type { Offer, PaymentProblem, PaymentRefused, Scheme } from './scheme.ts'

const TITLES = {
  'payment-required': 'Payment Required',
  'payment-insufficient': 'Payment Insufficient',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Payment Verification Failed',
  'malformed-credential': 'Malformed Payment',
  'invalid-challenge': 'Payment Not Usable Here',
} as const

/** Cached start of the body for requests without a payment; one entry per price. */
const unpaidBodyStarts = new Map<Usd, string>()

/** One 402 response that carries the challenges of all schemes, and a sentence for people. */
export function createPaymentRequired(schemes: readonly Scheme[], offer: Offer, refused?: PaymentRefused): PaidAnswer {
  const headers = ['Cache-Control', 'no-store']
  let body = refused ? bodyStart(refused.problem, refused.message) : unpaidBodyStart(offer.price)
  for (const scheme of schemes) {
    const invitation = scheme.challenge(offer, refused?.message)
    for (const line of invitation.headers) headers.push(line)
    body += `,${invitation.members}`
  }
  return { status: 402, headers, body: `${body}}`, isSettled: false }
}

function unpaidBodyStart(price: Usd): string {
  let text = unpaidBodyStarts.get(price)
  if (text === undefined) {
    const sentence = `This costs $${formatMoney(price)} a request, paid by x402 (see accepts) or MPP (see the WWW-Authenticate header).`
    unpaidBodyStarts.set(price, (text = bodyStart('payment-required', sentence)))
  }
  return text
}

/** JSON without the closing brace: the schemes append their members. */
const bodyStart = (problem: PaymentProblem, message: string): string =>
  JSON.stringify({
    error: 'payment_required',
    message,
    type: `https://paymentauth.org/problems/${problem}`,
    title: TITLES[problem],
    status: 402,
    detail: message,
  }).slice(0, -1)
