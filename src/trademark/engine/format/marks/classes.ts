import { lowerBoundFrom } from '../set-operations.ts'
import type { Sections } from '../segment-file.ts'
import type { SegmentReader } from '../segment.ts'
import type { Lists } from './record-values.ts'

/** A class with few marks is a list of their places; with many it is a bit for each place, which is shorter then. */
export function packClasses(names: readonly string[], order: Uint32Array, lists: Lists): Sections {
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
  each((one, place) => {
    if (counts[one]! < bits) sets[next[one]!++] = place
    else sets[next[one]! + (place >>> 5)]! |= 1 << (place & 31)
  })
  return { 'classes.names': Buffer.from(JSON.stringify(names)), 'classes.ends': ends, 'classes.sets': sets }
}

export type OrdinalFilter = (place: number) => boolean

/** Whether a mark is in a class; null where no mark of the segment is. */
export function openClasses(segment: SegmentReader, places: number): (name: string) => OrdinalFilter | null {
  const names = JSON.parse(Buffer.from(segment.bytes('classes.names')).toString()) as string[]
  const ends = segment.numbers('classes.ends')
  const sets = segment.numbers('classes.sets')
  const known = new Map(names.map((name, one) => [name, sets.subarray(one === 0 ? 0 : ends[one - 1]!, ends[one])]))
  const bits = Math.ceil(places / 32)
  return (name) => {
    const set = known.get(name)
    if (!set || set.length === 0) return null
    if (set.length === bits) return (place) => (set[place >>> 5]! & (1 << (place & 31))) !== 0
    return (place) => set[lowerBoundFrom(set, place, 0)] === place
  }
}
