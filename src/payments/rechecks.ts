import type { Log } from '../kernel/log.ts'
import type { Ledger, LedgerEntry, RecheckOutcome } from './ledger.ts'
import { restorePayment } from './payment-headers.ts'
import { type OnSending, PaymentRefused, type Scheme } from './scheme.ts'

type Needs = { readonly schemes: readonly Scheme[]; readonly ledger: Ledger; readonly log: Log }

const RECHECK_BATCH_SIZE = 100

/**
 * Looks up recent settlements again: a reorganization of the chain can undo them. A payment that is gone is settled again
 * if it still can be; otherwise it is reported. Returns how many are lost.
 */
export async function recheckSettlements(needs: Needs, signal: AbortSignal): Promise<number> {
  let lost = 0
  for (const entry of await needs.ledger.dueRechecks(RECHECK_BATCH_SIZE)) {
    const outcome = signal.aborted ? 'unknown' : await recheckSettlement(needs, entry, signal)
    await needs.ledger.recheck(entry.key, outcome)
    if (outcome === 'lost') lost++
  }
  return lost
}

async function recheckSettlement(
  { schemes, ledger, log }: Needs,
  { key, details, payment: stored, receipt, sent }: LedgerEntry,
  signal: AbortSignal,
): Promise<RecheckOutcome> {
  const { transaction = '' } = receipt ?? {}
  const payment = restorePayment(schemes, details.scheme, stored)
  if (!payment) return { transaction }
  const about = { scheme: details.scheme, endpoint: details.endpoint, transaction }
  try {
    const found = await payment.recover(signal, [transaction, ...sent])
    if (found) return { transaction: found.transaction }
    log.warn(about, 'A settled payment is no longer on the chain; it is settled again.')
    const onSending: OnSending = (next) => ledger.resending(key, next)
    return { transaction: (await payment.settle(signal, onSending)).transaction }
  } catch (error) {
    if (error instanceof PaymentRefused) {
      const sentence = 'A settled payment is no longer on the chain and cannot be taken again.'
      log.error({ ...about, payer: details.payer, micros: String(details.micros), why: error.message }, sentence)
      return 'lost'
    }
    log.warn({ ...about, error }, 'A settled payment could not be looked up again.')
    return 'unknown'
  }
}
