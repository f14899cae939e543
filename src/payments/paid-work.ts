import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Product } from '../kernel/paywall.ts'
import type { Ledger } from './ledger.ts'
import { orUnavailable, type Purchase, unavailable } from './purchase.ts'
import { PaymentRefused } from './scheme.ts'
import { logFailure } from './settlement.ts'

type Needs = {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly workTimeoutMs: number
  /** Called before the answer is saved. */
  readonly beforeSave?: (() => Promise<void>) | undefined
}

/** A payment must still be valid this long when its answer is ready: settling takes a moment. */
const MIN_VALIDITY_SECONDS = 6

/**
 * Runs the work and saves its answer. If the work fails or is not charged, the payment is released. A payer who has paid
 * already is owed an answer then: the entry stays, without a lease, and the same payment claims it again.
 */
export async function runWork(
  { ledger, clock, log, workTimeoutMs, beforeSave }: Needs,
  { payment, request, owner, prepared }: Purchase,
): Promise<Product> {
  const giveBack = () => logFailure(log, ledger[payment.paidIn ? 'yield' : 'release'](payment.key, owner))
  try {
    const leftMs = (payment.expiresAt - MIN_VALIDITY_SECONDS - clock.now() / 1000) * 1000
    if (leftMs <= 0) throw new PaymentRefused('payment-expired', 'The payment expires too soon; sign a new one.')
    const work = await prepared()
    const product = await withTimeout(Math.min(workTimeoutMs, leftMs), request.signal, work)
    // A disconnected caller is not charged.
    request.signal.throwIfAborted()
    if (!product.isCharged) {
      await giveBack()
      return product
    }
    await beforeSave?.()
    const { status, body } = product
    if (await orUnavailable(ledger.compute(payment.key, owner, { status, body }))) return product
    throw unavailable('This payment was taken up by another request meanwhile; send the same request again.')
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** Rejects after `ms` or when the caller leaves. The work is aborted then, and not waited for. */
export async function withTimeout<T>(
  ms: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // A signal that is already aborted fires no event.
  caller.throwIfAborted()
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (reason: unknown) => {
    controller.abort(reason)
    reject(reason)
  }
  const leave = () => stop(caller.reason)
  // Not AbortSignal.timeout and AbortSignal.any: their timers and weak references outlive the work.
  const timer = setTimeout(
    () => stop(unavailable('The work took too long; the payment was not taken.')),
    Math.max(1, Math.floor(ms)),
  )
  timer.unref()
  caller.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work(controller.signal), promise])
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', leave)
  }
}
