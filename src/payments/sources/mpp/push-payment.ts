import type { Usd } from '../../../kernel/money.ts'
import { createHash } from 'node:crypto'
import { type Hex, type Payment, PaymentRefused, type Settlement } from '../../scheme.ts'
import type { ChallengeTerms } from './challenge.ts'
import type { PaymentNeeds } from './pull-payment.ts'
import { createSettlement, withUnknownOutcome } from './settlement.ts'

/** First item of the stored text; a pull payment begins with its transaction. */
export const PUSH = 'push'

type PushPayment = { readonly hash: Hex; readonly payer: Hex; readonly terms: ChallengeTerms }

/** Tolerance between our clock, which dates challenges, and the time of blocks. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A payer who has paid and got no answer can ask again for this long. */
const CREDIT_SECONDS = 30 * 24 * 60 * 60

/**
 * The client made the transfer itself and names its transaction. The memo of the transfer names the challenge, so nobody
 * else's transaction pays for it. Nothing is sent: taking the payment is finding it on the chain. If the work fails, the
 * payer is owed an answer; the same credential buys it later.
 */
export function createPushPayment({ tempo, memos, clock }: PaymentNeeds, { hash, payer, terms }: PushPayment): Payment {
  const { id, amount, currency, recipient, issuedAt, expiresAt } = terms
  const expected = { token: currency, recipient, amount, isMemo: (memo: Hex) => memos.isFor(memo, id) }
  const creditEndsAt = issuedAt + CREDIT_SECONDS

  const settle = (signal: AbortSignal): Promise<Settlement> =>
    withUnknownOutcome(signal, async () => {
      await tempo.confirm(hash, expected, payer, signal)
      return createSettlement(hash, clock)
    })

  return {
    key: `mpp:${memos.keyOf(payer, id)}`,
    payer,
    amount: amount as Usd,
    paidIn: hash,
    // The hash is public on the chain, the challenge id is not.
    proof: createHash('sha256').update(`${hash} ${id}`).digest('hex'),
    stored: JSON.stringify([PUSH, hash, payer, { ...terms, amount: String(amount) }]),
    expiresAt: creditEndsAt,
    // A hash is not a signature: anybody can name one.
    isSigned: async () => false,
    async verify(signal) {
      if (clock.now() / 1000 > creditEndsAt) throw expired('was made too long ago')
      // The time of the block counts, not ours: a payer who paid in time may come back late.
      const paidAt = await tempo.confirm(hash, expected, payer, signal)
      if (paidAt > expiresAt + CLOCK_TOLERANCE_SECONDS) throw expired('was made after its challenge had expired')
      if (paidAt < issuedAt - CLOCK_TOLERANCE_SECONDS) throw expired('is older than its challenge')
      // Nothing is reserved: the money has moved.
      return { balance: undefined }
    },
    settle,
    recover: settle,
  }
}

export function restorePushPayment(needs: PaymentNeeds, stored: readonly unknown[]): Payment {
  const [, hash, payer, terms] = stored as [string, Hex, Hex, Omit<ChallengeTerms, 'amount'> & { amount: string }]
  return createPushPayment(needs, { hash, payer, terms: { ...terms, amount: BigInt(terms.amount) } })
}

const expired = (why: string) => new PaymentRefused('payment-expired', `The payment ${why}.`)
