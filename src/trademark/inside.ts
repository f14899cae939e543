import type { Units } from './likeness.ts'

/** Less is inside too many by chance. */
const SHORTEST = 4

/** The letters of one inside the other: less, the more there is around them. */
export function insideOf(a: Units, aEnd: number, aLength: number, b: Units, bEnd: number, bLength: number): number {
  if (aEnd > bEnd) return insideOf(b, bEnd, bLength, a, aEnd, aLength)
  return aEnd >= SHORTEST && isWithin(a, aEnd, b, bEnd) ? 0.9 * Math.sqrt(aLength / bLength) : 0
}

export function insideOfText(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= SHORTEST && long.includes(short) ? 0.9 * Math.sqrt(short.length / long.length) : 0
}

function isWithin(short: Units, end: number, long: Units, longEnd: number): boolean {
  for (let from = 0; from + end <= longEnd; from++) {
    let at = 0
    while (at < end && short[at] === long[from + at]) at++
    if (at === end) return true
  }
  return false
}
