import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { PaidAnswer, PaidRequest, Paywall } from '../kernel/paywall.ts'
import type { Random } from '../kernel/random.ts'
import { inviteToPay } from './challenge.ts'
import type { Entry, Ledger, StoredAnswer } from './ledger.ts'
import { type Offer, type Payment, PaymentRefused, type Scheme, type Settlement } from './scheme.ts'

type Needs = {
  readonly schemes: readonly Scheme[]
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Most milliseconds the work may take. */
  readonly workMs?: number
}

export type Gate = Paywall & {
  /** Finds out what became of payments whose outcome a crash left open. How many were settled after all. */
  recover(signal: AbortSignal): Promise<number>
}

/** Seconds a payment must still be good for when its answer is ready: settling takes a moment. */
const MARGIN_SECONDS = 6
const WORK_MS = 20_000
const SETTLE_MS = 30_000
/** Longer than work and settling together, so that nobody takes over from somebody who is still at it. */
const SPARE_MS = 15_000
const LOOK_AGAIN_MS = 100
const MOST_LOOKS = 200
const RECOVERED_AT_ONCE = 100
const RECOVERY_MS = 5_000

type Case = {
  readonly request: PaidRequest
  readonly offer: Offer
  readonly scheme: Scheme
  readonly payment: Payment
  readonly owner: string
}

/**
 * verify → claim → work → save → settle → deliver. A payment is written down before the work begins and its answer before
 * it is taken, so at every moment it can be told from the ledger and the chain whether somebody has paid and what for.
 */
export function createGate({ schemes, ledger, clock, random, log, wait, workMs = WORK_MS }: Needs): Gate {
  const leaseMs = workMs + SETTLE_MS + SPARE_MS
  const nowSeconds = () => clock.now() / 1000

  async function serve(request: PaidRequest, work: (signal: AbortSignal) => Promise<string>): Promise<PaidAnswer> {
    if (schemes.length === 0) throw new ApiError('service_unavailable', 'Payments are not set up here.')
    const { endpoint: scope, description, price, url } = request
    const offer: Offer = { scope, description, price, url }
    try {
      const found = paymentIn(schemes, request, offer)
      if (!found) return inviteToPay(schemes, offer)
      return await take({ ...found, request, offer, owner: random.uuid() }, work)
    } catch (error) {
      if (error instanceof PaymentRefused) return inviteToPay(schemes, offer, error)
      throw error
    }
  }

  async function take(paid: Case, work: (signal: AbortSignal) => Promise<string>): Promise<PaidAnswer> {
    const { payment } = paid
    const prior = await reliably(ledger.find(payment.key))
    if (prior?.state === 'settled') return replay(prior, paid)
    if (prior?.state === 'computed') mustBeFor(prior, paid)
    // Of a payment whose answer is there already the chain may know more than a check would find.
    else await verify(paid)
    const claimed = await claim(paid)
    if ('status' in claimed) return claimed
    const answer = claimed.answer ?? (await answerFor(paid, work))
    const settlement = await settle(paid, claimed.answer !== undefined)
    await close(paid, settlement)
    return deliver(answer, settlement.headers)
  }

  async function verify(paid: Case): Promise<void> {
    const { payment, request } = paid
    try {
      await payment.verify(request.signal)
    } catch (error) {
      // It may be used by now because a copy of this request was faster: then there is an answer, and no reason to refuse.
      const entry = error instanceof PaymentRefused ? await reliably(ledger.find(payment.key)) : undefined
      if (entry && entry.state !== 'claimed') return mustBeFor(entry, paid)
      if (!(error instanceof UpstreamError)) throw error
      const sentence = 'The payment cannot be checked at the moment; it was not taken. Send the same request again.'
      throw unavailable(sentence, error)
    }
  }

  /** The claim, or the answer of whoever was faster with the same payment for the same request. */
  async function claim(paid: Case): Promise<{ answer: StoredAnswer | undefined } | PaidAnswer> {
    const { payment, request, owner, scheme } = paid
    const { key, payer, stored } = payment
    const about = { scheme: scheme.id, payer, endpoint: request.endpoint, micros: request.price }
    for (let look = 0; look < MOST_LOOKS; look++) {
      const { fingerprint } = request
      const claimed = await reliably(ledger.claim({ key, fingerprint, owner, leaseMs, about, payment: stored }))
      if (claimed.won) return { answer: claimed.answer }
      if (claimed.entry.state === 'settled') return replay(claimed.entry, paid)
      mustBeFor(claimed.entry, paid)
      await wait(LOOK_AGAIN_MS, request.signal)
    }
    throw unavailable('This payment is still being worked on; send the same request again.')
  }

  /** Runs the work and keeps its answer. What fails costs nothing: the payment is let go of. */
  async function answerFor({ payment, request, owner }: Case, work: (signal: AbortSignal) => Promise<string>) {
    try {
      const leftMs = (payment.expiresAt - MARGIN_SECONDS - nowSeconds()) * 1000
      if (leftMs <= 0) throw new PaymentRefused('payment-expired', 'The payment expires too soon; sign a new one.')
      const body = await within(Math.min(workMs, leftMs), request.signal, work)
      // Whoever has gone away is not charged.
      request.signal.throwIfAborted()
      const answer = { status: 200, body }
      if (await reliably(ledger.compute(payment.key, owner, answer))) return answer
      throw unavailable('This payment was taken up by another request meanwhile; send the same request again.')
    } catch (error) {
      await letGo(ledger.release(payment.key, owner))
      throw error
    }
  }

  async function settle({ payment, owner }: Case, isResumed: boolean): Promise<Settlement> {
    // Not the caller's signal: what was begun is seen through, or nobody would know whether they have paid.
    const signal = AbortSignal.timeout(SETTLE_MS)
    try {
      const known = isResumed ? await payment.recover(signal) : null
      return known ?? (await settleSurely(payment, signal))
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
  async function close({ payment, owner }: Case, { transaction, headers }: Settlement): Promise<void> {
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
    async recover(signal) {
      let settled = 0
      for (const entry of await ledger.unsettled(RECOVERED_AT_ONCE)) {
        signal.throwIfAborted()
        if (await recoverOne(entry, signal)) settled++
      }
      return settled
    },
  }

  async function recoverOne(
    { key, fingerprint, about, payment: stored }: Entry,
    signal: AbortSignal,
  ): Promise<boolean> {
    const payment = restored(schemes, about.scheme, stored)
    if (!payment) return false
    const owner = random.uuid()
    // A short lease that is left to run out: what cannot be closed now makes room for others, and stays for the next time.
    const claimed = await ledger.claim({ key, fingerprint, owner, leaseMs: RECOVERY_MS, about, payment: stored })
    if (!claimed.won) return false
    try {
      const settlement = await payment.recover(signal)
      // Not taken yet, it is not taken now: nobody waits for the answer. Whoever repeats the request can still pay for it.
      return settlement ? await ledger.settle(key, owner, settlement) : false
    } catch (error) {
      if (error instanceof PaymentRefused) await ledger.release(key, owner)
      else log.warn({ error, scheme: about.scheme }, 'What became of a payment is not known yet.')
      return false
    }
  }
}

/** Undefined where nothing is left of it, or it is of a kind we no longer take: that must not keep others from theirs. */
function restored(schemes: readonly Scheme[], scheme: string, stored: string): Payment | undefined {
  try {
    return schemes.find(({ id }) => id === scheme)?.restore(stored)
  } catch {
    return undefined
  }
}

/** A step of the ledger before any money has moved: where it fails, nothing was taken. */
async function reliably<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    const sentence = 'The payment cannot be written down at the moment; it was not taken. Send the same request again.'
    throw unavailable(sentence, error)
  }
}

/** One that is refused may have been taken by an earlier try whose end nobody saw: the chain has the last word. */
async function settleSurely(payment: Payment, signal: AbortSignal): Promise<Settlement> {
  try {
    return await payment.settle(signal)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const taken = await payment.recover(signal)
    if (taken) return taken
    throw error
  }
}

/** The one payment of a request. Two would leave open which of them is meant. */
function paymentIn(
  schemes: readonly Scheme[],
  { headers }: PaidRequest,
  offer: Offer,
): { scheme: Scheme; payment: Payment } | undefined {
  const found: (() => { scheme: Scheme; payment: Payment })[] = []
  for (const scheme of schemes) {
    try {
      const payment = scheme.read(headers, offer)
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

/** The same payment for the same request, or a refusal. Who only read of a payment on the chain does not have it. */
function mustBeFor(entry: Entry, { request, payment, scheme }: Case): void {
  const isSame = restored([scheme], scheme.id, entry.payment)?.proof === payment.proof
  if (entry.fingerprint === request.fingerprint && isSame) return
  throw new PaymentRefused('invalid-challenge', 'This payment was made for another request; sign a new one for this.')
}

function replay(entry: Entry, paid: Case): PaidAnswer {
  const { answer, receipt } = entry
  mustBeFor(entry, paid)
  if (answer && receipt) return deliver(answer, receipt.headers)
  throw new PaymentRefused('invalid-challenge', 'This payment was used a while ago, and its answer is no longer kept.')
}

const deliver = ({ status, body }: StoredAnswer, receipt: readonly string[]): PaidAnswer => ({
  status,
  headers: ['Cache-Control', 'private', ...receipt],
  body,
})

const unavailable = (sentence: string, cause?: unknown): ApiError =>
  new ApiError('service_unavailable', sentence, { cause, headers: { 'Retry-After': '2' } })

/** Runs the work for so long; it is told when its time is up, and not waited for. */
async function within<T>(ms: number, caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
