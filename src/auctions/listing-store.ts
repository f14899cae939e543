import type { Auction, FeedId } from './auction.ts'

export type Hashed<T = Auction> = { readonly record: T; readonly mark: number }
export type WriteCounts = {
  added: number
  changed: number
  /** Ids that were seen before in the same delivery. */
  readonly duplicates: string[]
}
export type RemovalCounts = {
  readonly removed: number
  /** Live auctions missing from the delivery, kept because too many were missing at once. */
  readonly kept: number
}

/** The writing side of the index. A lease allows one sync per source at a time, across processes. */
export type ListingStore<T = Auction> = {
  /** Null if another process holds the lease of this source. */
  begin(source: FeedId): SyncSession<T> | null
}

/** Every method is atomic: a process that dies between two of them loses nothing. */
export type SyncSession<T = Auction> = {
  /** The validator of the last complete delivery. */
  readonly validator: string
  /** Compares a record's hash with the stored one and marks the auction as seen; `twice` if it was seen before. */
  compare(externalId: string, mark: number): 'same' | 'other' | 'twice'
  /** Throws LeaseLost if another process has taken over. */
  put(records: readonly Hashed<T>[]): WriteCounts
  /**
   * Ends a complete delivery: removes auctions it did not contain, and those that ended a while ago. Without
   * `replacesOther`, auctions are kept if too many of them are missing.
   */
  complete(
    delivery: { readonly validator: string; readonly replacesOther: boolean },
    counts: { readonly rows: number; readonly refused: number },
  ): RemovalCounts
  /** Ends the session when the feed has not changed. */
  unchanged(): void
  /** Ends the session after a failure. What was written stays. */
  fail(reason: string): void
}

/** Another process has taken over; nothing more may be written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
