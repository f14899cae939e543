const SHAPE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * A date of RFC 3339 as ISO 8601 in UTC, with fractions only if nonzero. Tolerates common mistakes: a
 * space for the T, no seconds, no zone (taken as UTC), no time at all. Undefined if it is not a date.
 */
export function isoDate(said: string): string | undefined {
  const [, day, time = '00:00', fraction = '', zone = 'Z'] = SHAPE.exec(said) ?? []
  if (day === undefined) return undefined
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z'
  const seconds = time.length === 5 ? `${time}:00` : time
  const instant = Date.parse(`${day}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`)
  // Date.parse moves February 30 into March; such a date is rejected.
  if (Number.isNaN(instant) || !isRealDay(day)) return undefined
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}

function isRealDay(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day)
}
