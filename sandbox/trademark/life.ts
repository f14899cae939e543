import type { Day, TrademarkRecord } from '../../src/trademark/record.ts'
import type { Dice } from './dice.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365.25
/** Status codes of the Office. */
const PENDING = ['630', '638', '641', '661', '680', '688']
const LOST = ['602', '602', '606', '606', '604', '600']

/** Histories of a mark, the latest event first. */
const FILED = ['ASSIGNED TO EXAMINER', 'NEW APPLICATION ENTERED']
const ABANDONED = ['ABANDONMENT - NO RESPONSE', 'NON-FINAL ACTION WRITTEN', ...FILED]
const REGISTERED = [
  'REGISTERED-PRINCIPAL REGISTER',
  'PUBLISHED FOR OPPOSITION',
  'APPROVED FOR PUB - PRINCIPAL REGISTER',
  ...FILED,
]

type Life = Pick<
  TrademarkRecord,
  'status' | 'statusDate' | 'filingDate' | 'registrationDate' | 'renewalDate' | 'transactionDate' | 'history'
>

/** A filing date, recent ones more often; then registered, renewed, abandoned or refused, as the age of the mark allows. */
export function createLives(today: Day): (dice: Dice) => Life {
  const now = toDayNumber(today)
  // Registrations before this date last 20 years, later ones 10.
  const shorterTermSince = toDayNumber(19891116)
  const calendar = createCalendar(now)
  const term = (since: number) => (since < shorterTermSince ? 20 : 10) * YEAR_DAYS

  return (dice) => {
    const age = dice.chance(0.5) ? 13 * dice.fraction() ** 1.3 : 13 + 70 * dice.fraction() ** 2.5
    const filed = Math.floor(now - 1 - age * YEAR_DAYS)
    const isLost = dice.chance(0.37)
    const registered =
      age > 1.2 && !isLost ? Math.floor(filed + Math.min(age * 0.8, 0.9 + dice.fraction()) * YEAR_DAYS) : null
    let begin = registered ?? now
    let status = registered === null ? dice.pick(age < 1.2 ? PENDING : LOST) : '700'
    let renewed: number | null = null
    while (begin + term(begin) < now) {
      if (dice.chance(0.45)) {
        status = dice.chance(0.67) ? '710' : '900'
        break
      }
      begin = Math.floor(begin + term(begin))
      renewed = begin
      status = '800'
    }
    if (status === '700' && now - begin > 6.5 * YEAR_DAYS)
      status = dice.chance(0.35) ? '710' : dice.chance(0.5) ? '701' : '702'
    const touched = Math.min(now, Math.floor((registered === null ? filed : begin) + dice.fraction() * 2 * YEAR_DAYS))
    const eventual = registered ?? touched
    const journey = registered === null ? (age < 1.2 ? FILED : ABANDONED) : REGISTERED
    return {
      status,
      statusDate: calendar.day(touched),
      filingDate: calendar.day(filed),
      registrationDate: registered === null ? null : calendar.day(registered),
      renewalDate: renewed === null ? null : calendar.day(renewed),
      transactionDate: calendar.day(touched),
      history: journey.map(
        (step, at) =>
          `${calendar.dashed(Math.floor(eventual - ((eventual - filed) * at) / (journey.length - 1)))} ${step}`,
      ),
    }
  }
}

/** Formats day numbers since 1970 as the register writes them. Cached, because a register formats millions. */
function createCalendar(now: number) {
  const days: Day[] = []
  const dashes: string[] = []
  const ago = (number: number) => {
    const at = now - number
    if (days[at] === undefined) {
      dashes[at] = new Date(number * DAY_MS).toISOString().slice(0, 10)
      days[at] = Number(dashes[at].replaceAll('-', ''))
    }
    return at
  }
  return { day: (number: number): Day => days[ago(number)]!, dashed: (number: number) => dashes[ago(number)]! }
}

const toDayNumber = (day: Day) =>
  Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100) / DAY_MS
