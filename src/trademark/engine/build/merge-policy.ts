import type { SegmentEntry } from '../manifest.ts'
import { liveDocuments } from './publish.ts'

/** Each small segment adds about a sixth to search time; beyond this number merging costs less. */
const MAX_SMALL_SEGMENTS = 4
/** The share of the register that may be superseded or outside the largest segment. */
const MAX_LOOSE_SHARE = 0.2

/**
 * The segments to merge next; empty if nothing is to be gained. Small segments are merged with those of similar size, so that
 * a record is rewritten rarely. The largest takes part once too much of the register is superseded or outside of it.
 */
export function chooseMerge(segments: readonly SegmentEntry[]): readonly SegmentEntry[] {
  if (segments.length === 0) return []
  const rising = segments.toSorted((a, b) => a.documents - b.documents || (a.part.name < b.part.name ? -1 : 1))
  const largest = rising.at(-1)!
  const all = rising.reduce((sum, one) => sum + one.documents, 0)
  const loose = all - liveDocuments(largest)
  if (loose > all * MAX_LOOSE_SHARE) return rising
  const small = rising.slice(0, -1)
  if (small.length <= MAX_SMALL_SEGMENTS) return []
  let count = 1
  // Stop at a segment that is larger than all smaller ones together.
  for (let sum = small[0]!.documents; count < small.length && small[count]!.documents <= sum; count++)
    sum += small[count]!.documents
  return small.slice(0, Math.max(2, count))
}
