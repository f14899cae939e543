import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Usd } from '../../../kernel/money.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type Hex, type Payment, PaymentRefused, type Settlement } from '../../scheme.ts'
import type { TempoChain } from './chain.ts'
import type { ChallengeTerms } from './challenge.ts'
import { unknownAccessKey } from './keychain.ts'
import type { Memos } from './memo.ts'
import { createSettlement, withUnknownOutcome } from './settlement.ts'
import { isCounted, parseTransfer, signingKeyOf, type Transfer } from './transaction.ts'

export type PaymentNeeds = {
  readonly tempo: TempoChain
  readonly memos: Memos
  readonly clock: Clock
  /** How far in the future an expiring transaction may end. */
  readonly maxValiditySeconds: number
}

type PullPayment = {
  readonly transfer: Transfer
  readonly payer: Hex
  readonly challengeId: string
  /** Seconds since the epoch. */
  readonly challengeExpiresAt: number
}

/** A payment must still be valid this long: the answer is computed first, and sending takes a moment. */
const MIN_VALIDITY_SECONDS = 6
/** How long after its expiry a transaction that is not on the chain is given up. */
const EXPIRY_GRACE_SECONDS = 30

/** The client signed a transfer, and we send it. Throws PaymentRefused unless it pays what the challenge asked for. */
export function parsePullPayment(
  needs: PaymentNeeds,
  { transaction, payer, terms, chainId }: { transaction: Hex; payer: Hex; terms: ChallengeTerms; chainId: number },
): Payment {
  const transfer = parseTransfer(transaction)
  assertPays(transfer, terms, chainId)
  if (!needs.memos.isFor(transfer.memo, terms.id)) {
    throw new PaymentRefused('invalid-challenge', 'The memo of the transfer does not name this challenge.')
  }
  return createPullPayment(needs, { transfer, payer, challengeId: terms.id, challengeExpiresAt: terms.expiresAt })
}

/** Stored before counted nonces were accepted, a payment has no expiry of its challenge; its transaction expires. */
export function restorePullPayment(needs: PaymentNeeds, stored: readonly unknown[]): Payment {
  const [raw, payer, challengeId, challengeExpiresAt = Number.POSITIVE_INFINITY] = stored as [Hex, Hex, string, number?]
  return createPullPayment(needs, { transfer: parseTransfer(raw), payer, challengeId, challengeExpiresAt })
}

function createPullPayment(
  { tempo, memos, clock, maxValiditySeconds }: PaymentNeeds,
  { transfer, payer, challengeId, challengeExpiresAt }: PullPayment,
): Payment {
  const { validBefore, validAfter, nonceKey, nonce } = transfer
  const now = () => clock.now() / 1000
  const isLane = isCounted(transfer)
  /** The transaction is never sent later. A counted one need not expire, but the challenge it pays does. */
  const deadline = isLane ? Math.min(validBefore, challengeExpiresAt) : validBefore
  const expired = () => new PaymentRefused('payment-expired', 'The payment has expired; sign a new one.')
  const tooEarly = () => new UpstreamError('unavailable', 'it is too early to tell that a payment was not made')

  /** Undefined if it is not on the chain and can still be sent. */
  async function lookUp(signal: AbortSignal): Promise<Settlement | undefined> {
    const { fate, chainTime, latestBlock, isNonceUsed } = await tempo.lookUp(transfer, payer, signal)
    if (fate === 'paid') return createSettlement(transfer.hash, clock)
    if (fate === 'failed') {
      throw new PaymentRefused('verification-failed', 'The transaction failed on the chain; nothing was paid.')
    }
    if (now() < deadline && !isNonceUsed) return undefined
    const found = await tempo.findTransfer(transfer, payer, latestBlock, signal)
    if (found) return createSettlement(found, clock)
    // The node's chain must have passed the expiry too: a node that lags behind has not seen the last blocks.
    const isPast = now() > validBefore + EXPIRY_GRACE_SECONDS && chainTime >= validBefore
    if (isPast || (isNonceUsed && now() > deadline + EXPIRY_GRACE_SECONDS)) throw expired()
    throw tooEarly()
  }

  return {
    key: `mpp:${memos.keyOf(payer, challengeId)}`,
    payer,
    amount: transfer.amount as Usd,
    ...(isLane && { slot: `mpp:${payer}:${nonceKey}:${nonce}` }),
    // The transaction is public on the chain, but the challenge id is not: only a part of its hash is in the memo.
    proof: createHash('sha256').update(`${transfer.raw} ${challengeId}`).digest('hex'),
    // An expiry in the far future is not valid JSON, and not needed: only old payments lack it.
    stored: JSON.stringify([
      transfer.raw,
      payer,
      challengeId,
      ...(Number.isFinite(challengeExpiresAt) ? [challengeExpiresAt] : []),
    ]),
    expiresAt: deadline,
    isSigned: async () => (await signingKeyOf(transfer, payer)) !== null,
    async verify(signal) {
      if (Math.min(deadline, challengeExpiresAt) <= now()) throw expired()
      if (deadline - now() < MIN_VALIDITY_SECONDS) {
        throw new PaymentRefused('payment-expired', 'The payment expires too soon; sign a new one.')
      }
      if (!isLane && validBefore - now() > maxValiditySeconds) {
        const sentence = `The transaction is valid for too long: it must end within ${maxValiditySeconds} seconds.`
        throw new PaymentRefused('verification-failed', sentence)
      }
      if (validAfter > now()) {
        throw new PaymentRefused('verification-failed', 'The transaction is not valid yet; check the clock.')
      }
      const key = await signingKeyOf(transfer, payer)
      if (!key) {
        throw new PaymentRefused('verification-failed', 'The transaction is not signed by the payer it names.')
      }
      if ((transfer.keyAuthorization?.expiresAt ?? deadline) < deadline) throw unknownAccessKey()
      return { balance: await tempo.simulate(transfer, payer, { ...key, now: now() }, signal) }
    },
    settle: (signal) =>
      withUnknownOutcome(signal, async () => {
        // An earlier attempt may have sent it in time, so the chain is asked.
        if (now() >= deadline) {
          const settlement = await lookUp(signal)
          if (settlement) return settlement
          throw tooEarly()
        }
        await tempo.send(transfer, payer, signal)
        return createSettlement(transfer.hash, clock)
      }),
    recover: (signal) => withUnknownOutcome(signal, async () => (await lookUp(signal)) ?? null),
  }
}

function assertPays(transfer: Transfer, { currency, recipient, amount }: ChallengeTerms, chainId: number): void {
  const wrong = (what: string) => new PaymentRefused('verification-failed', `The transaction ${what}.`)
  if (transfer.chainId !== BigInt(chainId)) throw wrong(`is signed for another chain than ${chainId}`)
  if (transfer.token !== currency) throw wrong('pays in another token')
  if (transfer.recipient !== recipient) throw wrong('pays somebody else')
  if (transfer.amount < amount) throw new PaymentRefused('payment-insufficient', 'The transaction pays too little.')
  if (transfer.amount > amount) throw wrong('pays too much')
}
