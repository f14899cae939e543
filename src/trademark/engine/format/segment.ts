import type { TrademarkRecord } from '../../record.ts'
import type { Sections } from './segment-file.ts'

/** One kind of question a segment answers, built record by record: the one added first has number 0. */
export type FieldIndexWriter = {
  add(record: TrademarkRecord): void
  /**
   * The part's sections; their names begin with that of the part. Those that end in `.disk` are never read whole.
   * `serials` and `tieRanks` (see `tie-rank.ts`) are those of all records that were added.
   */
  finish(serials: Uint32Array, tieRanks: Uint32Array): Sections
}

/** A segment, ready to be searched. Its numbers are in memory that all threads share. */
export type SegmentReader = {
  /** Those that are superseded included. */
  readonly documents: number
  numbers(section: string): Uint32Array
  bytes(section: string): Uint8Array
  /** Fills `into` with what is at this place of a section that stays on the disk. */
  read(section: string, offset: number, into: Uint8Array): void
  /** A bit for each record, the lowest of the first byte first: set where a later segment has a newer version. */
  readonly superseded: Uint8Array | null
  /** In how many superseded marks a word is. */
  forgotten(word: string): number
}
