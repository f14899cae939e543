import type { Clock } from '../../../kernel/clock.ts'
import type { HitFailpoint } from './failpoints.ts'

export type Progress = {
  readonly phase: 'reading' | 'indexing' | 'merging'
  /** The file being read. */
  readonly name: string
  /** Of all files together while reading, else records. */
  readonly done: number
  readonly total: number
  /** Read so far, of all files. */
  readonly records: number
}

export type BuildOptions = {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly at?: HitFailpoint | undefined
  /** Fewer records than this are put into a segment here and now; for more there is a thread. */
  readonly maxInlineRecords?: number | undefined
}
