import type { Life } from '../../../search-index.ts'
import type { Field, RecordPage, Store } from '../../search/store.ts'
import { openExpiryIndex } from '../expiry/expiry-index.ts'
import type { SegmentReader } from '../segment.ts'
import { createMemory } from './memory.ts'
import { chunkCount, pinnedBytes, openTextIndex } from './text-index.ts'

/** Size of each thread's cache of posting lists. */
const CACHE_BYTES = 32 << 20

export type TextStore = {
  /** Texts cannot be filtered by class. */
  byText(
    field: Field,
    words: readonly string[],
    filter: { readonly life: Life },
    offset: number,
    limit: number,
  ): RecordPage
  byExpiry: Store['byExpiry']
}

/** Texts and expiry of all segments as one. Record numbers are document numbers plus the segment's base. */
export function openTextStore(segments: readonly SegmentReader[], cacheBytes = CACHE_BYTES): TextStore {
  const pinned = segments.reduce((sum, segment) => sum + 2 * pinnedBytes(segment), 0)
  const memory = createMemory(Math.max(1, ...segments.map(chunkCount)), pinned, cacheBytes)
  const bases = baseNumbers(segments)
  const open = (field: Field) =>
    segments.map((segment, at) => ({ base: bases[at]!, text: openTextIndex(segment, field, memory) }))
  const fields = { goods: open('goods'), owner: open('owner') }

  return {
    byText(field, words, { life }, offset, limit) {
      if (words.length === 0) return { numbers: [], total: 0 }
      const texts = fields[field]
      if (texts.length === 1) {
        const { text, base } = texts[0]!
        const found = text.find(words, life)
        return {
          numbers: found.ordinals(offset, limit).map((ordinal) => base + text.number(ordinal)),
          total: found.total,
        }
      }
      // Each segment may fill the whole page, so each is asked for all results up to its end.
      const runs: Run[] = []
      let total = 0
      for (const { text, base } of texts) {
        const found = text.find(words, life)
        total += found.total
        const ordinals = found.ordinals(0, offset + limit)
        if (ordinals.length > 0) runs.push({ text, base, ordinals, sizes: text.sizesAt(ordinals), next: 0, tieKey: -1 })
      }
      return { numbers: mergeRuns(runs, offset, limit), total }
    },
    byExpiry: openExpiryIndex(segments, bases),
  }
}

export function baseNumbers(segments: readonly SegmentReader[]): number[] {
  let sum = 0
  return segments.map(({ documents }) => {
    const base = sum
    sum += documents
    return base
  })
}

type Run = {
  readonly text: ReturnType<typeof openTextIndex>
  readonly base: number
  readonly ordinals: readonly number[]
  readonly sizes: readonly number[]
  next: number
  /** Of the next result; -1 until it is needed. */
  tieKey: number
}

/** Merges sorted runs into one page: fewest words first, then by tie key. */
function mergeRuns(runs: readonly Run[], offset: number, limit: number): number[] {
  const numbers: number[] = []
  for (let at = 0; at < offset + limit; at++) {
    let first: Run | null = null
    for (const run of runs) if (run.next < run.ordinals.length && (first === null || isBefore(run, first))) first = run
    if (first === null) break
    if (at >= offset) numbers.push(first.base + first.text.number(first.ordinals[first.next]!))
    first.next++
    first.tieKey = -1
  }
  return numbers
}

function isBefore(one: Run, other: Run): boolean {
  const difference = one.sizes[one.next]! - other.sizes[other.next]!
  return difference < 0 || (difference === 0 && tieKeyOf(one) < tieKeyOf(other))
}

function tieKeyOf(run: Run): number {
  if (run.tieKey < 0) run.tieKey = run.text.tieKey(run.ordinals[run.next]!)
  return run.tieKey
}
