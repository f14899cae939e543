/** From a record as we keep it to the shapes of the contract. */
import type { z } from 'zod'
import type { searchTrademarks } from './contract.ts'
import type { CaseStatus } from './enrichment.ts'
import type { Day, TrademarkRecord } from './record.ts'
import type { Hit } from './search-index.ts'
import { isLive, statusOf } from './statuses.ts'

type Result = z.input<typeof searchTrademarks.output>['results'][number]

const NO_DATE = '0001-01-01T00:00:00Z'

export const DISCLAIMER =
  'Found by machine in a copy of a public register that may be incomplete or out of date. A mark that is not found here may exist, and one that is may not stand in your way: this is no legal advice.'

/**
 * One result. `looked` is what a record system was found to say, null where it could not tell, undefined where nobody was
 * asked.
 */
export function resultOf({ record, score, groupCount, details }: Hit, looked?: CaseStatus | null): Result {
  return {
    serial_number: record.serial,
    mark_text: record.mark,
    status_code: record.status,
    filing_date: dateOf(record.filingDate),
    registration_date: dateOf(record.registrationDate),
    renewal_date: dateOf(record.renewalDate),
    owner_name: record.owner,
    goods_services: record.goods,
    class_numbers: [...record.classes],
    match_score: score,
    ...(groupCount !== undefined && { group_count: groupCount }),
    match_details: {
      exact_match: details.exactMatch,
      phonetic_match: details.phoneticMatch,
      fuzzy_distance: details.fuzzyDistance,
      string_similarity: details.stringSimilarity,
      prefix_match: details.prefixMatch,
      ...(details.phoneticCodes !== '' && { phonetic_codes: details.phoneticCodes }),
      ...(details.matchedCodes !== '' && { matched_codes: details.matchedCodes }),
      index_score: details.indexScore,
      reasons: [...details.reasons],
    },
    ...(looked === null
      ? { record_enriched: false }
      : { record_enriched: true, record_data: recordDataOf(record, looked) }),
  }
}

/** The register's own files say all of this; where somebody was asked who says it too, that is fresher. */
function recordDataOf(record: TrademarkRecord, looked: CaseStatus | undefined): NonNullable<Result['record_data']> {
  const history = looked?.history.length ? looked.history : record.history
  const classes = looked?.classes.length ? looked.classes : record.classes
  const touched = dayOf(record.transactionDate)
  return {
    current_status: looked?.status ?? statusOf(record.status).words,
    current_owner: looked?.owner ?? record.owner,
    last_updated: looked?.touched && looked.touched > touched ? looked.touched : touched,
    prosecution_history_summary: history.join('; '),
    attorney_of_record: looked?.attorney ?? record.attorney,
    live_dead: (looked?.isLive ?? isLive(record.status)) ? 'LIVE' : 'DEAD',
    record_url: `https://tsdr.uspto.gov/#caseNumber=${record.serial}&caseType=SERIAL_NO&searchType=statusSearch`,
    goods_services_classes: [...classes],
  }
}

/** `2026-01-15` for 20260115. */
const dayOf = (day: Day): string => {
  const digits = String(day).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

const dateOf = (day: Day | null): string => (day === null ? NO_DATE : `${dayOf(day)}T00:00:00Z`)
