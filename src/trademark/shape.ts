/** Converts records to the shapes of the contract. */
import type * as z from 'zod'
import type { searchTrademarks } from './contract.ts'
import type { CaseStatus } from './record-system.ts'
import type { Day, TrademarkRecord } from './record.ts'
import type { Hit } from './search-index.ts'
import { isLive, statusOf } from './statuses.ts'

type Result = z.input<typeof searchTrademarks.output>['results'][number]

const NO_DATE = '0001-01-01T00:00:00Z'

export const DISCLAIMER =
  'Automated search of a copy of a public register, which may be incomplete or out of date. A mark that is not listed may exist, and a listed mark may not conflict with yours. This is not legal advice.'

/** One result. `current` comes from a record system: null if it failed, undefined if none is configured. */
export function toResult({ record, score, groupCount, details }: Hit, current?: CaseStatus | null): Result {
  return {
    serial_number: record.serial,
    mark_text: record.mark,
    status_code: record.status,
    filing_date: formatDate(record.filingDate),
    registration_date: formatDate(record.registrationDate),
    renewal_date: formatDate(record.renewalDate),
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
    ...(current === null
      ? { record_enriched: false }
      : { record_enriched: true, record_data: toRecordData(record, current) }),
  }
}

/** Data of the record system is more recent and wins over the imported files. */
function toRecordData(record: TrademarkRecord, current: CaseStatus | undefined): NonNullable<Result['record_data']> {
  const history = current?.history.length ? current.history : record.history
  const classes = current?.classes.length ? current.classes : record.classes
  const touched = formatDay(record.transactionDate)
  return {
    current_status: current?.status ?? statusOf(record.status).description,
    current_owner: current?.owner ?? record.owner,
    last_updated: current?.touched && current.touched > touched ? current.touched : touched,
    prosecution_history_summary: history.join('; '),
    attorney_of_record: current?.attorney ?? record.attorney,
    live_dead: (current?.isLive ?? isLive(record.status)) ? 'LIVE' : 'DEAD',
    record_url: `https://tsdr.uspto.gov/#caseNumber=${record.serial}&caseType=SERIAL_NO&searchType=statusSearch`,
    goods_services_classes: [...classes],
  }
}

/** `2026-01-15` for 20260115. */
const formatDay = (day: Day): string => {
  const digits = String(day).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

const formatDate = (day: Day | null): string => (day === null ? NO_DATE : `${formatDay(day)}T00:00:00Z`)
