import { lowerBoundFrom } from '../set-operations.ts'
import type { Sections } from '../segment-file.ts'
import type { SegmentReader } from '../segment.ts'
import type { RecordValues } from './record-values.ts'

/** Each class is a sorted list of ordinals or a bitmap, whichever is shorter. */
export function encodeClasses(names: readonly string[], order: Uint32Array, lists: RecordValues): Sections {
  const bits = Math.ceil(order.length / 32)
  const counts = new Uint32Array(names.length)
  const each = lists.emit(order)
  each((one) => void counts[one]!++)
  const ends = new Uint32Array(names.length)
  const next = new Uint32Array(names.length)
  let end = 0
  for (let one = 0; one < names.length; one++) {
    next[one] = end
    ends[one] = end += Math.min(bits, counts[one]!)
  }
  const sets = new Uint32Array(end)
  each((one, ordinal) => {
    if (counts[one]! < bits) sets[next[one]!++] = ordinal
    else sets[next[one]! + (ordinal >>> 5)]! |= 1 << (ordinal & 31)
  })
  return { 'classes.names': Buffer.from(JSON.stringify(names)), 'classes.ends': ends, 'classes.sets': sets }
}

export type OrdinalFilter = (ordinal: number) => boolean

/** A filter for one class; null if no mark of the segment is in it. */
export function openClasses(segment: SegmentReader, ordinals: number): (name: string) => OrdinalFilter | null {
  const names = JSON.parse(Buffer.from(segment.bytes('classes.names')).toString()) as string[]
  const ends = segment.numbers('classes.ends')
  const sets = segment.numbers('classes.sets')
  const known = new Map(names.map((name, one) => [name, sets.subarray(one === 0 ? 0 : ends[one - 1]!, ends[one])]))
  const bits = Math.ceil(ordinals / 32)
  return (name) => {
    const set = known.get(name)
    if (!set || set.length === 0) return null
    if (set.length === bits) return (ordinal) => (set[ordinal >>> 5]! & (1 << (ordinal & 31))) !== 0
    return (ordinal) => set[lowerBoundFrom(set, ordinal, 0)] === ordinal
  }
}
