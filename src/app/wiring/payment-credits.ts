import { ApiError } from '../../kernel/errors.ts'
import type { OpenCredits } from '../../payments/credit-routes.ts'
import type { CreditStore } from '../../payments/credit.ts'
import { notReady, type WhyNotReady } from '../../payments/scheme-readiness.ts'
import type { LedgerSlot } from './payment-ledger.ts'

export const closedCredits: OpenCredits = () => {
  throw new ApiError('service_unavailable', 'Payments are not set up here.')
}

/** The credits of a ledger, which may not be open yet; waits for the first check after the start. */
export function creditsIn(
  ledger: Pick<LedgerSlot, 'opened'>,
  whyNoLedger: WhyNotReady,
  checked: Promise<void>,
): OpenCredits {
  let credits: CreditStore | undefined
  void ledger.opened.then((opened) => (credits = opened.credits))
  return async () => {
    await checked
    if (credits) return credits
    throw notReady([whyNoLedger() ?? { reason: 'Payments are being opened.', retryAfterSeconds: 1 }])
  }
}
