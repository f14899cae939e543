import type { Day, TrademarkRecord } from '../../record.ts'
import type { Names, PreparedQuery } from '../../scoring.ts'
import type { Life } from '../../search-index.ts'

export type Filter = { readonly life: Life; readonly class?: string | undefined }
/** The number of a record within one store; it has no meaning outside of it. */
export type RecordNumber = number
/** A page of records, and the number of all results. */
export type RecordPage = { readonly numbers: readonly RecordNumber[]; readonly total: number }
/** The number of a mark within one store; may differ from that of its record. */
export type MarkNumber = number
/** The first marks found, and whether there are more. */
export type FirstMarks = { readonly numbers: readonly MarkNumber[]; readonly isMore: boolean }
/** A word, the number of marks that have it, and its word number in each segment if the store has segments. */
export type Term = { readonly text: string; readonly frequency: number; readonly numbers?: readonly number[] }
export type Field = 'goods' | 'owner'

/** Access to marks during one search. What it caches is dropped when the next search begins. */
export type Reader = {
  /** Upper bound of the score; 1 if computing one is not worth it. */
  bound(mark: MarkNumber): number
  /** A looser upper bound from the length of the mark alone, which is much faster. */
  boundByLength(mark: MarkNumber): number
  /** Whether the mark has no pseudo marks. */
  isOneSpelling(mark: MarkNumber): boolean
  /** True only the first time it is called for a mark. */
  isNew(mark: MarkNumber): boolean
  names(mark: MarkNumber): Names
}

/**
 * Lookups and set operations on words. Candidates, scores and the order of results are decided above the store, so every store
 * gives the same results. Marks are returned shortest first, then by serial number.
 */
export type Store = {
  readonly documents: number
  term(text: string): Term
  /** Words of marks that may replace this one, by the rules of `expansion.ts`. */
  expand(word: string, isDeep: boolean): readonly Term[]
  /** Marks with this text without spaces in one of their spellings. */
  bySquash(squash: string, filter: Filter, max: number): FirstMarks
  /** Marks with this joint phonetic code in one of their spellings. */
  byCode(code: string, max: number): FirstMarks
  /** Marks with at least one word of every group. */
  byWords(groups: readonly (readonly Term[])[], filter: Filter, max: number): FirstMarks
  byWord(term: Term, max: number): FirstMarks
  /** Whether a mark passes the filter. */
  keeps(filter: Filter): (mark: MarkNumber) => boolean
  /** Records whose text has all these words: fewest words first, then by tie rank. */
  byText(field: Field, words: readonly string[], filter: Filter, offset: number, limit: number): RecordPage
  /** Terms that end in these days, both included; soonest first. */
  byExpiry(from: Day, to: Day, offset: number, limit: number): RecordPage
  reader(query: PreparedQuery): Reader
  /** Of two marks with the same score the one with the lower key comes first; see `tie-rank.ts`. */
  tieKey(mark: MarkNumber): number
  recordOfMark(mark: MarkNumber): TrademarkRecord
  record(number: RecordNumber): TrademarkRecord
  close(): void
}
