import type { Clock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import {
  type Claim,
  type ClaimResult,
  type LedgerEntry,
  MAX_OPEN_PAYMENTS,
  MAX_RECHECK_AGE_MS,
  RECHECK_AGES_MS,
  RECHECK_LEASE_MS,
  SETTLED_RESERVE_MS,
  type Shortage,
  type UnpricedTransaction,
} from '../ledger.ts'
import { memoryCredits } from './memory-credits.ts'
import { ANSWER_TTL_MS, isClaimable, type PrunableLedger, redactFor } from './retention.ts'

type OwnedEntry = {
  readonly entry: LedgerEntry
  readonly owner: string | undefined
  readonly slot: string | undefined
  readonly name: string | undefined
  readonly rechecks: number
  readonly recheckUntil: number
}

/** A ledger that is lost with the process: for play money and tests only. */
export function memoryLedger({ clock }: { readonly clock: Clock }): PrunableLedger {
  /** By key, in the order of the first claim. */
  const held = new Map<string, OwnedEntry>()
  /** Keys that may be open, by scheme and payer. */
  const openKeys = new Map<string, Set<string>>()
  /** By hash, in the order in which they were sent. */
  const transactions = new Map<string, UnpricedTransaction & { wei?: bigint }>()
  const change = (key: string, own: OwnedEntry, changes: Partial<LedgerEntry>) =>
    held.set(key, { ...own, entry: { ...own.entry, ...changes } })

  /** The entry if this owner holds it in one of these states. */
  const ownedBy = (owner: string, key: string, ...states: readonly LedgerEntry['state'][]): OwnedEntry | undefined => {
    const found = held.get(key)
    return found?.owner === owner && states.includes(found.entry.state) ? found : undefined
  }
  const entries = (): LedgerEntry[] => [...held.values()].map(({ entry }) => entry)

  /** Key of a payment under this name that is not the given one. */
  const findNamed = (name: string, except: string, now: number): string | undefined =>
    [...held.values()].find(
      ({ name: own, entry: { key, state, leaseUntil } }) =>
        own === name && key !== except && (state !== 'claimed' || leaseUntil >= now),
    )?.entry.key

  /** What the payer lacks to make this payment besides the open ones. */
  function findShortage({ key, details, balance, slot, name }: Claim, now: number): Shortage | undefined {
    if (name !== undefined && findNamed(name, key, now) !== undefined) return 'name'
    const isSlotTaken = ({ slot: own, entry }: OwnedEntry) =>
      own === slot && entry.key !== key && entry.state !== 'settled' && entry.leaseUntil >= now
    if (slot !== undefined && held.values().some(isSlotTaken)) return 'nonce'
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
      const isResumed = found?.state === 'computed'
      const entry = isResumed ? found : createEntry(claim, found?.createdAt ?? now)
      const { slot, name } = isResumed ? held.get(key)! : { slot: undefined, name: undefined, ...claim }
      const own = { owner, slot, name, rechecks: 0, recheckUntil: 0 }
      held.set(key, { entry: { ...entry, leaseUntil: now + leaseMs }, ...own })
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
      if (!own) return false
      change(key, own, { sent: [...own.entry.sent, transaction.hash] })
      transactions.set(transaction.hash, { ...transaction, sentAt: clock.now() })
      return true
    },
    async resending(_key, transaction) {
      if (!transactions.has(transaction.hash))
        transactions.set(transaction.hash, { ...transaction, sentAt: clock.now() })
    },
    async spent(hash, wei) {
      const found = transactions.get(hash)
      if (found) transactions.set(hash, { ...found, wei })
    },
    async unpriced(limit) {
      const open = [...transactions.values()].filter(({ wei }) => wei === undefined)
      return open.slice(0, limit).map(({ hash, sender, nonce, sentAt }) => ({ hash, sender, nonce, sentAt }))
    },
    async settle(key, owner, { transaction, headers, tokenHash: given }) {
      const own = ownedBy(owner, key, 'computed')
      const tokenHash = given ?? own?.entry.tokenHash
      const receipt = { transaction, headers, tokenHash }
      if (own) change(key, own, { state: 'settled', receipt, tokenHash, settledAt: clock.now() })
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
    findNamed: async (name) => findNamed(name, '', clock.now()),
    async unsettled(limit) {
      const now = clock.now()
      return entries()
        .filter(({ state, leaseUntil }) => state === 'computed' && leaseUntil < now)
        .slice(0, limit)
    },
    async dueRechecks(limit) {
      const due = [...held].filter(([, own]) => isRecheckDue(own, clock.now())).slice(0, limit)
      for (const [key, own] of due) held.set(key, { ...own, recheckUntil: clock.now() + RECHECK_LEASE_MS })
      return due.map(([, { entry }]) => entry)
    },
    async recheck(key, outcome) {
      const found = held.get(key)
      if (!found) return
      const isDone = outcome !== 'unknown'
      const own = { ...found, rechecks: found.rechecks + (isDone ? 1 : 0), recheckUntil: 0 }
      if (outcome === 'unknown') held.set(key, own)
      else if (outcome === 'lost') change(key, own, { isLost: true })
      else change(key, own, { isLost: false, receipt: found.entry.receipt && { ...found.entry.receipt, ...outcome } })
    },
    list: async (limit) => entries().toReversed().slice(0, limit),
    async prune(now) {
      const before = now - ANSWER_TTL_MS
      let touched = credits.prune(now)
      for (const [key, own] of held) {
        const { entry } = own
        const { settledAt } = entry
        if (entry.state === 'claimed' && entry.leaseUntil < before && entry.paidIn === undefined) held.delete(key)
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

const createEntry = (
  { key, fingerprint, details, payment, tokenHash, paidIn }: Claim,
  createdAt: number,
): LedgerEntry => ({
  key,
  fingerprint,
  state: 'claimed',
  leaseUntil: 0,
  createdAt,
  details,
  payment,
  answer: undefined,
  receipt: undefined,
  tokenHash,
  paidIn,
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

const isRecheckDue = ({ entry: { settledAt }, rechecks, recheckUntil }: OwnedEntry, now: number): boolean => {
  if (recheckUntil >= now) return false
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
