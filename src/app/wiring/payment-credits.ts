import { ApiError } from '../../kernel/errors.ts'
import type { OpenCredits } from '../../payments/credit-routes.ts'
import type { CreditStore } from '../../payments/credit.ts'
import { notReady, type WhyNotReady } from '../../payments/scheme-readiness.ts'
import type { LedgerSlot } from './payment-ledger.ts'

export const closedCredits: OpenCredits = () => {
  throw new ApiError('service_unavailable', 'Payments are not set up here.')
}

/** The credits of a ledger, which may not be open yet. */
export function creditsIn(ledger: Pick<LedgerSlot, 'opened'>, whyNoLedger: WhyNotReady): OpenCredits {
  let credits: CreditStore | undefined
  void ledger.opened.then((opened) => (credits = opened.credits))
  return () => {
    if (credits) return credits
    throw notReady([whyNoLedger() ?? { reason: 'Payments are being opened.', retryAfterSeconds: 1 }])
  }
}
