import type { Auction, SourceId } from './auction.ts'

export type Marked = { readonly auction: Auction; readonly mark: number }
export type Taken = { added: number; changed: number; duplicates: number }
export type Tidied = {
  readonly removed: number
  /** Live auctions the delivery did not have, kept because they were too many to be believed gone. */
  readonly kept: number
}

/** The writing side of the shelf: one delivery of one source at a time, whoever tries. */
export type Stock = {
  /** Null where somebody else is at this source. */
  begin(source: SourceId): Restocking | null
}

/** Every verb is atomic; a process that dies between two of them has lost nothing. */
export type Restocking = {
  /** The validator of the last complete delivery. */
  readonly validator: string
  /** Whether the auction is here as this mark says; `twice` where the delivery had it before. Notes that it was seen. */
  recognise(externalId: string, mark: number): 'same' | 'other' | 'twice'
  /** Throws StockLost where another has taken over in the meantime. */
  put(auctions: readonly Marked[]): Taken
  /** The delivery was complete: takes away what it did not have, and what ended a while ago. */
  complete(validator: string, counts: { readonly rows: number; readonly refused: number }): Tidied
  /** The house says nothing has changed. */
  unchanged(): void
  /** Keeps what was put and lets go. */
  fail(reason: string): void
}

/** Another process has taken over; nothing more may be written. */
export class StockLost extends Error {
  override readonly name = 'StockLost'
}
