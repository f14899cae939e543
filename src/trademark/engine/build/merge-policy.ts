import type { SegmentEntry } from '../manifest.ts'
import { liveDocuments } from './publish.ts'

/** Each small segment adds about a sixth to the time of a search; more than these cost more than to merge them. */
const MAX_SMALL_SEGMENTS = 4
/** The part of the register that may be superseded or outside the largest segment. */
const MAX_LOOSE_SHARE = 0.2

/**
 * Which segments to make one of next; none where all is well. The small ones are merged among themselves, like with like,
 * so that a record is written again only now and then; the largest takes part when it has become too much of a ruin.
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
  // What is larger than all that is smaller together is left as it is.
  for (let sum = small[0]!.documents; count < small.length && small[count]!.documents <= sum; count++)
    sum += small[count]!.documents
  return small.slice(0, Math.max(2, count))
}
