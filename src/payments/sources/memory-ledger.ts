import type { Clock } from '../../kernel/clock.ts'
import type { Claim, ClaimResult, LedgerEntry } from '../ledger.ts'
import { ANSWER_TTL_MS, type PrunableLedger, redactFor } from './retention.ts'

type OwnedEntry = {
  readonly entry: LedgerEntry
  readonly owner: string | undefined
  readonly settledAt: number | undefined
}

/** A ledger that is lost with the process: for play money and tests only. */
export function memoryLedger({ clock }: { readonly clock: Clock }): PrunableLedger {
  /** By key, in the order of the first claim. */
  const held = new Map<string, OwnedEntry>()

  /** The entry if this owner holds it in one of these states. */
  const ownedBy = (owner: string, key: string, ...states: readonly LedgerEntry['state'][]): OwnedEntry | undefined => {
    const found = held.get(key)
    return found?.owner === owner && states.includes(found.entry.state) ? found : undefined
  }
  const entries = (): LedgerEntry[] => [...held.values()].map(({ entry }) => entry)

  return {
    async claim(claim): Promise<ClaimResult> {
      const { key, fingerprint, owner, leaseMs } = claim
      const now = clock.now()
      const found = held.get(key)?.entry
      if (found !== undefined && !isClaimable(found, fingerprint, now)) {
        return { won: false, entry: redactFor(fingerprint, found) }
      }
      const entry = found?.state === 'computed' ? found : createEntry(claim, found?.createdAt ?? now)
      held.set(key, { entry: { ...entry, leaseUntil: now + leaseMs }, owner, settledAt: undefined })
      return { won: true, answer: entry.answer }
    },
    async compute(key, owner, answer) {
      const own = ownedBy(owner, key, 'claimed')
      if (own) held.set(key, { ...own, entry: { ...own.entry, state: 'computed', answer } })
      return own !== undefined
    },
    async settle(key, owner, receipt) {
      const own = ownedBy(owner, key, 'computed')
      if (own) held.set(key, { ...own, entry: { ...own.entry, state: 'settled', receipt }, settledAt: clock.now() })
      return own !== undefined
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
    list: async (limit) => entries().toReversed().slice(0, limit),
    async prune(now) {
      const before = now - ANSWER_TTL_MS
      let touched = 0
      for (const [key, { entry, owner, settledAt }] of held) {
        if (entry.state === 'claimed' && entry.leaseUntil < before) held.delete(key)
        else if (settledAt !== undefined && settledAt < before && entry.answer !== undefined) {
          held.set(key, { entry: withoutAnswer(entry), owner, settledAt })
        } else continue
        touched++
      }
      return touched
    },
    close() {},
  }
}

/** Not settled, lease expired, and an entry with an answer only for the same request. */
const isClaimable = (entry: LedgerEntry, fingerprint: string, now: number): boolean =>
  entry.state !== 'settled' &&
  entry.leaseUntil < now &&
  (entry.state === 'claimed' || entry.fingerprint === fingerprint)

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
})

const withoutAnswer = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  payment: '',
  answer: undefined,
  receipt: entry.receipt && { ...entry.receipt, headers: [] },
})
