import type { Day, TrademarkRecord } from '../../record.ts'
import type { Life } from '../../search-index.ts'

export type Filter = { readonly life: Life; readonly class?: string | undefined }
/** The number of a record within one backend; says nothing by itself. */
export type RecordNumber = number
export type Found = { readonly numbers: readonly RecordNumber[]; readonly total: number }

/** What of a record is needed to score it, and to put equals in order. */
export type Card = Pick<TrademarkRecord, 'serial' | 'mark' | 'pseudoMarks'>
export type Field = 'goods' | 'owner'

/**
 * What a backend can do: plain set operations on words. What is looked for, how it is scored and in which order it
 * comes is decided above it, and so the same everywhere. Everything comes shortest first, then by serial number.
 */
export type Store = {
  readonly documents: number
  /** In how many marks the word is. */
  frequency(word: string): number
  /** Words of marks that are filed under this form; see `formsOf`. */
  wordsByForm(form: string): readonly string[]
  /** Words of marks with this code. */
  wordsByCode(code: string): readonly string[]
  bySquash(squash: string, filter: Filter, most: number): readonly RecordNumber[]
  byCode(code: string, filter: Filter, most: number): readonly RecordNumber[]
  /** Marks with at least one word out of every group. The total is exact; of the numbers the first come. */
  byWords(groups: readonly (readonly string[])[], filter: Filter, most: number): Found
  /** Texts with all these words. */
  byText(field: Field, words: readonly string[], filter: Filter, offset: number, limit: number): Found
  /** Soonest first. */
  byExpiry(from: Day, to: Day, offset: number, limit: number): Found
  card(number: RecordNumber): Card
  record(number: RecordNumber): TrademarkRecord
  close(): void
}
