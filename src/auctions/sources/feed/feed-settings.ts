import type { SourceId } from '../../auction.ts'
import type { FeedMap } from './feed-map.ts'

/** One feed as an operator has set it up. Plain data: it goes to a thread. */
export type FeedSettings = {
  readonly source: SourceId
  /** http or https URL, or the path of a file. */
  readonly location: string
  readonly map: FeedMap
  /** Sent with every request; may hold a key. */
  readonly header: { readonly name: string; readonly value: string } | null
  /** How often it is read. */
  readonly intervalMs: number
}
