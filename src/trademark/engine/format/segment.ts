import type { TrademarkRecord } from '../../record.ts'
import type { SectionSources } from './segment-file.ts'

/** The ASCII text in bytes[begin, end). */
export type AsciiText = { readonly bytes: Uint8Array; readonly begin: number; readonly end: number }

/** What a segment needs of a record. Texts need not be strings, of which an import would make millions. */
export type IndexedRecord = Pick<
  TrademarkRecord,
  'status' | 'filingDate' | 'registrationDate' | 'renewalDate' | 'classes'
> & {
  readonly serial: string | number
  readonly mark: string | AsciiText
  readonly pseudoMarks: readonly (string | AsciiText)[]
  readonly owner: string | AsciiText
  readonly goods: string | AsciiText
}

/** Builds one index of a segment (marks, goods, owner or expiry) record by record; the first record is document 0. */
export type FieldIndexWriter = {
  add(record: IndexedRecord): void
  /** Moves what is needed only by `finish` to a temporary file, so that memory does not grow with the number of records. */
  settle(): void
  /**
   * The index's sections, some at a time, so that those before are no longer in memory. Those whose names end in `.disk` are
   * not loaded when a segment is opened. `serials` and `tieRanks` (see `tie-rank.ts`) are those of all documents, by document
   * number.
   */
  finish(serials: Uint32Array, tieRanks: Uint32Array): Iterable<SectionSources>
  /** Frees what `finish` needed, once its sections are written. */
  close?(): void
}

/** A segment opened by one thread. The loaded sections are in memory shared by all threads. */
export type SegmentReader = {
  /** All documents, those with a tombstone included. */
  readonly documents: number
  numbers(section: string): Uint32Array
  bytes(section: string): Uint8Array
  /** Fills `into` from this byte offset of a section that stays on disk. */
  read(section: string, offset: number, into: Uint8Array): void
  /** A bit for each document, lowest bit first: set if a newer version exists. Null without tombstones. */
  readonly tombstones: Uint8Array | null
  /** How many documents with a tombstone have this word in their mark. */
  deletedFrequency(word: string): number
}
