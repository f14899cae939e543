import { monthOf, ZONES } from './months.ts'

/** Whether day or month comes first in `03/04/2005`. */
export type DateOrder = 'day first' | 'month first'

type Day = { readonly year: number; readonly month: number; readonly day: number; readonly rest: string }

const MAX_DATE_LENGTH = 80

/** Parses a date to ISO 8601 in UTC; undefined if there is no date. Without a time zone, UTC is assumed. */
export function parseDate(value: string, order: DateOrder = 'day first'): string | undefined {
  const text = value.slice(0, MAX_DATE_LENGTH)
  const found = readDay(text, order)
  if (!found) return undefined
  const { hours, minutes, milliseconds, rest } = readTime(found.rest)
  const moment =
    Date.UTC(found.year, found.month - 1, found.day, hours, minutes, 0, milliseconds) - readZone(rest) * 3_600_000
  const date = new Date(moment)
  // Reject days that do not exist, such as 31 February.
  const isReal = found.day <= new Date(Date.UTC(found.year, found.month, 0)).getUTCDate() && found.day > 0
  return isReal ? date.toISOString().replace('.000Z', 'Z') : undefined
}

function readDay(text: string, order: DateOrder): Day | undefined {
  return yearFirst(text) ?? compact(text) ?? named(text) ?? yearLast(text, order) ?? yearOnly(text)
}

/** `2005-04-03`, `2005/4/3`, `2005. 04. 03.`, `2005-Apr-03`, `2005年4月3日`. */
function yearFirst(text: string): Day | undefined {
  const match =
    /(?<![\d.])((?:19|20|29|99)\d\d)(?:[-/.]\s?|年)(\d{1,2}|[a-z]{3,9})(?:[-/.]\s?|月)(\d{1,2})(?!\d)/i.exec(text)
  if (!match) return undefined
  return day(Number(match[1]), match[2]!, Number(match[3]), text.slice(match.index + match[0].length))
}

/** `20050403`, as in RPSL registries, also after an email address (`changed: x@y 20050403`). */
function compact(text: string): Day | undefined {
  const match = /(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(\d{6})?(?!\d)/.exec(text)
  if (!match) return undefined
  const time = match[4] === undefined ? '' : ` ${match[4].slice(0, 2)}:${match[4].slice(2, 4)}:${match[4].slice(4)}`
  return day(Number(match[1]), match[2]!, Number(match[3]), time + text.slice(match.index + match[0].length))
}

/** With a month name, before or after the day: `3-Apr-2005`, `3rd of April 2005`, `Sun Apr 3 10:00:00 GMT 2005`, `before Aug-1996`. */
function named(text: string): Day | undefined {
  for (const { 0: word, index } of text.matchAll(/\p{L}{3,12}/gu)) {
    const month = monthOf(word)
    if (month === undefined) continue
    const before = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s./-]{0,3}(?:of |de )?$/i.exec(text.slice(0, index))
    const after = text.slice(index + word.length)
    const year = /(?<!\d)((?:19|20)\d\d)(?!\d)/.exec(after)
    if (!year) {
      const short = before ? /^[\s./-](\d\d)(?!\d)/.exec(after) : null
      if (!short) continue
      return day(century(Number(short[1])), String(month), Number(before![1]), after.slice(short[0].length))
    }
    const between = after.slice(0, year.index)
    const rest = between + after.slice(year.index + 4)
    if (before) return day(Number(year[1]), String(month), Number(before[1]), rest)
    const follows = /^[\s./-]{1,3}(\d{1,2})(?:st|nd|rd|th)?(?![\d:])/.exec(between)
    const dayOfMonth = follows ? Number(follows[1]) : 1
    return day(Number(year[1]), String(month), dayOfMonth, rest.slice(follows?.[0].length ?? 0))
  }
  return undefined
}

/** `03.04.2005`, `3/4/2005`, `03-04-2005`, `03.04.05`. */
function yearLast(text: string, order: DateOrder): Day | undefined {
  const match = /(?<![\d.:])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?((?:19|20)\d\d|\d\d(?!\d|:|\.\d))(?!\d)/.exec(text)
  if (!match) return undefined
  const first = Number(match[1])
  const second = Number(match[3])
  const isMonthFirst = second > 12 || (order === 'month first' && first <= 12)
  const year = match[4]!.length === 4 ? Number(match[4]) : century(Number(match[4]))
  const rest = text.slice(match.index + match[0].length)
  return isMonthFirst ? day(year, match[1]!, second, rest) : day(year, match[3]!, first, rest)
}

/** `before 1996` */
function yearOnly(text: string): Day | undefined {
  const match = /^(?:before|prior to|vor|avant)\s+((?:19|20)\d\d)\b/i.exec(text.trim())
  return match ? day(Number(match[1]), '1', 1, '') : undefined
}

const century = (year: number): number => (year < 70 ? 2000 + year : 1900 + year)

function day(year: number, monthWord: string, dayOfMonth: number, rest: string): Day | undefined {
  const month = /^\d+$/.test(monthWord) ? Number(monthWord) : monthOf(monthWord)
  if (month === undefined || month < 1 || month > 12 || dayOfMonth > 31 || year < 1970 || year > 9999) return undefined
  return { year, month, day: dayOfMonth, rest }
}

function readTime(text: string): { hours: number; minutes: number; milliseconds: number; rest: string } {
  const match = /(?<![\d+-])(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*([ap]m)?/i.exec(text)
  if (!match) return { hours: 0, minutes: 0, milliseconds: 0, rest: text }
  const [whole, hour, minute, second = '0', fraction = '', half = ''] = match
  const past = Number(hour) % 24
  const hours = half === '' ? past : (past % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const milliseconds = Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { hours, minutes: Number(minute) % 60, milliseconds, rest: text.slice(match.index + whole.length) }
}

/** Hours to take off: `+02:00`, `+0200`, `+02`, `(UTC+8)`, `GMT+1`, `MSK`, `CLST`. */
function readZone(text: string): number {
  const offset = /(?:^|\s|\(|utc|gmt)\s*([+-])(\d{1,2}):?(\d\d)?(?!\d)/i.exec(text)
  if (offset) {
    const hours = Number(offset[2]) + Number(offset[3] ?? '0') / 60
    return hours > 14 ? 0 : offset[1] === '-' ? -hours : hours
  }
  for (const [word] of text.matchAll(/[a-z]{1,4}/gi)) {
    const hours = ZONES.get(word.toLowerCase())
    if (hours !== undefined) return hours
  }
  return 0
}
