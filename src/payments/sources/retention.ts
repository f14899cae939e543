import type { CreditStore } from '../credit.ts'
import type { LedgerEntry, Ledger } from '../ledger.ts'

/** A ledger with the credits that its payments bought, and that can delete old data. */
export type PrunableLedger = Ledger & {
  readonly credits: CreditStore
  /**
   * Deletes the answers of payments settled more than `ANSWER_TTL_MS` ago and everything needed to replay them; the
   * bookkeeping details stay. Deletes claims that expired that long ago. Does the same for draws on credit. Returns the number of changed entries. Cheap if
   * there is nothing to do, so it can be called every minute.
   */
  prune(now: number): Promise<number>
}

/** How long a paid answer can be fetched again with the same payment. */
export const ANSWER_TTL_MS = 24 * 60 * 60 * 1000

/** Removes the answer unless the entry belongs to the same request. */
export const redactFor = (fingerprint: string, entry: LedgerEntry): LedgerEntry =>
  entry.fingerprint === fingerprint ? entry : { ...entry, answer: undefined, receipt: undefined }

/** Not settled, lease expired, and an entry with an answer only for the same request. */
export const isClaimable = (entry: LedgerEntry, fingerprint: string, now: number): boolean =>
  entry.state !== 'settled' &&
  entry.leaseUntil < now &&
  (entry.state === 'claimed' || entry.fingerprint === fingerprint)
