import type { ExpiryQuery, MarkQuery, Page, TextQuery } from '../../search-index.ts'
import type { SegmentFile } from '../format/segment-file.ts'

export type SearchRequest =
  | { readonly method: 'search'; readonly query: MarkQuery }
  | { readonly method: 'byDescription' | 'byOwner'; readonly query: TextQuery }
  | { readonly method: 'expiring'; readonly query: ExpiryQuery }

export type SearchResponse =
  | { readonly ok: true; readonly page: Page }
  /** `isGone`: a record or a file was deleted, as happens after a newer index was published. */
  | { readonly ok: false; readonly isGone: boolean; readonly reason: string }

/** The loaded files of an index. Their memory is shared, so sending them to a thread copies nothing. */
export type LoadedIndex = {
  readonly folder: string
  /** Id of the last version in `records.sqlite` that belongs to this index. */
  readonly lastId: number
  readonly segments: readonly { readonly file: SegmentFile; readonly superseded: SegmentFile | null }[]
}

export type ToSearchWorker = { readonly open: LoadedIndex } | { readonly search: SearchRequest }

/** The files to load. */
export type ToLoader = {
  readonly folder: string
  readonly lastId: number
  readonly parts: readonly { readonly name: string; readonly sha256: string }[]
}
export type FromLoader =
  | { readonly ok: true; readonly files: readonly SegmentFile[] }
  | { readonly ok: false; readonly reason: string }
