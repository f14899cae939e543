import type { SaleFeedId } from './auction.ts'

/** One validated record of a feed of domains that are for sale without an end. */
export type SaleListing = {
  readonly source: SaleFeedId
  readonly domain: string
  readonly url?: string
  /** In `currency`; null if the seller waits for offers. */
  readonly price: number | null
  readonly currency: string
}

/** A listing in the index. */
export type IndexedSale = SaleListing & {
  /** When a complete delivery last had it, or it was written if there was none; whole seconds since the epoch. */
  readonly seenAt: number
}
