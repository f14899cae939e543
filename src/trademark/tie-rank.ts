import type { Day, TrademarkRecord } from './record.ts'
import { isLive } from './statuses.ts'

const DAY_BITS = 18
const LAST_DAY = 2 ** DAY_BITS - 1
const FIRST_YEAR = 1800
/** Serial numbers have eight digits. */
const SERIAL_BITS = 27

export const MAX_TIE_RANK = 2 * 2 ** DAY_BITS - 1

/**
 * Orders records with the same score; the lower rank comes first. Live records come before all others, then the newest
 * application; a record without a filing date is the oldest. Records with equal ranks are ordered by serial number.
 */
export const tieRankOf = ({ status, filingDate }: Pick<TrademarkRecord, 'status' | 'filingDate'>): number =>
  (isLive(status) ? 0 : 2 ** DAY_BITS) + LAST_DAY - (filingDate === null ? 0 : dayNumberOf(filingDate))

/** Rank and serial number as one sort key. */
export const tieKeyOf = (rank: number, serial: number): number => rank * 2 ** SERIAL_BITS + serial

/** A number that rises with the day; every month counts as 31 days. */
function dayNumberOf(day: Day): number {
  const months = (Math.floor(day / 10_000) - FIRST_YEAR) * 12 + (Math.floor(day / 100) % 100)
  return Math.min(LAST_DAY, Math.max(1, months * 31 + (day % 100)))
}
