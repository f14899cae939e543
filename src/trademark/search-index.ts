import type { Day, TrademarkRecord } from './record.ts'

/** Totals are exact up to this number, and pages reach no further: counting more is expensive. */
export const MAX_REACHABLE_RESULTS = 10_000

export type Paging = { readonly offset: number; readonly limit: number }
/** Which marks: those in force or on their way, those that are gone, or both. */
export type Life = 'live' | 'dead' | 'all'

export type MarkQuestion = Paging & {
  readonly text: string
  readonly class?: string | undefined
  readonly life: Life
  /** One hit for each different text of a mark, which is the best of its records. */
  readonly group?: 'mark' | undefined
}
export type TextQuestion = Paging & { readonly text: string; readonly life: Life }
/** Both days included. */
export type ExpiryQuestion = Paging & { readonly from: Day; readonly to: Day }

/** How a record answers a question; see `scoring.ts`. */
export type MatchDetails = {
  readonly exactMatch: boolean
  readonly phoneticMatch: boolean
  readonly fuzzyDistance: number
  readonly stringSimilarity: number
  readonly prefixMatch: boolean
  readonly phoneticCodes: string
  readonly matchedCodes: string
  readonly indexScore: number
  /** Why it was found, in words. */
  readonly reasons: readonly string[]
}

export type Hit = {
  readonly record: TrademarkRecord
  readonly score: number
  readonly details: MatchDetails
  /** Of a grouped search: how many records with this text were found. */
  readonly groupCount?: number
}

export type Page = {
  readonly hits: readonly Hit[]
  readonly total: number
  /** Whether there are more than were counted. */
  readonly isLowerBound: boolean
}

export type IndexInfo = {
  readonly documents: number
  readonly bytes: number
  /** ISO 8601. */
  readonly lastUpdated: string
  /** The same as long as the same question gets the same answer, bit for bit. */
  readonly snapshot: string
}

/** A page, and what it comes from: while it was searched for, there may have come to be another index. */
export type AnsweredPage = Page & { readonly info: IndexInfo }

/** The register, ready to be searched. Searching never holds up the event loop. */
export type SearchIndex = {
  /** By words and sound of the mark; best first. Totals are exact up to 10,000. */
  search(question: MarkQuestion, signal?: AbortSignal): Promise<AnsweredPage>
  /** By all words of the goods and services. */
  byDescription(question: TextQuestion, signal?: AbortSignal): Promise<AnsweredPage>
  byOwner(question: TextQuestion, signal?: AbortSignal): Promise<AnsweredPage>
  /** Live marks whose term ends in these days; soonest first. */
  expiring(question: ExpiryQuestion, signal?: AbortSignal): Promise<AnsweredPage>
  /** Null while there is no index. */
  info(): IndexInfo | null
  close(): Promise<void>
}
