import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { PaidAnswer, PaidRequest, Paywall, Product, Work } from '../kernel/paywall.ts'
import type { Random } from '../kernel/random.ts'
import { createPaymentRequired } from './payment-required.ts'
import type { LedgerEntry, Ledger, StoredAnswer } from './ledger.ts'
import { createOffer, parsePayment, restorePayment } from './payment-headers.ts'
import { type Offer, type Payment, PaymentRefused, type Scheme, type Settlement } from './scheme.ts'

type Needs = {
  readonly schemes: readonly Scheme[]
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Most milliseconds the work may take. */
  readonly workTimeoutMs?: number
}

export type Gate = Paywall & {
  /** Finds out what became of payments whose outcome a crash left open. How many were settled after all. */
  recover(signal: AbortSignal): Promise<number>
}

/** Seconds a payment must still be good for when its answer is ready: settling takes a moment. */
const MIN_VALIDITY_SECONDS = 6
const WORK_TIMEOUT_MS = 20_000
const SETTLE_TIMEOUT_MS = 30_000
/** Longer than work and settling together, so that nobody takes over from somebody who is still at it. */
const LEASE_MARGIN_MS = 15_000
const CLAIM_RETRY_MS = 100
const MAX_CLAIM_ATTEMPTS = 200
const RECOVERY_BATCH_SIZE = 100
const RECOVERY_LEASE_MS = 5_000

type Purchase = {
  readonly request: PaidRequest
  readonly offer: Offer
  readonly scheme: Scheme
  readonly payment: Payment
  readonly owner: string
  /** What `prepare` comes to; called at most once. */
  readonly prepared: () => Promise<Work>
}

/**
 * prepare → verify → claim → work → save → settle → deliver. A payment is written down before the work begins and its
 * answer before it is taken, so at every moment it can be told from the ledger and the chain whether somebody has paid and
 * what for. An answer that is not charged is never saved: the payment is released, and usable as before.
 */
export function createGate({
  schemes,
  ledger,
  clock,
  random,
  log,
  wait,
  workTimeoutMs: workMs = WORK_TIMEOUT_MS,
}: Needs): Gate {
  const leaseMs = workMs + SETTLE_TIMEOUT_MS + LEASE_MARGIN_MS
  const nowSeconds = () => clock.now() / 1000

  async function serve(request: PaidRequest, prepare: () => Promise<Work>): Promise<PaidAnswer> {
    if (schemes.length === 0) throw new ApiError('service_unavailable', 'Payments are not set up here.')
    const offer = createOffer(request)
    let preparing: Promise<Work> | undefined
    const prepared = () => (preparing ??= prepare())
    let refusal: PaymentRefused | undefined
    try {
      const found = parsePayment(schemes, request, offer)
      if (found) return await take({ ...found, request, offer, owner: random.uuid(), prepared })
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      refusal = error
    }
    // What cannot be answered is 503 before anybody is asked to pay, for the first time or again.
    await prepared()
    return createPaymentRequired(schemes, offer, refusal)
  }

  async function take(paid: Purchase): Promise<PaidAnswer> {
    const { payment } = paid
    const prior = await orUnavailable(ledger.find(payment.key))
    if (prior?.state === 'settled') return replay(prior, paid)
    if (prior?.state === 'computed') assertSamePurchase(prior, paid)
    // Of a payment whose answer is there already the chain may know more than a check would find.
    else {
      await paid.prepared()
      await verify(paid)
    }
    const claimed = await claim(paid)
    if ('status' in claimed) return claimed
    const product = claimed.answer ? { ...claimed.answer, isCharged: true } : await answerFor(paid)
    if (!product.isCharged) return uncharged(product)
    const settlement = await settle(paid, claimed.answer !== undefined)
    await close(paid, settlement)
    return deliver(product, settlement.headers)
  }

  async function verify(paid: Purchase): Promise<void> {
    const { payment, request } = paid
    try {
      await payment.verify(request.signal)
    } catch (error) {
      // It may be used by now because a copy of this request was faster: then there is an answer, and no reason to refuse.
      const entry = error instanceof PaymentRefused ? await orUnavailable(ledger.find(payment.key)) : undefined
      if (entry && entry.state !== 'claimed') return assertSamePurchase(entry, paid)
      if (!(error instanceof UpstreamError)) throw error
      const sentence = 'The payment cannot be checked at the moment; it was not taken. Send the same request again.'
      throw unavailable(sentence, error)
    }
  }

  /** The claim, or the answer of whoever was faster with the same payment for the same request. */
  async function claim(paid: Purchase): Promise<{ answer: StoredAnswer | undefined } | PaidAnswer> {
    const { payment, request, owner, scheme } = paid
    const { key, payer, stored } = payment
    const details = { scheme: scheme.id, payer, endpoint: request.endpoint, micros: request.price }
    for (let look = 0; look < MAX_CLAIM_ATTEMPTS; look++) {
      const { fingerprint } = request
      const claimed = await orUnavailable(ledger.claim({ key, fingerprint, owner, leaseMs, details, payment: stored }))
      if (claimed.won) return { answer: claimed.answer }
      if (claimed.entry.state === 'settled') return replay(claimed.entry, paid)
      assertSamePurchase(claimed.entry, paid)
      await wait(CLAIM_RETRY_MS, request.signal)
    }
    throw unavailable('This payment is still being worked on; send the same request again.')
  }

  /** Runs the work and saves its answer. What fails or is not charged costs nothing: the payment is released. */
  async function answerFor({ payment, request, owner, prepared }: Purchase): Promise<Product> {
    try {
      const leftMs = (payment.expiresAt - MIN_VALIDITY_SECONDS - nowSeconds()) * 1000
      if (leftMs <= 0) throw new PaymentRefused('payment-expired', 'The payment expires too soon; sign a new one.')
      const work = await prepared()
      const product = await withTimeout(Math.min(workMs, leftMs), request.signal, work)
      // A caller who has gone away is not charged.
      request.signal.throwIfAborted()
      if (!product.isCharged) {
        await letGo(ledger.release(payment.key, owner))
        return product
      }
      const { status, body } = product
      if (await orUnavailable(ledger.compute(payment.key, owner, { status, body }))) return product
      throw unavailable('This payment was taken up by another request meanwhile; send the same request again.')
    } catch (error) {
      await letGo(ledger.release(payment.key, owner))
      throw error
    }
  }

  async function settle({ payment, owner }: Purchase, isResumed: boolean): Promise<Settlement> {
    // Not the caller's signal: what was begun is seen through, or nobody would know whether they have paid.
    const signal = AbortSignal.timeout(SETTLE_TIMEOUT_MS)
    try {
      const known = isResumed ? await payment.recover(signal) : null
      return known ?? (await settleOrRecover(payment, signal))
    } catch (error) {
      if (error instanceof PaymentRefused) {
        await letGo(ledger.release(payment.key, owner))
        throw error
      }
      await letGo(ledger.yield(payment.key, owner))
      const sentence =
        'It is not known yet whether the payment went through. Send the same request with the same payment again: it is not taken twice.'
      throw unavailable(sentence, error)
    }
  }

  /** The money has moved: whatever the ledger does now, the answer is given out. Recovery will close what it could not. */
  async function close({ payment, owner }: Purchase, { transaction, headers }: Settlement): Promise<void> {
    try {
      if (await ledger.settle(payment.key, owner, { transaction, headers })) return
      log.warn({ transaction }, 'A payment was settled after its claim had passed on to another request.')
    } catch (error) {
      log.error({ transaction, error }, 'A settled payment could not be written down; recovery will see to it.')
    }
  }

  /** Whoever needs it waits for the lease to run out; what the caller must know is something else. */
  async function letGo(step: Promise<void>): Promise<void> {
    try {
      await step
    } catch (error) {
      log.warn({ error }, 'A payment could not be let go of; its lease will run out.')
    }
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
    async recover(signal) {
      let settled = 0
      for (const entry of await ledger.unsettled(RECOVERY_BATCH_SIZE)) {
        signal.throwIfAborted()
        if (await recoverOne(entry, signal)) settled++
      }
      return settled
    },
  }

  async function recoverOne(
    { key, fingerprint, details, payment: stored }: LedgerEntry,
    signal: AbortSignal,
  ): Promise<boolean> {
    const payment = restorePayment(schemes, details.scheme, stored)
    if (!payment) return false
    const owner = random.uuid()
    // A short lease that is left to run out: what cannot be closed now makes room for others, and stays for the next time.
    const claimed = await ledger.claim({
      key,
      fingerprint,
      owner,
      leaseMs: RECOVERY_LEASE_MS,
      details,
      payment: stored,
    })
    if (!claimed.won) return false
    try {
      const settlement = await payment.recover(signal)
      // Not taken yet, it is not taken now: nobody waits for the answer. Whoever repeats the request can still pay for it.
      return settlement ? await ledger.settle(key, owner, settlement) : false
    } catch (error) {
      if (error instanceof PaymentRefused) await ledger.release(key, owner)
      else log.warn({ error, scheme: details.scheme }, 'What became of a payment is not known yet.')
      return false
    }
  }
}

/** A step of the ledger before any money has moved: where it fails, nothing was taken. */
async function orUnavailable<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    const sentence = 'The payment cannot be written down at the moment; it was not taken. Send the same request again.'
    throw unavailable(sentence, error)
  }
}

/** One that is refused may have been taken by an earlier try whose end nobody saw: the chain has the last word. */
async function settleOrRecover(payment: Payment, signal: AbortSignal): Promise<Settlement> {
  try {
    return await payment.settle(signal)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const taken = await payment.recover(signal)
    if (taken) return taken
    throw error
  }
}

/** The same payment for the same request, or a refusal. Who only read of a payment on the chain does not have it. */
function assertSamePurchase(entry: LedgerEntry, { request, payment, scheme }: Purchase): void {
  const isSame = restorePayment([scheme], scheme.id, entry.payment)?.proof === payment.proof
  if (entry.fingerprint === request.fingerprint && isSame) return
  throw new PaymentRefused('invalid-challenge', 'This payment was made for another request; sign a new one for this.')
}

function replay(entry: LedgerEntry, paid: Purchase): PaidAnswer {
  const { answer, receipt } = entry
  assertSamePurchase(entry, paid)
  if (answer && receipt) return deliver(answer, receipt.headers)
  throw new PaymentRefused('invalid-challenge', 'This payment was used a while ago, and its answer is no longer kept.')
}

const deliver = ({ status, body }: StoredAnswer, receipt: readonly string[]): PaidAnswer => ({
  status,
  headers: ['Cache-Control', 'private', ...receipt],
  body,
  isSettled: true,
})

/** Without a receipt: nothing was paid. */
const uncharged = ({ status, body }: Product): PaidAnswer => ({
  status,
  headers: ['Cache-Control', 'no-store'],
  body,
  isSettled: false,
})

const unavailable = (sentence: string, cause?: unknown): ApiError =>
  new ApiError('service_unavailable', sentence, { cause, headers: { 'Retry-After': '2' } })

/** Runs the work for so long; it is told when its time is up, and not waited for. */
async function withTimeout<T>(ms: number, caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // One that is aborted already tells nobody any more.
  caller.throwIfAborted()
  const late = AbortSignal.timeout(Math.max(1, Math.floor(ms)))
  const signal = AbortSignal.any([caller, late])
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () =>
    reject(late.aborted ? unavailable('The work took too long; the payment was not taken.') : caller.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(signal), promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
