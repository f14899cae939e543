import type { LedgerEntry, Ledger } from '../ledger.ts'

/** A ledger that can forget what nobody needs any more. To be called now and then; it is cheap when there is nothing. */
export type PrunableLedger = Ledger & {
  /**
   * Drops the answers of what was settled more than `KEEP_MS` ago, with all that was only needed to repeat them (the
   * line for the books stays), and the claims that were left lying that long. Tells how many entries it touched.
   */
  prune(now: number): Promise<number>
}

/** So long an answer that is paid for can be fetched again with the same payment. */
export const ANSWER_TTL_MS = 24 * 60 * 60 * 1000

/** What a request may see of an entry: an answer is for the request it was computed for, and for no other. */
export const redactFor = (fingerprint: string, entry: LedgerEntry): LedgerEntry =>
  entry.fingerprint === fingerprint ? entry : { ...entry, answer: undefined, receipt: undefined }
