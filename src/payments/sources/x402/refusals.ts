import { type PaymentProblem, PaymentRefused } from '../../scheme.ts'
import type { SimulatedTransfer } from './chain.ts'
import type { Transfer } from './transfer.ts'

/** The token's revert reasons, and the refusal for each. */
const REVERT_REASONS: readonly (readonly [RegExp, PaymentProblem, string])[] = [
  [/expired/, 'payment-expired', 'The payment has expired; sign a new one.'],
  [/not yet valid/, 'verification-failed', 'The payment is not valid yet; is the clock of the wallet right?'],
  [/exceeds balance/, 'payment-insufficient', 'The account has less USDC than the price.'],
  [/blacklisted/, 'verification-failed', 'USDC does not let this account pay.'],
  [/paused/, 'verification-failed', 'USDC is paused, and nobody can pay with it now.'],
  [/signature/, 'verification-failed', 'USDC does not take the signature of this account.'],
]

/** Throws PaymentRefused with the most specific reason. */
export function assertWouldSucceed(
  { value }: Transfer,
  { isUsed, balance, revertReason: objection }: SimulatedTransfer,
): void {
  if (isUsed)
    throw new PaymentRefused('invalid-challenge', 'This payment was used or cancelled before; sign a new one.')
  if (balance < value) throw new PaymentRefused('payment-insufficient', 'The account has less USDC than the price.')
  if (objection === null) return
  const [, problem = 'verification-failed', sentence = 'USDC would not carry out the transfer.'] =
    REVERT_REASONS.find(([pattern]) => pattern.test(objection)) ?? []
  throw new PaymentRefused(problem, sentence)
}
