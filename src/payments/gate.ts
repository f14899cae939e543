import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Usd } from '../kernel/money.ts'
import type { PaidAnswer, PaidRequest, Paywall, Work } from '../kernel/paywall.ts'
import type { Random } from '../kernel/random.ts'
import type { CreditStore } from './credit.ts'
import { createCreditDraws } from './credit-draws.ts'
import { createCreditSales } from './credit-sales.ts'
import { parseCreditToken } from './credit-token.ts'
import { type Ledger, type LedgerEntry, MAX_OPEN_PAYMENTS, type Shortage, type StoredAnswer } from './ledger.ts'
import { bringsPayment, createOffer, parsePayment } from './payment-headers.ts'
import { runWork } from './paid-work.ts'
import { createPaymentRequired } from './payment-required.ts'
import {
  assertSamePurchase,
  assertToken,
  deliver,
  deliverUncharged,
  orUnavailable,
  type Purchase,
  replay,
  unavailable,
} from './purchase.ts'
import { createFlights, type Flight } from './flights.ts'
import { choosePaymentToken, hashOwnToken, PAYMENT_TOKEN } from './payment-token.ts'
import { recheckSettlements } from './rechecks.ts'
import { recoverPayments } from './recovery.ts'
import { type Offer, type Payment, type PaymentProblem, PaymentRefused, type Scheme, type Verified } from './scheme.ts'
import { logFailure, recordSettlement, SETTLE_TIMEOUT_MS, settlePurchase } from './settlement.ts'

type Needs = {
  readonly schemes: readonly Scheme[]
  readonly ledger: Ledger
  /** Prepaid credit, and the keys its tokens are derived from, the current one first. Without it none is sold. */
  readonly credit?: { readonly credits: CreditStore; readonly secrets: readonly string[] } | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly workTimeoutMs?: number
  /** Called for every payment that is refused. */
  readonly onRefused?: (problem: PaymentProblem) => void
  /** Called for every answer that was paid with credit. */
  readonly onDrawn?: (endpoint: string, price: Usd) => void
}

export type Gate = Paywall & {
  /** Looks up payments whose outcome a crash left open. Returns how many turned out to be settled. */
  recover(signal: AbortSignal): Promise<number>
  /** Looks up recent settlements again. Returns how many the chain has lost for good. */
  recheck(signal: AbortSignal): Promise<number>
}

const WORK_TIMEOUT_MS = 20_000
/** A lease outlasts work and settlement by this much, so that nobody takes over a payment that is being worked on. */
const LEASE_MARGIN_MS = 15_000
const CLAIM_RETRY_MS = 100
const MAX_CLAIM_ATTEMPTS = 200

/** Why a claim is refused. */
const SHORTAGES: Record<Exclude<Shortage, 'name'>, readonly [PaymentProblem, string]> = {
  balance: [
    'payment-insufficient',
    'The account has too little for this payment besides its other ones of the last seconds; add funds or wait.',
  ],
  'open payments': [
    'payment-insufficient',
    `The account has ${MAX_OPEN_PAYMENTS} payments under way; send this one again when one of them is answered.`,
  ],
  nonce: [
    'verification-failed',
    'Another payment with the same nonce is being worked on; sign a new one when it is done.',
  ],
}

/**
 * prepare → verify → claim → work → save → settle → deliver. The payment is recorded before the work begins, and the
 * answer before the payment is taken, so the ledger and the chain together always show which request was paid.
 * An uncharged answer is never saved: the payment is released and stays usable.
 */
export function createGate(needs: Needs): Gate {
  const { schemes, ledger, clock, random, log, wait, workTimeoutMs = WORK_TIMEOUT_MS } = needs
  const flights = createFlights()
  const draws = needs.credit && createCreditDraws({ ...needs, ...needs.credit, workTimeoutMs })
  const sales = needs.credit && createCreditSales({ ...needs.credit, random })
  const leaseMs = workTimeoutMs + SETTLE_TIMEOUT_MS + LEASE_MARGIN_MS

  async function serve(request: PaidRequest, prepare: () => Promise<Work>): Promise<PaidAnswer> {
    if (schemes.length === 0) throw new ApiError('service_unavailable', 'Payments are not set up here.')
    let preparing: Promise<Work> | undefined
    const prepared = () => (preparing ??= prepare())
    let refusal: PaymentRefused | undefined
    let offer: Offer | undefined
    try {
      const token = draws && parseCreditToken(request.headers)
      if (token !== undefined) {
        if (bringsPayment(request.headers))
          throw new ApiError('invalid_request', 'Send a payment or a credit token, not both.')
        return await draws!.serve(request, token, prepared)
      }
      offer = createOffer(request)
      const found = parsePayment(schemes, request, offer)
      if (found) {
        const purchase = { ...found, request, offer, owner: random.uuid(), prepared }
        return await serveOnce(purchase)
      }
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      refusal = error
      needs.onRefused?.(error.problem)
    }
    // A request that cannot be answered fails with 503 before the client is asked to pay.
    await prepared()
    return createPaymentRequired(schemes, offer ?? createOffer(request), refusal)
  }

  function serveOnce(purchase: Purchase): Promise<PaidAnswer> {
    const { payment, scheme, request } = purchase
    const { key, proof } = payment
    const { fingerprint, signal } = request
    const isProofPublic = scheme.isProofPublic ?? false
    return flights.serve({ key, proof, fingerprint, signal, isProofPublic }, (flight) => servePaid(purchase, flight))
  }

  async function servePaid(purchase: Purchase, flight: Flight): Promise<PaidAnswer> {
    const { payment } = purchase
    const sale = sales?.isFor(purchase.request) ? sales : undefined
    sale?.assertRedeemable(purchase)
    const prior = await orUnavailable(ledger.find(payment.key))
    if (prior?.state === 'settled') return repeat(prior, purchase, false)
    // A payment with a saved answer is not verified again: it may be on the chain already and would then be refused.
    const isResumed = prior?.state === 'computed'
    let verified: Verified | undefined
    if (isResumed) {
      assertSamePurchase(prior, purchase)
      assertToken(prior, purchase)
      flight.publish()
    } else {
      await assertNameFree(payment)
      await purchase.prepared()
      verified = await verify(purchase)
    }
    const claimed = await claim(purchase, { verified, isEarly: !isResumed })
    if ('status' in claimed) return claimed
    if (!claimed.answer && !verified) {
      // The copy that had verified it has released it meanwhile, perhaps because the chain refused it.
      await logFailure(log, ledger[payment.paidIn ? 'yield' : 'release'](payment.key, purchase.owner))
      throw unavailable('This payment was released by another request meanwhile; send the same request again.')
    }
    const product = claimed.answer
      ? { ...claimed.answer, isCharged: true }
      : await runWork({ ...needs, workTimeoutMs, beforeSave: sale && (() => sale.attach(purchase)) }, purchase)
    if (!product.isCharged) return deliverUncharged(product)
    flight.publish()
    const settlement = await settlePurchase(needs, purchase, claimed.answer !== undefined)
    const token = choosePaymentToken(purchase.request.headers, random)
    const isRecorded = await recordSettlement(needs, purchase, settlement, token)
    const goods = sale ? await sale.addToken(purchase, product) : product
    if (!isRecorded) return deliver(goods, settlement.headers)
    const onDelivered = () => void logFailure(log, ledger.delivered(payment.key))
    return { ...deliver(goods, settlement.headers, [PAYMENT_TOKEN, token]), onDelivered }
  }

  /** The saved answer of a settled payment. Its credit token, if it bought one, is added again. */
  async function repeat(entry: LedgerEntry, purchase: Purchase, isEarly: boolean): Promise<PaidAnswer> {
    const sale = sales?.isFor(purchase.request) ? sales : undefined
    // The sale checks for itself who may have the token.
    const answer = replay(entry, purchase, { isEarly: isEarly || sale !== undefined, now: clock.now() })
    return sale ? { ...answer, ...(await sale.addToken(purchase, answer)) } : answer
  }

  /** Undefined if a concurrent copy of this request has used the payment. */
  async function verify(purchase: Purchase): Promise<Verified | undefined> {
    const { payment, request } = purchase
    try {
      return await payment.verify(request.signal)
    } catch (error) {
      // A copy of this request in another process may have used the payment: then there is an answer.
      const entry = error instanceof PaymentRefused ? await orUnavailable(ledger.find(payment.key)) : undefined
      if (entry && entry.state !== 'claimed') {
        assertSamePurchase(entry, purchase)
        return undefined
      }
      if (!(error instanceof UpstreamError)) throw error
      const sentence = payment.paidIn
        ? 'The payment cannot be found on the chain yet. Send the same request with the same payment again.'
        : 'The payment cannot be checked at the moment; it was not taken. Send the same request again.'
      throw unavailable(sentence, error)
    }
  }

  /** Before the payment is verified: a payer whose money went to the first payment is not told to add funds. */
  async function assertNameFree({ name, key }: Payment): Promise<void> {
    if (name === undefined) return
    const holder = await orUnavailable(ledger.findNamed(name))
    if (holder !== undefined && holder !== key) throw nameTaken()
  }

  /** The claim, or the answer of a concurrent request with the same payment that was faster. */
  async function claim(
    purchase: Purchase,
    { verified, isEarly }: { verified: Verified | undefined; isEarly: boolean },
  ): Promise<{ answer: StoredAnswer | undefined } | PaidAnswer> {
    const { payment, request, owner, scheme } = purchase
    const { key, payer, stored, amount, slot, name, paidIn } = payment
    const { fingerprint, endpoint, price, headers } = request
    const details = { scheme: scheme.id, payer, endpoint, micros: amount ?? price }
    const fresh = verified && { balance: verified.balance, slot, name, paidIn, tokenHash: hashOwnToken(headers) }
    const wish = { key, fingerprint, owner, leaseMs, details, payment: stored, ...fresh }
    for (let attempt = 0; attempt < MAX_CLAIM_ATTEMPTS; attempt++) {
      const claimed = await orUnavailable(ledger.claim(wish))
      if (claimed.won) return { answer: claimed.answer }
      if (!claimed.entry)
        throw claimed.shortOf === 'name' ? nameTaken() : new PaymentRefused(...SHORTAGES[claimed.shortOf])
      if (claimed.entry.state === 'settled') return repeat(claimed.entry, purchase, isEarly)
      assertSamePurchase(claimed.entry, purchase)
      await wait(CLAIM_RETRY_MS, request.signal)
    }
    throw unavailable('This payment is still being worked on; send the same request again.')
  }

  return {
    serve,
    async isSigned(request) {
      try {
        const token = draws && parseCreditToken(request.headers)
        if (token !== undefined) return await draws!.covers(request, token)
        const found = parsePayment(schemes, request, createOffer(request))
        return found !== undefined && (await found.payment.isSigned())
      } catch (error) {
        if (error instanceof PaymentRefused || error instanceof ApiError || error instanceof UpstreamError) return false
        throw error
      }
    },
    recover: (signal) => recoverPayments(needs, signal),
    recheck: (signal) => recheckSettlements(needs, signal),
  }
}

const nameTaken = (): ApiError =>
  new ApiError(
    'payment_identifier_conflict',
    'Another payment with this payment identifier was accepted already; send that one again.',
  )
