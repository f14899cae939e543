import type { Day, TrademarkRecord } from './record.ts'
import { isLive } from './statuses.ts'

/** From this day on a term is ten years; one that began before is twenty. */
const TEN_YEARS_SINCE: Day = 19891116

/** The day on which the latest term of a live registration ends; null if the record is dead or not registered. */
export function expiryOf(record: Pick<TrademarkRecord, 'status' | 'registrationDate' | 'renewalDate'>): Day | null {
  const begun = record.renewalDate ?? record.registrationDate
  if (begun === null || !isLive(record.status)) return null
  const end = begun + (begun < TEN_YEARS_SINCE ? 20 : 10) * 10_000
  // 29 February may not exist in the year of expiry.
  return end % 10_000 === 229 && !isLeap(Math.floor(end / 10_000)) ? end - 1 : end
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
