import type { Auction, SourceId } from './auction.ts'

/** What a record of a feed comes to: an auction, or in a few words why it is none. */
export type Row = Auction | { readonly refused: string }

/** One record, not read any further than it takes to recognise it. */
export type Offer = {
  /** What the house calls the auction; null where it does not say. */
  readonly id: string | null
  /** The same as long as the record is, and the way it is read. */
  readonly mark: number
  read(): Row
}

export type Delivery = {
  /** What to show next time to learn whether anything changed; empty where the house has no such thing. */
  readonly validator: string
  /** In portions. Throws FeedError or UpstreamError where the rest cannot be had: then the delivery is not complete. */
  offers(): AsyncIterable<readonly Offer[]>
  /** Lets go of what was kept to read it. */
  dispose(): void
}

/** A place that holds auctions and tells of all of them at once. Implementations live in `sources/`. */
export type AuctionHouse = {
  readonly id: SourceId
  /** Null where nothing changed since the validator was given. Throws UpstreamError where it cannot be had. */
  deliver(validator: string, signal: AbortSignal): Promise<Delivery | null>
}

/** What was delivered cannot be used. The message is for the operator and quotes nothing of it. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}
