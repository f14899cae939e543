import type { Day, TrademarkRecord } from './record.ts'
import { isLive } from './statuses.ts'

const DAY_BITS = 18
const LAST_DAY = 2 ** DAY_BITS - 1
const FIRST_YEAR = 1800
/** Serial numbers have eight digits. */
const SERIAL_BITS = 27

export const MAX_TIE_RANK = 2 * 2 ** DAY_BITS - 1

/**
 * The place of a record among those with the same score, but for its serial number: live ones before all others, then the
 * newest application first; one without a date is the oldest. Lower comes first.
 */
export const tieRankOf = ({ status, filingDate }: Pick<TrademarkRecord, 'status' | 'filingDate'>): number =>
  (isLive(status) ? 0 : 2 ** DAY_BITS) + LAST_DAY - (filingDate === null ? 0 : dayNumberOf(filingDate))

/** The whole order in one number: the rank, then the lower serial number. */
export const tieKeyOf = (rank: number, serial: number): number => rank * 2 ** SERIAL_BITS + serial

/** Rises with the day; as if every month had 31 days. */
function dayNumberOf(day: Day): number {
  const months = (Math.floor(day / 10_000) - FIRST_YEAR) * 12 + (Math.floor(day / 100) % 100)
  return Math.min(LAST_DAY, Math.max(1, months * 31 + (day % 100)))
}
