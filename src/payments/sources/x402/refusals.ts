import { type PaymentProblem, PaymentRefused } from '../../scheme.ts'
import type { Transfer } from './transfer.ts'
import type { Trial } from './trial.ts'

/** The token's revert reasons, and the refusal for each. */
const REVERT_REASONS: readonly (readonly [RegExp, PaymentProblem, string])[] = [
  [/expired/, 'payment-expired', 'The payment has expired; sign a new one.'],
  [/not yet valid/, 'verification-failed', 'The payment is not valid yet; is the clock of the wallet right?'],
  [/exceeds balance/, 'payment-insufficient', 'The account has less USDC than the price.'],
  [/blacklisted/, 'verification-failed', 'USDC does not let this account pay.'],
  [/paused/, 'verification-failed', 'USDC is paused, and nobody can pay with it now.'],
  [/signature/, 'verification-failed', 'USDC does not take the signature of this account.'],
]

/** Throws PaymentRefused with the most specific reason. `isSigned`: whether the payer's own key signed the transfer. */
export function assertWouldSucceed(
  { value, deployment }: Transfer,
  { isContract, isDeployment, isUsed, balance, revertReason }: Trial,
  isSigned: boolean,
): void {
  if (!isContract && !isSigned) throw new PaymentRefused('verification-failed', notSigned(deployment !== undefined))
  if (isUsed)
    throw new PaymentRefused('invalid-challenge', 'This payment was used or cancelled before; sign a new one.')
  if (balance < value) throw new PaymentRefused('payment-insufficient', 'The account has less USDC than the price.')
  if (revertReason === null) return
  if (isDeployment) {
    const sentence = 'The wallet cannot be deployed with the payment, or did not sign it; deploy the wallet first.'
    throw new PaymentRefused('verification-failed', sentence)
  }
  const [, problem = 'verification-failed', sentence = 'USDC would not carry out the transfer.'] =
    REVERT_REASONS.find(([pattern]) => pattern.test(revertReason)) ?? []
  throw new PaymentRefused(problem, sentence)
}

const notSigned = (isWrapped: boolean): string =>
  isWrapped
    ? 'The wallet that signed the payment is not deployed on Base yet; deploy the wallet first, with any transaction.'
    : 'The payment is not signed by the account it is to come from.'
