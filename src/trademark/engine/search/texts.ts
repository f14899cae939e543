import type { TrademarkRecord } from '../../record.ts'
import {
  type ExpiryQuery,
  type Hit,
  type MatchDetails,
  MAX_REACHABLE_RESULTS,
  type Page,
  type TextQuery,
} from '../../search-index.ts'
import { editDistance } from '../../edit-distance.ts'
import { tokenize } from '../../tokenize.ts'
import type { Field, RecordPage, Store } from './store.ts'

/** Only the beginning of longer texts is compared. */
const MAX_COMPARED_LENGTH = 200

/** Records whose text has all words of the query; the text with the fewest other words comes first. */
export function searchTexts(store: Store, field: Field, { text, life, offset, limit }: TextQuery): Page {
  const words = [...new Set(tokenize(text))]
  if (words.length === 0) return { hits: [], total: 0, isLowerBound: false }
  const found = store.byText(field, words, { life }, offset, limit)
  return pageOf(store, found, (record) => textHit(record, words, tokenize(text).join(' '), record[field]))
}

function textHit(record: TrademarkRecord, words: readonly string[], query: string, text: string): Hit {
  const tokens = tokenize(text)
  const normalized = tokens.join(' ')
  const score = words.length / Math.max(1, new Set(tokens).size)
  const details: MatchDetails = {
    ...NO_DETAILS,
    exactMatch: normalized === query,
    fuzzyDistance: editDistance(query.slice(0, MAX_COMPARED_LENGTH), normalized.slice(0, MAX_COMPARED_LENGTH)),
    stringSimilarity: score,
    prefixMatch: normalized.startsWith(query),
    indexScore: score,
    reasons: [normalized === query ? 'the whole text is the same' : 'all words are in the text'],
  }
  return { record, score, details }
}

/** Live marks whose term ends in these days, soonest first. */
export function searchExpiring(store: Store, { from, to, offset, limit }: ExpiryQuery): Page {
  return pageOf(store, store.byExpiry(from, to, offset, limit), (record) => ({
    record,
    score: 1,
    details: { ...NO_DETAILS, reasons: ['its term ends in these days'] },
  }))
}

const NO_DETAILS: MatchDetails = {
  exactMatch: false,
  phoneticMatch: false,
  fuzzyDistance: 0,
  stringSimilarity: 0,
  prefixMatch: false,
  phoneticCodes: '',
  matchedCodes: '',
  indexScore: 0,
  reasons: [],
}

const pageOf = (store: Store, { numbers, total }: RecordPage, hitOf: (record: TrademarkRecord) => Hit): Page => ({
  hits: numbers.map((number) => hitOf(store.record(number))),
  total,
  isLowerBound: total > MAX_REACHABLE_RESULTS,
})
