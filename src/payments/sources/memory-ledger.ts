import type { Clock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import {
  type Claim,
  type ClaimResult,
  type LedgerEntry,
  MAX_OPEN_PAYMENTS,
  MAX_RECHECK_AGE_MS,
  RECHECK_AGES_MS,
  SETTLED_RESERVE_MS,
} from '../ledger.ts'
import { memoryCredits } from './memory-credits.ts'
import { ANSWER_TTL_MS, isClaimable, type PrunableLedger, redactFor } from './retention.ts'

type OwnedEntry = {
  readonly entry: LedgerEntry
  readonly owner: string | undefined
  readonly rechecks: number
}

/** A ledger that is lost with the process: for play money and tests only. */
export function memoryLedger({ clock }: { readonly clock: Clock }): PrunableLedger {
  /** By key, in the order of the first claim. */
  const held = new Map<string, OwnedEntry>()
  /** Keys that may be open, by scheme and payer. */
  const openKeys = new Map<string, Set<string>>()
  const change = (key: string, own: OwnedEntry, changes: Partial<LedgerEntry>) =>
    held.set(key, { ...own, entry: { ...own.entry, ...changes } })

  /** The entry if this owner holds it in one of these states. */
  const ownedBy = (owner: string, key: string, ...states: readonly LedgerEntry['state'][]): OwnedEntry | undefined => {
    const found = held.get(key)
    return found?.owner === owner && states.includes(found.entry.state) ? found : undefined
  }
  const entries = (): LedgerEntry[] => [...held.values()].map(({ entry }) => entry)

  /** What the payer lacks to make this payment besides the open ones. */
  function findShortage({ key, details, balance }: Claim, now: number): 'balance' | 'open payments' | undefined {
    if (balance === undefined) return undefined
    let [reserved, open] = [0n, 0]
    const keys = openKeys.get(payerOf(details))
    for (const other of keys ?? []) {
      const entry = held.get(other)?.entry
      if (!entry || !isOpen(entry, now)) keys?.delete(other)
      else if (other !== key) {
        reserved += entry.details.micros
        if (entry.state !== 'settled') open++
      }
    }
    if (reserved + details.micros > balance) return 'balance'
    return open >= MAX_OPEN_PAYMENTS ? 'open payments' : undefined
  }

  const credits = memoryCredits({ clock, paymentOf: (key) => held.get(key) })
  return {
    credits,
    id: Buffer.from(secureRandom.bytes(16)).toString('hex'),
    async claim(claim): Promise<ClaimResult> {
      const { key, fingerprint, owner, leaseMs } = claim
      const now = clock.now()
      const found = held.get(key)?.entry
      if (found !== undefined && !isClaimable(found, fingerprint, now)) {
        return { won: false, entry: redactFor(fingerprint, found) }
      }
      const shortOf = findShortage(claim, now)
      if (shortOf) return { won: false, entry: undefined, shortOf }
      const entry = found?.state === 'computed' ? found : createEntry(claim, found?.createdAt ?? now)
      held.set(key, { entry: { ...entry, leaseUntil: now + leaseMs }, owner, rechecks: 0 })
      const payer = payerOf(entry.details)
      openKeys.set(payer, (openKeys.get(payer) ?? new Set()).add(key))
      return { won: true, answer: entry.answer }
    },
    async compute(key, owner, answer) {
      const own = ownedBy(owner, key, 'claimed')
      if (own) change(key, own, { state: 'computed', answer })
      return own !== undefined
    },
    async sending(key, owner, transaction) {
      const own = ownedBy(owner, key, 'computed')
      if (own) change(key, own, { sent: [...own.entry.sent, transaction] })
      return own !== undefined
    },
    async settle(key, owner, { transaction, headers, tokenHash }) {
      const own = ownedBy(owner, key, 'computed')
      const receipt = { transaction, headers, tokenHash }
      if (own) change(key, own, { state: 'settled', receipt, settledAt: clock.now() })
      return own !== undefined
    },
    async delivered(key) {
      const found = held.get(key)
      if (found?.entry.state === 'settled') {
        change(key, found, { deliveredAt: found.entry.deliveredAt ?? clock.now() })
      }
    },
    async release(key, owner) {
      if (ownedBy(owner, key, 'claimed', 'computed')) held.delete(key)
    },
    async yield(key, owner) {
      const own = ownedBy(owner, key, 'claimed', 'computed')
      if (own) held.set(key, { ...own, entry: { ...own.entry, leaseUntil: 0 }, owner: undefined })
    },
    find: async (key) => held.get(key)?.entry,
    async unsettled(limit) {
      const now = clock.now()
      return entries()
        .filter(({ state, leaseUntil }) => state === 'computed' && leaseUntil < now)
        .slice(0, limit)
    },
    async dueRechecks(limit) {
      const due = [...held].filter(([, own]) => isRecheckDue(own, clock.now())).slice(0, limit)
      for (const [key, own] of due) held.set(key, { ...own, rechecks: own.rechecks + 1 })
      return due.map(([, { entry }]) => entry)
    },
    async recheck(key, outcome) {
      const found = held.get(key)
      if (!found) return
      if (outcome === 'unknown') held.set(key, { ...found, rechecks: found.rechecks - 1 })
      else if (outcome === 'lost') change(key, found, { isLost: true })
      else change(key, found, { isLost: false, receipt: found.entry.receipt && { ...found.entry.receipt, ...outcome } })
    },
    list: async (limit) => entries().toReversed().slice(0, limit),
    async prune(now) {
      const before = now - ANSWER_TTL_MS
      let touched = credits.prune(now)
      for (const [key, own] of held) {
        const { entry } = own
        const { settledAt } = entry
        if (entry.state === 'claimed' && entry.leaseUntil < before) held.delete(key)
        else if (settledAt !== undefined && settledAt < before && entry.answer !== undefined) {
          held.set(key, { ...own, entry: withoutAnswer(entry) })
        } else continue
        touched++
      }
      return touched
    },
    close() {},
  }
}

const createEntry = ({ key, fingerprint, details, payment }: Claim, createdAt: number): LedgerEntry => ({
  key,
  fingerprint,
  state: 'claimed',
  leaseUntil: 0,
  createdAt,
  details,
  payment,
  answer: undefined,
  receipt: undefined,
  sent: [],
  settledAt: undefined,
  deliveredAt: undefined,
  isLost: false,
})

const payerOf = ({ scheme, payer }: LedgerEntry['details']): string => `${scheme} ${payer}`

/** Its payer's money is reserved. */
const isOpen = ({ state, leaseUntil, settledAt = 0 }: LedgerEntry, now: number): boolean => {
  if (state === 'settled') return settledAt > now - SETTLED_RESERVE_MS
  return state === 'computed' || leaseUntil >= now
}

const isRecheckDue = ({ entry: { settledAt }, rechecks }: OwnedEntry, now: number): boolean => {
  if (settledAt === undefined || settledAt <= now - MAX_RECHECK_AGE_MS) return false
  const ageMs = RECHECK_AGES_MS[rechecks]
  return ageMs !== undefined && settledAt < now - ageMs
}

const withoutAnswer = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  payment: '',
  answer: undefined,
  receipt: entry.receipt && { ...entry.receipt, headers: [] },
})
