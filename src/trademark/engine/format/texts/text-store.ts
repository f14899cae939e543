import type { Life } from '../../../search-index.ts'
import type { Field, Found, Store } from '../../search/store.ts'
import { openExpiryIndex } from '../expiry/expiry-index.ts'
import type { SegmentReader } from '../segment.ts'
import { createMemory } from './memory.ts'
import { chunkCount, pinnedBytes, openTextIndex } from './text-index.ts'

/** What one thread keeps of the lists it has read. */
const LISTS = 32 << 20

export type TextStore = {
  /** Nobody asks for texts of one class: a filter has nothing but the life. */
  byText(field: Field, words: readonly string[], filter: { readonly life: Life }, offset: number, limit: number): Found
  byExpiry: Store['byExpiry']
}

/**
 * The texts and terms of all segments as if they were one. A record's number is that within its segment, after those of
 * the segments before it.
 */
export function openTextStore(segments: readonly SegmentReader[], lists = LISTS): TextStore {
  const kept = segments.reduce((sum, segment) => sum + 2 * pinnedBytes(segment), 0)
  const memory = createMemory(Math.max(1, ...segments.map(chunkCount)), kept, lists)
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
        return { numbers: found.places(offset, limit).map((place) => base + text.number(place)), total: found.total }
      }
      // Each is asked for all that may be on the page or before it: nobody knows yet how they mingle.
      const runs: Run[] = []
      let total = 0
      for (const { text, base } of texts) {
        const found = text.find(words, life)
        total += found.total
        const places = found.places(0, offset + limit)
        if (places.length > 0) runs.push({ text, base, places, sizes: text.sizesAt(places), next: 0, tieKey: -1 })
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
  readonly places: readonly number[]
  readonly sizes: readonly number[]
  next: number
  /** Of the next one; -1 until it is needed. */
  tieKey: number
}

/** The page out of runs that each are in order: fewest words first, then by tie key. */
function mergeRuns(runs: readonly Run[], offset: number, limit: number): number[] {
  const numbers: number[] = []
  for (let at = 0; at < offset + limit; at++) {
    let first: Run | null = null
    for (const run of runs) if (run.next < run.places.length && (first === null || isBefore(run, first))) first = run
    if (first === null) break
    if (at >= offset) numbers.push(first.base + first.text.number(first.places[first.next]!))
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
  if (run.tieKey < 0) run.tieKey = run.text.tieKey(run.places[run.next]!)
  return run.tieKey
}
