import { UpstreamError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Ledger } from './ledger.ts'
import { type Purchase, unavailable } from './purchase.ts'
import { hashPaymentToken } from './payment-token.ts'
import { type OnSending, type Payment, PaymentRefused, type Settlement } from './scheme.ts'

type Needs = { readonly ledger: Ledger; readonly log: Log }

export const SETTLE_TIMEOUT_MS = 30_000

/** Takes the payment. With `isResumed`, an earlier attempt may have taken it already, so the chain is asked first. */
export async function settlePurchase(
  { ledger, log }: Needs,
  { payment, owner }: Pick<Purchase, 'payment' | 'owner'>,
  isResumed: boolean,
): Promise<Settlement> {
  const onSending = createOnSending(ledger, payment.key, owner)
  // Not the caller's signal: a settlement that has begun runs to its end, so that its outcome is known.
  const signal = AbortSignal.timeout(SETTLE_TIMEOUT_MS)
  try {
    const known = isResumed ? await recoverSent(ledger, payment, signal) : null
    return known ?? (await settleOrRecover(payment, signal, onSending))
  } catch (error) {
    if (error instanceof PaymentRefused) {
      await logFailure(log, ledger.release(payment.key, owner))
      throw error
    }
    await logFailure(log, ledger.yield(payment.key, owner))
    const sentence =
      'It is not known yet whether the payment went through. Send the same request with the same payment again: it is not taken twice.'
    throw unavailable(sentence, error)
  }
}

/** A refused payment may have been taken by an earlier attempt whose outcome was lost, so the chain decides. */
async function settleOrRecover(payment: Payment, signal: AbortSignal, onSending: OnSending): Promise<Settlement> {
  try {
    return await payment.settle(signal, onSending)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const taken = await payment.recover(signal)
    if (taken) return taken
    throw error
  }
}

const recoverSent = async (ledger: Ledger, payment: Payment, signal: AbortSignal): Promise<Settlement | null> =>
  payment.recover(signal, (await ledger.find(payment.key))?.sent)

/** Records a transaction before it is sent. An owner who has lost the claim sends nothing. */
const createOnSending =
  (ledger: Ledger, key: string, owner: string): OnSending =>
  async (transaction) => {
    if (await ledger.sending(key, owner, transaction)) return
    throw new UpstreamError('unavailable', 'the payment was taken up by another request meanwhile')
  }

/**
 * Never throws: the money has moved, so the answer is delivered even if the ledger fails. Recovery settles the entry.
 * False if nothing was recorded.
 */
export async function recordSettlement(
  { ledger, log }: Needs,
  { payment, owner }: Purchase,
  { transaction, headers }: Settlement,
  token: string,
): Promise<boolean> {
  try {
    const receipt = { transaction, headers, tokenHash: hashPaymentToken(token) }
    if (await ledger.settle(payment.key, owner, receipt)) return true
    log.warn({ transaction }, 'A payment was settled after its claim had passed to another request.')
  } catch (error) {
    log.error({ transaction, error }, 'A settled payment could not be recorded in the ledger; recovery will record it.')
  }
  return false
}

/** Waits for a release or yield. If it fails, the lease expires by itself, and the caller gets the original error. */
export async function logFailure(log: Log, step: Promise<void>): Promise<void> {
  try {
    await step
  } catch (error) {
    log.warn({ error }, 'The claim on a payment could not be released; its lease will expire.')
  }
}
