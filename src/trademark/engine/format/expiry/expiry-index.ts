import type { Store } from '../../search/store.ts'
import { type Blocks, blockValueAt, openBlocks } from '../blocks.ts'
import type { SegmentReader } from '../segment.ts'

/** Serial numbers have eight digits. */
const MAX_SERIAL = 99_999_999

/** Terms that end in a range of days, over all segments: by day, then by serial number. */
export function openExpiryIndex(segments: readonly SegmentReader[], bases: readonly number[]): Store['byExpiry'] {
  const terms = segments.map((segment, at) => openTerms(segment, bases[at]!))
  /** How many terms end before this day. */
  const before = (day: number) => terms.reduce((sum, term) => sum + term.before(day), 0)
  return (from, to, offset, limit) => {
    const first = before(from)
    const total = Math.max(0, before(to + 1) - first)
    const begin = first + offset
    const end = first + Math.min(total, offset + limit)
    if (begin >= end) return { numbers: [], total }
    const [only, another] = terms
    if (another === undefined) return { numbers: only!.numbers(begin, end), total }
    // Find the day and serial number of the page's first term; they give its start in each segment.
    const day = lastWith(from, to, (day) => before(day) <= begin)
    const ofDay = terms.map((term) => term.on(day))
    const onDay = begin - before(day)
    const beforeSerial = (serial: number) => ofDay.reduce((sum, one) => sum + one.below(serial), 0)
    const serial = lastWith(0, MAX_SERIAL, (serial) => beforeSerial(serial) <= onDay)
    const runs: Run[] = terms.map((term, at) => ({ term, next: term.before(day) + ofDay[at]!.below(serial) }))
    const numbers: number[] = []
    for (let at = begin; at < end; at++) {
      let earliest: Run | null = null
      for (const run of runs) {
        if (run.next === run.term.count) continue
        if (earliest === null || isBefore(run, earliest)) earliest = run
      }
      numbers.push(earliest!.term.number(earliest!.next++))
    }
    return { numbers, total }
  }
}

type Run = { readonly term: ReturnType<typeof openTerms>; next: number }

function isBefore(one: Run, other: Run): boolean {
  const difference = one.term.day(one.next) - other.term.day(other.next)
  return difference < 0 || (difference === 0 && one.term.serial(one.next) < other.term.serial(other.next))
}

/** Binary search: the greatest value for which `holds` is true; it must be true for the first and monotonic. */
function lastWith(first: number, last: number, holds: (value: number) => boolean): number {
  let low = first
  let high = last
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The terms of one segment. Positions are counted without documents that have a tombstone. */
function openTerms(segment: SegmentReader, base: number) {
  const days = segment.numbers('expiry.days')
  const dayEnds = segment.numbers('expiry.day-ends')
  const order = openBlocks(segment.numbers('expiry.order'))
  const serials = openBlocks(segment.numbers('serials'))
  const serialAt = (at: number) => blockValueAt(serials, blockValueAt(order, at))
  const gone = deletedIn(segment, order)
  /** How many values of a sorted list are below `value`. */
  const below = (list: Uint32Array, value: number) => countWhile(list.length, (at) => list[at]! < value)
  /** The index in `order` of a position: later by the number of deleted terms before it. */
  const orderAt = (place: number) => place + countWhile(gone.length, (at) => gone[at]! - at <= place)
  const before = (day: number) => {
    const step = below(days, day)
    const all = step === 0 ? 0 : dayEnds[step - 1]!
    return all - below(gone, all)
  }
  return {
    count: order.length - gone.length,
    before,
    /** The terms that end on this day, to count those with a lower serial number. */
    on(day: number) {
      const step = below(days, day)
      const begin = step === 0 ? 0 : dayEnds[step - 1]!
      const length = days[step] === day ? dayEnds[step]! - begin : 0
      const goneBefore = below(gone, begin)
      return {
        below(serial: number): number {
          const all = countWhile(length, (at) => serialAt(begin + at) < serial)
          return gone.length === 0 ? all : all - (below(gone, begin + all) - goneBefore)
        },
      }
    },
    number: (place: number) => base + blockValueAt(order, orderAt(place)),
    numbers: (begin: number, end: number) =>
      Array.from({ length: end - begin }, (_, at) => base + blockValueAt(order, orderAt(begin + at))),
    day: (place: number) => days[countWhile(dayEnds.length, (at) => dayEnds[at]! <= orderAt(place))]!,
    serial: (place: number) => serialAt(orderAt(place)),
  }
}

/** Indexes in `order` of documents with a tombstone. */
function deletedIn({ tombstones }: SegmentReader, order: Blocks): Uint32Array {
  if (tombstones === null) return new Uint32Array(0)
  const gone: number[] = []
  for (let place = 0; place < order.length; place++) {
    const number = blockValueAt(order, place)
    if (((tombstones[number >>> 3]! >>> (number & 7)) & 1) === 1) gone.push(place)
  }
  return Uint32Array.from(gone)
}

/** Binary search: how many of 0, 1, … pass `holds`, which must be monotonic. */
function countWhile(length: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
