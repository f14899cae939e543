import type { ExpiryQuestion, MarkQuestion, Page, TextQuestion } from '../../search-index.ts'
import type { SegmentFile } from '../format/segment-file.ts'

/** A question, and what comes back. */
export type Asked =
  | { readonly method: 'search'; readonly question: MarkQuestion }
  | { readonly method: 'byDescription' | 'byOwner'; readonly question: TextQuestion }
  | { readonly method: 'expiring'; readonly question: ExpiryQuestion }

export type Answer =
  | { readonly ok: true; readonly page: Page }
  /** `isGone`: a record or a file is no longer kept, as happens when there is a newer index. */
  | { readonly ok: false; readonly isGone: boolean; readonly reason: string }

/** An index that was read: all threads are sent the same memory. */
export type Loaded = {
  readonly folder: string
  /** Id of the last version in `records.sqlite` that belongs to this index. */
  readonly lastId: number
  readonly segments: readonly { readonly file: SegmentFile; readonly superseded: SegmentFile | null }[]
}

export type ToSearcher = { readonly open: Loaded } | { readonly asked: Asked }

/** Files that are to be read, by their names. */
export type ToLoader = {
  readonly folder: string
  readonly lastId: number
  readonly parts: readonly { readonly name: string; readonly sha256: string }[]
}
export type FromLoader =
  | { readonly ok: true; readonly files: readonly SegmentFile[] }
  | { readonly ok: false; readonly reason: string }
