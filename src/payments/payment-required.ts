import { formatMoney, type Usd } from '../kernel/money.ts'
import type { PaidAnswer } from '../kernel/paywall.ts'
import { notReady } from './scheme-readiness.ts'
import type { Offer, PaymentProblem, PaymentRefused, Scheme } from './scheme.ts'

const TITLES = {
  'payment-required': 'Payment Required',
  'payment-insufficient': 'Payment Insufficient',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Payment Verification Failed',
  'malformed-credential': 'Malformed Payment',
  'invalid-challenge': 'Payment Not Usable Here',
} as const

const WAYS = { x402: 'x402 (see accepts)', mpp: 'MPP (see the WWW-Authenticate header)' } as const

/** Cached start of the body for requests without a payment, by the ids of the schemes on offer and the price. */
const unpaidBodyStarts = new Map<string, Map<Usd, string>>()

/**
 * One 402 response that carries the challenges of all schemes that are ready, and a sentence for people. Throws 503 if
 * no scheme is ready.
 */
export function createPaymentRequired(schemes: readonly Scheme[], offer: Offer, refused?: PaymentRefused): PaidAnswer {
  const headers = ['Cache-Control', 'no-store']
  const offered = schemes.filter((scheme) => scheme.whyNotReady?.() === undefined)
  if (offered.length === 0) throw notReady(schemes.flatMap((scheme) => scheme.whyNotReady?.() ?? []))
  let body = refused ? bodyStart(refused.problem, refused.message) : unpaidBodyStart(offer.price, offered)
  for (const scheme of offered) {
    const invitation = scheme.challenge(offer, refused?.message)
    for (const line of invitation.headers) headers.push(line)
    body += `,${invitation.members}`
  }
  return { status: 402, headers, body: `${body}}`, isSettled: false }
}

function unpaidBodyStart(price: Usd, offered: readonly Scheme[]): string {
  const ids = offered.length === 1 ? offered[0]!.id : 'all'
  let byPrice = unpaidBodyStarts.get(ids)
  if (byPrice === undefined) unpaidBodyStarts.set(ids, (byPrice = new Map()))
  let text = byPrice.get(price)
  if (text === undefined) {
    const ways = offered.map(({ id }) => WAYS[id]).join(' or ')
    const sentence = `This costs $${formatMoney(price)} a request, paid by ${ways}.`
    byPrice.set(price, (text = bodyStart('payment-required', sentence)))
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
