const DAY = 86_400n
const YEAR = 365n * DAY

/** "2 years (63072000 seconds)": in the largest unit that it is a whole number of, and exactly. */
export function durationInWords(seconds: bigint): string {
  const exact = counted(seconds, 'second')
  if (seconds === 0n) return exact
  if (seconds % YEAR === 0n) return `${counted(seconds / YEAR, 'year')} (${exact})`
  return seconds % DAY === 0n ? `${counted(seconds / DAY, 'day')} (${exact})` : exact
}

export const counted = (count: bigint | number, thing: string): string =>
  `${count} ${thing}${BigInt(count) === 1n ? '' : 's'}`
