/** Parses a time of a feed into whole seconds since the epoch; undefined if invalid. */
export type ParseTimestamp = (value: unknown) => number | undefined

const DATE_TIME =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)? ?(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2}))?$/i

/**
 * Seconds or milliseconds since the epoch, or a date with or without time: `2026-11-20T16:00:00Z`, `2026/11/20 16:00 UTC`,
 * `2026-11-20 16:00+01:00`. A time without a zone is in `timeZone`. Other orders of day and month are ambiguous and rejected.
 */
export function timestampParser(timeZone: string): ParseTimestamp {
  const offsetAt = /^(UTC|GMT|Etc\/UTC)$/i.test(timeZone) ? () => 0 : zoneOffset(timeZone)
  return (value) => {
    if (typeof value === 'number') return fromEpoch(value)
    if (typeof value !== 'string') return undefined
    const text = value.trim()
    if (/^\d{9,13}$/.test(text)) return fromEpoch(Number(text))
    const match = DATE_TIME.exec(text)
    if (!match) return undefined
    const local = toSeconds([1, 2, 3, 4, 5, 6].map((at) => Number(match[at] ?? 0)))
    if (local === undefined) return undefined
    if (match[7]) return local
    if (match[8]) return local - (match[8] === '-' ? -1 : 1) * (Number(match[9]) * 3600 + Number(match[10]) * 60)
    // Near a clock change the first offset may be wrong: take the offset at the corrected time.
    return local - offsetAt(local - offsetAt(local))
  }
}

/** Hours that a zone named in a time is ahead of UTC. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  EDT: -4,
  EST: -5,
  CDT: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
}
const YEAR_DAY_MONTH = /^(\d{4})-(\d{2})-(\d{2})([A-Z]{3})(\d{2}):(\d{2}):(\d{2})\d{3}$/

/** The times of park.io: `2026-07-10EDT11:00:00000` is the 7th of October, 11:00, and 000 ms. */
export function parseYearDayMonth(value: unknown): number | undefined {
  const match = typeof value === 'string' ? YEAR_DAY_MONTH.exec(value.trim()) : null
  if (!match) return undefined
  const [, year, day, month, zone, hour, minute, second] = match
  const hours = ZONE_HOURS[zone!]
  const local = toSeconds([year, month, day, hour, minute, second].map(Number))
  return local === undefined || hours === undefined ? undefined : local - hours * 3600
}

/** Year, month, day, hour, minute, second as seconds since the epoch, without a zone; undefined if there is no such time. */
function toSeconds([year, month, day, hour, minute, second]: readonly number[]): number | undefined {
  const ms = Date.UTC(year!, month! - 1, day, hour, minute, second)
  const back = new Date(ms)
  // Date.UTC turns an invalid date such as 31 February into another day.
  const isValid = back.getUTCMonth() === month! - 1 && back.getUTCDate() === day
  return isValid && hour! <= 23 && minute! <= 59 && second! <= 59 ? ms / 1000 : undefined
}

const MAX_CACHED_OFFSETS = 50_000

/** Values from 1e11 are milliseconds: as seconds they would be after the year 5138. */
function fromEpoch(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 1e8) return undefined
  const seconds = value >= 1e11 ? value / 1000 : value
  return seconds < 1e11 ? Math.floor(seconds) : undefined
}

/** Seconds a zone is ahead of UTC. Cached by quarter hour, because Intl is slow and offsets change only at these. */
function zoneOffset(timeZone: string): (second: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const cache = new Map<number, number>()
  return (second) => {
    const quarter = Math.floor(second / 900)
    const cached = cache.get(quarter)
    if (cached !== undefined) return cached
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(quarter * 900_000)) parts[type] = Number(value)
    const { year, month, day, hour, minute, second: s } = parts
    const offset = Date.UTC(year!, month! - 1, day, hour, minute, s) / 1000 - quarter * 900
    if (cache.size > MAX_CACHED_OFFSETS) cache.clear()
    cache.set(quarter, offset)
    return offset
  }
}
