import type { Auction, FeedId } from './auction.ts'

/** Why a record was refused: one of a few fixed reasons, and the value that is to blame. */
export type Refusal = { readonly refused: string; readonly value?: unknown; readonly domain?: string }

/** A parsed record of a feed. */
export type Row<T = Auction> = T | Refusal

/** A column of the feed's map that no record has had so far. */
export type MissingColumn = { readonly column: string; readonly isRequired: boolean }

/** One record of a feed, parsed only as far as needed to identify it. */
export type Offer<T = Auction> = {
  /** The auction house's id; null if missing. */
  readonly id: string | null
  /** Hash of the record and of how it is parsed: changes if either does. */
  readonly mark: number
  read(): Row<T>
}

export type Delivery<T = Auction> = {
  /** To be passed to `deliver` next time. */
  readonly validator: string
  /** The delivery before was another provider's: none of its auctions are expected in this one. */
  readonly replacesOther: boolean
  /** In batches. Throws FeedError or UpstreamError if the rest cannot be read; the delivery is then incomplete. */
  offers(): AsyncIterable<readonly Offer<T>[]>
  /** Columns that should be there; complete once all records are read. */
  missingColumns(): readonly MissingColumn[]
  /** Removes temporary files. */
  dispose(): void
}

/** A source that delivers all its auctions at once, or all its listings. Implementations are in `sources/`. */
export type AuctionHouse<T = Auction> = {
  readonly id: FeedId
  /** What its records are, for messages. */
  readonly contents: 'auctions' | 'listings'
  /** Keys and passwords that must not be shown, even if the house repeats them. */
  readonly secrets: readonly string[]
  /** Null if nothing changed since `validator`. Throws UpstreamError if the feed cannot be fetched. */
  deliver(validator: string, signal: AbortSignal): Promise<Delivery<T> | null>
}

/** The feed cannot be used. The message is for the operator and quotes only what `quoteValue` has cleaned. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}
