import type { Day, TrademarkRecord } from './record.ts'

/** Totals are exact up to this number, and pages reach no further: counting more is expensive. */
export const MAX_REACHABLE_RESULTS = 10_000

export type Paging = { readonly offset: number; readonly limit: number }
/** `live`: registered or pending. `dead`: abandoned, cancelled or expired. */
export type Life = 'live' | 'dead' | 'all'

export type MarkQuery = Paging & {
  readonly text: string
  readonly class?: string | undefined
  readonly life: Life
  /** `mark`: one hit for each different text, the best of its records. */
  readonly group?: 'mark' | undefined
}
export type TextQuery = Paging & { readonly text: string; readonly life: Life }
/** Both days included. */
export type ExpiryQuery = Paging & { readonly from: Day; readonly to: Day }

/** How a record matches a query; see `scoring.ts`. */
export type MatchDetails = {
  readonly exactMatch: boolean
  readonly phoneticMatch: boolean
  readonly fuzzyDistance: number
  readonly stringSimilarity: number
  readonly prefixMatch: boolean
  readonly phoneticCodes: string
  readonly matchedCodes: string
  readonly indexScore: number
  /** Why it was found, in plain words. */
  readonly reasons: readonly string[]
}

export type Hit = {
  readonly record: TrademarkRecord
  readonly score: number
  readonly details: MatchDetails
  /** In a grouped search: the number of records found with this text. */
  readonly groupCount?: number
}

export type Page = {
  readonly hits: readonly Hit[]
  readonly total: number
  /** Whether there may be more than `total`. */
  readonly isLowerBound: boolean
}

export type IndexInfo = {
  readonly documents: number
  readonly bytes: number
  /** ISO 8601. */
  readonly lastUpdated: string
  /** Identifies the state of the register: equal snapshots give equal results. */
  readonly snapshot: string
  /** Which part of the register is in it, if not all of it. */
  readonly scope?: string
}

/** A page and the index it comes from. A newer index may be in use by the time the page arrives. */
export type PageWithInfo = Page & { readonly info: IndexInfo }

/** A searchable register. Searching never blocks the event loop. */
export type SearchIndex = {
  /** By words and sound of the mark, best first. */
  search(query: MarkQuery, signal?: AbortSignal): Promise<PageWithInfo>
  /** Records whose goods and services have all words of the text. */
  byDescription(query: TextQuery, signal?: AbortSignal): Promise<PageWithInfo>
  /** Records whose owner's name has all words of the text. */
  byOwner(query: TextQuery, signal?: AbortSignal): Promise<PageWithInfo>
  /** Live marks whose term ends in these days, soonest first. */
  expiring(query: ExpiryQuery, signal?: AbortSignal): Promise<PageWithInfo>
  /** Null while there is no index. */
  info(): IndexInfo | null
  close(): Promise<void>
}
