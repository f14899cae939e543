import type { Units } from './edit-distance.ts'
import { CONTAINMENT_WEIGHT } from './score-weights.ts'

/** Shorter strings are part of too many others by chance. */
const MIN_CONTAINED_LENGTH = 4

/**
 * How much of the longer string the shorter one covers if it is a substring, else 0. The lengths may be larger than the
 * units, which are cut off at a maximum.
 */
export function containmentOf(
  a: Units,
  aEnd: number,
  aLength: number,
  b: Units,
  bEnd: number,
  bLength: number,
): number {
  if (aEnd > bEnd) return containmentOf(b, bEnd, bLength, a, aEnd, aLength)
  if (aEnd < MIN_CONTAINED_LENGTH || !isSubstring(a, aEnd, b, bEnd)) return 0
  return CONTAINMENT_WEIGHT * Math.sqrt(aLength / bLength)
}

/** `containmentOf` for strings. */
export function textContainmentOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < MIN_CONTAINED_LENGTH || !long.includes(short)) return 0
  return CONTAINMENT_WEIGHT * Math.sqrt(short.length / long.length)
}

function isSubstring(short: Units, end: number, long: Units, longEnd: number): boolean {
  for (let from = 0; from + end <= longEnd; from++) {
    let at = 0
    while (at < end && short[at] === long[from + at]) at++
    if (at === end) return true
  }
  return false
}
