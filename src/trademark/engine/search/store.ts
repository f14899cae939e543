import type { Day, TrademarkRecord } from '../../record.ts'
import type { Names, PreparedQuery } from '../../scoring.ts'
import type { Life } from '../../search-index.ts'

export type Filter = { readonly life: Life; readonly class?: string | undefined }
/** The number of a record within one backend; says nothing by itself. */
export type RecordNumber = number
export type Found = { readonly numbers: readonly RecordNumber[]; readonly total: number }
/** The number of a mark within one backend; says nothing by itself, and need not be that of its record. */
export type MarkNumber = number
/** The first of those that were found, and whether there are more. */
export type First = { readonly numbers: readonly MarkNumber[]; readonly isMore: boolean }
/** A word, in how many marks it is, and its numbers where the backend has some. */
export type Term = { readonly text: string; readonly frequency: number; readonly numbers?: readonly number[] }
export type Field = 'goods' | 'owner'

/** One search in a backend: what it remembers of the marks it was asked about goes when the search is over. */
export type Reader = {
  /** The score of no name of this mark is above this; 1 where it is not worth finding out. */
  bound(mark: MarkNumber): number
  /** The same from the length of the mark alone: less exact, in no time. */
  boundByLength(mark: MarkNumber): number
  /** The score of the mark is not below this. */
  lowerBound(mark: MarkNumber): number
  /** Whether the mark has no other spellings: if its letters are those of the search it scores 1. */
  isOneSpelling(mark: MarkNumber): boolean
  /** Whether it is asked about for the first time. */
  isNew(mark: MarkNumber): boolean
  names(mark: MarkNumber): Names
}

/**
 * What a backend can do: plain set operations on words. What is looked for, how it is scored and in which order it
 * comes is decided above it, and so the same everywhere. Marks come shortest first, then by serial number.
 */
export type Store = {
  readonly documents: number
  term(text: string): Term
  /** Words of marks that may stand for this one, as `expansion.ts` says. */
  expand(word: string, isDeep: boolean): readonly Term[]
  bySquash(squash: string, filter: Filter, max: number): First
  byCode(code: string, max: number): First
  /** Marks with at least one word out of every group. */
  byWords(groups: readonly (readonly Term[])[], filter: Filter, max: number): First
  byWord(term: Term, max: number): First
  /** Whether the filter lets a mark through. */
  keeps(filter: Filter): (mark: MarkNumber) => boolean
  /** Texts with all these words: fewest words first, then as `tie-rank.ts` says. */
  byText(field: Field, words: readonly string[], filter: Filter, offset: number, limit: number): Found
  /** Soonest first. */
  byExpiry(from: Day, to: Day, offset: number, limit: number): Found
  reader(query: PreparedQuery): Reader
  /** Which of two marks with the same score comes first: the one with the lower key; see `tie-rank.ts`. */
  tieKey(mark: MarkNumber): number
  recordOfMark(mark: MarkNumber): TrademarkRecord
  record(number: RecordNumber): TrademarkRecord
  close(): void
}
