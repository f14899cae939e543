/** From a record as we keep it to the shapes of the contract. */
import type { z } from 'zod'
import type { searchTrademarks } from './contract.ts'
import type { Day } from './record.ts'
import type { Hit } from './search-index.ts'
import { isLive, statusOf } from './statuses.ts'

type Result = z.input<typeof searchTrademarks.output>['results'][number]

const NO_DATE = '0001-01-01T00:00:00Z'

export const DISCLAIMER =
  'Found by machine in a copy of a public register that may be incomplete or out of date. A mark that is not found here may exist, and one that is may not stand in your way: this is no legal advice.'

export function resultOf({ record, score, details }: Hit): Result {
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
    // The register's own files say all of this: nobody has to be asked.
    record_enriched: true,
    record_data: {
      current_status: statusOf(record.status).words,
      current_owner: record.owner,
      last_updated: dayOf(record.transactionDate),
      prosecution_history_summary: record.history.join('; '),
      attorney_of_record: record.attorney,
      live_dead: isLive(record.status) ? 'LIVE' : 'DEAD',
      record_url: `https://tsdr.uspto.gov/#caseNumber=${record.serial}&caseType=SERIAL_NO&searchType=statusSearch`,
      goods_services_classes: [...record.classes],
    },
  }
}

/** `2026-01-15` for 20260115. */
const dayOf = (day: Day): string => {
  const digits = String(day).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

const dateOf = (day: Day | null): string => (day === null ? NO_DATE : `${dayOf(day)}T00:00:00Z`)
