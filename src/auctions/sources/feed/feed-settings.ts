import type { FeedId, SaleFeedId, SourceId } from '../../auction.ts'
import type { FeedMap } from './feed-map.ts'

/** The parsed settings of one feed. Plain data: it is sent to a worker thread. */
export type FeedSettings<Id extends FeedId = SourceId> = {
  readonly source: Id
  /** http or https URL, or the path of a file. */
  readonly location: string
  /** The location is a preset's own, not one that the operator has set. */
  readonly isPresetUrl?: boolean
  /** Whose feed it is. If it changes, the auctions of the former feed are not those of this one. */
  readonly provider?: string
  readonly map: FeedMap
  /** Sent with every request; may hold a key. */
  readonly header: { readonly name: string; readonly value: string } | null
  readonly intervalMs: number
}

/** Of a feed of domains that are for sale without an end. */
export type SaleFeedSettings = FeedSettings<SaleFeedId>
