import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { PaidAnswer, PaidRequest, Paywall, Work } from '../kernel/paywall.ts'
import type { Random } from '../kernel/random.ts'
import type { Ledger, StoredAnswer } from './ledger.ts'
import { createOffer, parsePayment } from './payment-headers.ts'
import { runWork } from './paid-work.ts'
import { createPaymentRequired } from './payment-required.ts'
import {
  assertSamePurchase,
  deliver,
  deliverUncharged,
  orUnavailable,
  type Purchase,
  replay,
  unavailable,
} from './purchase.ts'
import { recoverPayments } from './recovery.ts'
import { PaymentRefused, type Scheme } from './scheme.ts'
import { createSlots } from './slots.ts'
import { recordSettlement, SETTLE_TIMEOUT_MS, settlePurchase } from './settlement.ts'

type Needs = {
  readonly schemes: readonly Scheme[]
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly workTimeoutMs?: number
}

export type Gate = Paywall & {
  /** Looks up payments whose outcome a crash left open. Returns how many turned out to be settled. */
  recover(signal: AbortSignal): Promise<number>
}

const WORK_TIMEOUT_MS = 20_000
/** A lease outlasts work and settlement by this much, so that nobody takes over a payment that is being worked on. */
const LEASE_MARGIN_MS = 15_000
const CLAIM_RETRY_MS = 100
const MAX_CLAIM_ATTEMPTS = 200

/**
 * prepare → verify → claim → work → save → settle → deliver. The payment is recorded before the work begins, and the
 * answer before the payment is taken, so the ledger and the chain together always show which request was paid.
 * An uncharged answer is never saved: the payment is released and stays usable.
 */
export function createGate(needs: Needs): Gate {
  const { schemes, ledger, random, wait, workTimeoutMs = WORK_TIMEOUT_MS } = needs
  const slots = createSlots()
  const leaseMs = workTimeoutMs + SETTLE_TIMEOUT_MS + LEASE_MARGIN_MS

  async function serve(request: PaidRequest, prepare: () => Promise<Work>): Promise<PaidAnswer> {
    if (schemes.length === 0) throw new ApiError('service_unavailable', 'Payments are not set up here.')
    const offer = createOffer(request)
    let preparing: Promise<Work> | undefined
    const prepared = () => (preparing ??= prepare())
    let refusal: PaymentRefused | undefined
    try {
      const found = parsePayment(schemes, request, offer)
      if (found) {
        const purchase = { ...found, request, offer, owner: random.uuid(), prepared }
        return await slots.hold(found.payment, () => servePaid(purchase))
      }
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      refusal = error
    }
    // A request that cannot be answered fails with 503 before the client is asked to pay.
    await prepared()
    return createPaymentRequired(schemes, offer, refusal)
  }

  async function servePaid(purchase: Purchase): Promise<PaidAnswer> {
    const { payment } = purchase
    const prior = await orUnavailable(ledger.find(payment.key))
    if (prior?.state === 'settled') return replay(prior, purchase)
    // A payment with a saved answer is not verified again: it may be on the chain already and would then be refused.
    if (prior?.state === 'computed') assertSamePurchase(prior, purchase)
    else {
      await purchase.prepared()
      await verify(purchase)
    }
    const claimed = await claim(purchase)
    if ('status' in claimed) return claimed
    const product = claimed.answer
      ? { ...claimed.answer, isCharged: true }
      : await runWork({ ...needs, workTimeoutMs }, purchase)
    if (!product.isCharged) return deliverUncharged(product)
    const settlement = await settlePurchase(needs, purchase, claimed.answer !== undefined)
    await recordSettlement(needs, purchase, settlement)
    return deliver(product, settlement.headers)
  }

  async function verify(purchase: Purchase): Promise<void> {
    const { payment, request } = purchase
    try {
      await payment.verify(request.signal)
    } catch (error) {
      // A concurrent copy of this request may have used the payment: then there is an answer, and no reason to refuse.
      const entry = error instanceof PaymentRefused ? await orUnavailable(ledger.find(payment.key)) : undefined
      if (entry && entry.state !== 'claimed') return assertSamePurchase(entry, purchase)
      if (!(error instanceof UpstreamError)) throw error
      const sentence = payment.isPaid
        ? 'The payment cannot be found on the chain yet. Send the same request with the same payment again.'
        : 'The payment cannot be checked at the moment; it was not taken. Send the same request again.'
      throw unavailable(sentence, error)
    }
  }

  /** The claim, or the answer of a concurrent request with the same payment that was faster. */
  async function claim(purchase: Purchase): Promise<{ answer: StoredAnswer | undefined } | PaidAnswer> {
    const { payment, request, owner, scheme } = purchase
    const { key, payer, stored, micros = request.price } = payment
    const { fingerprint, endpoint } = request
    const details = { scheme: scheme.id, payer, endpoint, micros }
    for (let attempt = 0; attempt < MAX_CLAIM_ATTEMPTS; attempt++) {
      const claimed = await orUnavailable(ledger.claim({ key, fingerprint, owner, leaseMs, details, payment: stored }))
      if (claimed.won) return { answer: claimed.answer }
      if (claimed.entry.state === 'settled') return replay(claimed.entry, purchase)
      assertSamePurchase(claimed.entry, purchase)
      await wait(CLAIM_RETRY_MS, request.signal)
    }
    throw unavailable('This payment is still being worked on; send the same request again.')
  }

  return {
    serve,
    async isSigned(request) {
      try {
        const found = parsePayment(schemes, request, createOffer(request))
        return found !== undefined && (await found.payment.isSigned())
      } catch (error) {
        if (error instanceof PaymentRefused || error instanceof ApiError) return false
        throw error
      }
    },
    recover: (signal) => recoverPayments(needs, signal),
  }
}
