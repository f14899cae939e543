import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import { restorePayment } from './payment-headers.ts'
import { PaymentRefused, type Scheme } from './scheme.ts'

type Needs = {
  readonly schemes: readonly Scheme[]
  readonly ledger: Ledger
  readonly random: Random
  readonly log: Log
}

const RECOVERY_BATCH_SIZE = 100
const RECOVERY_LEASE_MS = 5_000

/** Looks up payments whose outcome a crash left open. Returns how many turned out to be settled. */
export async function recoverPayments(needs: Needs, signal: AbortSignal): Promise<number> {
  let settled = 0
  for (const entry of await needs.ledger.unsettled(RECOVERY_BATCH_SIZE)) {
    signal.throwIfAborted()
    if (await recoverPayment(needs, entry, signal)) settled++
  }
  return settled
}

async function recoverPayment(
  { schemes, ledger, random, log }: Needs,
  { key, fingerprint, details, payment: stored, sent }: LedgerEntry,
  signal: AbortSignal,
): Promise<boolean> {
  const payment = restorePayment(schemes, details.scheme, stored)
  if (!payment) return false
  const owner = random.uuid()
  // A short lease that is left to expire: an entry that cannot be settled now makes room for others until the next run.
  const claimed = await ledger.claim({ key, fingerprint, owner, leaseMs: RECOVERY_LEASE_MS, details, payment: stored })
  if (!claimed.won) return false
  try {
    const settlement = await payment.recover(signal, sent)
    // A payment that was not taken is not taken now, since nobody waits for the answer. Repeating the request pays it.
    return settlement ? await ledger.settle(key, owner, settlement) : false
  } catch (error) {
    if (error instanceof PaymentRefused) await ledger.release(key, owner)
    else log.warn({ error, scheme: details.scheme }, 'The outcome of a payment is not known yet.')
    return false
  }
}
