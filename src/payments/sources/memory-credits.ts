import type { Clock } from '../../kernel/clock.ts'
import {
  balanceOf,
  CREDIT_ENDPOINT,
  type Credit,
  type CreditStore,
  type Draw,
  type NewCredit,
  isHeld,
} from '../credit.ts'
import type { LedgerEntry, StoredAnswer } from '../ledger.ts'
import { ANSWER_TTL_MS } from './retention.ts'

type Needs = {
  readonly clock: Clock
  /** The entry of a payment in the ledger, and who has claimed it. */
  paymentOf(key: string): { readonly entry: LedgerEntry; readonly owner: string | undefined } | undefined
}

type HeldCredit = {
  readonly paymentKey: string
  readonly tokenHash: string
  /** Empty once the token is no longer given out. */
  salt: string
  redeemHash: string | undefined
  readonly createdAt: number
  readonly bought: bigint
  spent: bigint
  reserved: bigint
  /** By idempotency key. */
  readonly draws: Map<string, HeldDraw>
}
type HeldDraw = Draw & {
  readonly credit: HeldCredit
  readonly leaseUntil: number
  readonly spentAt?: number
  readonly answer?: StoredAnswer | undefined
}

/** Credits that are lost with the process. */
export function memoryCredits({ clock, paymentOf }: Needs): CreditStore & { prune(now: number): number } {
  const byPayment = new Map<string, HeldCredit>()
  const byToken = new Map<string, HeldCredit>()
  /** By owner. A draw without a key is forgotten once it is spent. */
  const reserved = new Map<string, HeldDraw>()

  const paidFor = ({ paymentKey }: Pick<NewCredit, 'paymentKey'>): LedgerEntry | undefined => {
    const entry = paymentOf(paymentKey)?.entry
    return entry?.state === 'settled' && entry.details.endpoint === CREDIT_ENDPOINT ? entry : undefined
  }
  const find = (tokenHash: string, key: string | undefined): Credit | undefined => {
    const held = byToken.get(tokenHash)
    const entry = held && paidFor(held)
    if (!held || !entry) return undefined
    const prior = key === undefined ? undefined : held.draws.get(key)
    return {
      bought: held.bought,
      spent: held.spent,
      reserved: held.reserved,
      isLost: entry.isLost,
      prior: prior && { fingerprint: prior.fingerprint, leaseUntil: prior.leaseUntil, answer: prior.answer },
    }
  }
  const giveBack = (owner: string): void => {
    const draw = reserved.get(owner)
    if (!draw) return
    reserved.delete(owner)
    draw.credit.reserved -= draw.micros
    if (draw.key !== undefined) draw.credit.draws.delete(draw.key)
  }
  const deleteExpired = (now: number): number => {
    const ended = [...reserved.values()].filter(({ leaseUntil }) => leaseUntil < now)
    for (const { owner } of ended) giveBack(owner)
    return ended.length
  }
  const forget = (credit: HeldCredit): void => {
    byPayment.delete(credit.paymentKey)
    byToken.delete(credit.tokenHash)
  }

  return {
    async attach({ owner, ...secret }) {
      const payment = paymentOf(secret.paymentKey)
      const { details, state } = payment?.entry ?? {}
      if (payment?.owner !== owner || state !== 'claimed' || details?.endpoint !== CREDIT_ENDPOINT) return false
      const earlier = byPayment.get(secret.paymentKey)
      if (earlier) forget(earlier)
      const sums = { bought: details.micros, spent: 0n, reserved: 0n }
      const credit: HeldCredit = { ...secret, ...sums, createdAt: clock.now(), draws: new Map() }
      byPayment.set(credit.paymentKey, credit)
      byToken.set(credit.tokenHash, credit)
      return true
    },
    async secretOf(paymentKey) {
      const { tokenHash, salt, redeemHash } = byPayment.get(paymentKey) ?? {}
      return tokenHash === undefined || !salt ? undefined : { tokenHash, salt, redeemHash }
    },
    find: async (tokenHash, key) => find(tokenHash, key),
    async draw(draw) {
      const now = clock.now()
      const { tokenHash, key, owner, micros } = draw
      let credit = find(tokenHash, key)
      const isFree = () => !credit?.prior && balanceOf(credit!) >= micros
      const isDecided = !credit || credit.isLost || (credit.prior && isHeld(credit.prior, now))
      if (!isDecided && !isFree() && deleteExpired(now) > 0) credit = find(tokenHash, key)
      if (!credit || credit.isLost || !isFree()) return { drawn: false, credit }
      const held = byToken.get(tokenHash)!
      const made: HeldDraw = { ...draw, credit: held, leaseUntil: now + draw.leaseMs }
      held.reserved += micros
      reserved.set(owner, made)
      if (key !== undefined) held.draws.set(key, made)
      return { drawn: true, balance: balanceOf(held) }
    },
    async confirm(owner, answer) {
      const draw = reserved.get(owner)
      if (!draw) return false
      reserved.delete(owner)
      draw.credit.reserved -= draw.micros
      draw.credit.spent += draw.micros
      if (draw.key !== undefined) draw.credit.draws.set(draw.key, { ...draw, answer, spentAt: clock.now() })
      return true
    },
    giveBack: async (owner) => giveBack(owner),
    async outstanding() {
      const usable = [...byPayment.values()].filter((credit) => paidFor(credit)?.isLost === false)
      return usable.reduce((sum, { bought, spent }) => sum + bought - spent, 0n)
    },
    prune(now) {
      const before = now - ANSWER_TTL_MS
      let touched = deleteExpired(now)
      for (const credit of byPayment.values()) {
        for (const [key, { spentAt = Infinity }] of credit.draws) {
          if (spentAt < before && credit.draws.delete(key)) touched++
        }
        if (credit.createdAt >= before || credit.salt === '') continue
        const payment = paymentOf(credit.paymentKey)?.entry
        if (payment?.details.endpoint !== CREDIT_ENDPOINT) forget(credit)
        else if ((payment.settledAt ?? Infinity) < before) {
          credit.salt = ''
          credit.redeemHash = undefined
        } else continue
        touched++
      }
      return touched
    },
  }
}
