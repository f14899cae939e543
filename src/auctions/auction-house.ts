import type { Auction, SourceId } from './auction.ts'

/** A parsed record of a feed: an auction, or the reason it was refused. */
export type Row = Auction | { readonly refused: string }

/** One record of a feed, parsed only as far as needed to identify it. */
export type Offer = {
  /** The auction house's id; null if missing. */
  readonly id: string | null
  /** Hash of the record and of how it is parsed: changes if either does. */
  readonly mark: number
  read(): Row
}

export type Delivery = {
  /** HTTP-style validator to send next time; empty if the house has none. */
  readonly validator: string
  /** In batches. Throws FeedError or UpstreamError if the rest cannot be read; the delivery is then incomplete. */
  offers(): AsyncIterable<readonly Offer[]>
  /** Removes temporary files. */
  dispose(): void
}

/** A source that delivers all its auctions at once. Implementations are in `sources/`. */
export type AuctionHouse = {
  readonly id: SourceId
  /** Null if nothing changed since `validator`. Throws UpstreamError if the feed cannot be fetched. */
  deliver(validator: string, signal: AbortSignal): Promise<Delivery | null>
}

/** The feed cannot be used. The message is for the operator and quotes nothing from the feed. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}
