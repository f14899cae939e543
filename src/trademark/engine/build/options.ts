import type { Clock } from '../../../kernel/clock.ts'
import type { HitFailpoint } from './failpoints.ts'

export type Progress = {
  readonly phase: 'reading' | 'indexing' | 'merging'
  /** Name of the file being read. */
  readonly name: string
  /** While reading: bytes of all files together; otherwise records. */
  readonly done: number
  readonly total: number
  /** Records read so far. */
  readonly records: number
}

export type BuildOptions = {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Called at each failpoint, so that tests can kill the process there. */
  readonly at?: HitFailpoint | undefined
  /** Segments with fewer records are built in this thread, larger ones in a worker. */
  readonly maxInlineRecords?: number | undefined
}
