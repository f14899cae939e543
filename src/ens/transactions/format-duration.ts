const DAY_SECONDS = 86_400n
const YEAR_SECONDS = 365n * DAY_SECONDS

/** "2 years (63072000 seconds)": in the largest unit that divides it, and in seconds. */
export function formatDuration(seconds: bigint): string {
  const exact = pluralize(seconds, 'second')
  if (seconds === 0n) return exact
  if (seconds % YEAR_SECONDS === 0n) return `${pluralize(seconds / YEAR_SECONDS, 'year')} (${exact})`
  return seconds % DAY_SECONDS === 0n ? `${pluralize(seconds / DAY_SECONDS, 'day')} (${exact})` : exact
}

export const pluralize = (count: bigint | number, noun: string): string =>
  `${count} ${noun}${BigInt(count) === 1n ? '' : 's'}`
