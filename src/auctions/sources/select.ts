import type { SortKey } from '../listing-index.ts'
import type { Columns } from './columns.ts'

/** Filters as column values. Bounds are inclusive, except `after`. */
export type Filter = {
  readonly after: number
  readonly endsBy: number
  readonly minPrice: number
  readonly maxPrice: number
  readonly minBids: number
  readonly minQuality: number
  /** 1 at the id of every accepted source; null accepts all. */
  readonly sources: Uint8Array | null
  /** 1 at the id of every accepted TLD; null accepts all. */
  readonly tlds: Uint8Array | null
}

export type PageRequest = {
  readonly sort: SortKey
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

const RADIX = 0x1_0000
const MAX_UINT32 = 0xffff_ffff
/** Columns whose values fit into one 16-bit digit. */
const ONE_DIGIT_COLUMNS: ReadonlySet<SortKey> = new Set(['bids', 'quality'])

/**
 * The number of matches, and the positions of one page of them. Equal keys are ordered by id in both directions. Only the
 * page is sorted: counting the 16-bit digits of the keys (as in radix sort) finds its bounds. `positions` restricts the
 * search to these positions; `buffer` is a buffer at least as long.
 */
export function select(
  columns: Columns,
  filter: Filter,
  request: PageRequest,
  buffer: Uint32Array,
  positions?: Uint32Array,
) {
  const column = columns[request.sort]
  const shift = ONE_DIGIT_COLUMNS.has(request.sort) ? 0 : 16
  // Inverting the keys reverses the order, while the positions of equal keys still ascend.
  const flip = request.descending ? (shift === 16 ? 0xffff_ffff : 0xffff) : 0
  const total = matching(columns, filter, buffer, positions)
  const end = Math.min(request.offset + request.limit, total)
  if (request.offset >= end) return { total, page: [] }
  const high = countDigits(column, flip, shift, buffer.subarray(0, total))
  const first = rankIn(high, request.offset)
  const last = rankIn(high, end - 1)
  if (shift === 0) {
    const found = buffer.subarray(0, total)
    return { total, page: between(column, flip, found, bound(first), bound(last), request.offset, end) }
  }
  const lowOfFirst = new Uint32Array(RADIX)
  const lowOfLast = first.digit === last.digit ? lowOfFirst : new Uint32Array(RADIX)
  let count = 0
  for (let at = 0; at < total; at++) {
    const position = buffer[at]!
    const key = (column[position]! ^ flip) >>> 0
    const digit = key >>> 16
    if (digit < first.digit || digit > last.digit) continue
    if (digit === first.digit) lowOfFirst[key & 0xffff]! += 1
    else if (digit === last.digit) lowOfLast[key & 0xffff]! += 1
    // Compact in position: entries already read are not needed any more.
    buffer[count++] = position
  }
  const low = bound(first, rankIn(lowOfFirst, request.offset - first.below))
  const top = bound(last, rankIn(lowOfLast, end - 1 - last.below))
  return { total, page: between(column, flip, buffer.subarray(0, count), low, top, request.offset, end) }
}

/**
 * Writes the matching positions into `buffer`, in order, and returns their number. Filters column by column: most filters
 * are usually absent, and a loop over one column is several times faster than one over all.
 */
function matching({ size, ...columns }: Columns, filter: Filter, buffer: Uint32Array, positions?: Uint32Array): number {
  const { after, endsBy, minPrice, maxPrice, minBids, minQuality, sources, tlds } = filter
  let count = positions ? positions.length : size
  if (positions) {
    buffer.set(positions)
    count = keepBetween(columns.ends, after + 1, endsBy, buffer, count)
  } else count = findBetween(columns.ends, after + 1, endsBy, buffer, count)
  if (minBids > 0) count = keepBetween(columns.bids, minBids, MAX_UINT32, buffer, count)
  if (minQuality > 0) count = keepBetween(columns.quality, minQuality, MAX_UINT32, buffer, count)
  if (tlds) count = keepAccepted(columns.tld, tlds, buffer, count)
  if (minPrice > 0 || maxPrice < MAX_UINT32) count = keepBetween(columns.price, minPrice, maxPrice, buffer, count)
  return sources === null ? count : keepAccepted(columns.source, sources, buffer, count)
}

function findBetween(column: Uint32Array, from: number, to: number, buffer: Uint32Array, size: number): number {
  let count = 0
  for (let position = 0; position < size; position++) {
    const value = column[position]!
    if (value >= from && value <= to) buffer[count++] = position
  }
  return count
}

function keepBetween(column: Uint32Array, from: number, to: number, buffer: Uint32Array, count: number): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const position = buffer[at]!
    const value = column[position]!
    if (value >= from && value <= to) buffer[kept++] = position
  }
  return kept
}

function keepAccepted(column: Uint32Array, accepted: Uint8Array, buffer: Uint32Array, count: number): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const position = buffer[at]!
    if (accepted[column[position]!] === 1) buffer[kept++] = position
  }
  return kept
}

/** Histogram of the keys' first digit. */
function countDigits(column: Uint32Array, flip: number, shift: number, found: Uint32Array): Uint32Array {
  const counts = new Uint32Array(RADIX)
  for (let at = 0; at < found.length; at++) counts[((column[found[at]!]! ^ flip) >>> shift) & 0xffff]! += 1
  return counts
}

type Rank = { readonly digit: number; readonly below: number }

/** The digit of the key at this rank, and the number of keys with a smaller digit. */
function rankIn(counts: Uint32Array, rank: number): Rank {
  let below = 0
  let digit = 0
  while (below + counts[digit]! <= rank) below += counts[digit++]!
  return { digit, below }
}

type Bound = { readonly key: number; readonly below: number }

/** A key from its digits, and the number of smaller keys. */
const bound = (high: Rank, low?: Rank): Bound =>
  low ? { key: high.digit * RADIX + low.digit, below: high.below + low.below } : { key: high.digit, below: high.below }

/** The positions with ranks from `offset` up to `end`. `found` ascends, so equal keys are already in id order. */
function between(
  column: Uint32Array,
  flip: number,
  found: Uint32Array,
  first: Bound,
  last: Bound,
  offset: number,
  end: number,
): number[] {
  let skip = offset - first.below
  let take = end - last.below - (first.key === last.key ? skip : 0)
  const page: { key: number; position: number }[] = []
  for (let at = 0; at < found.length; at++) {
    const position = found[at]!
    const key = (column[position]! ^ flip) >>> 0
    if (key < first.key || key > last.key) continue
    if (key === first.key && skip > 0) {
      skip--
      continue
    }
    if (key === last.key && take-- <= 0) continue
    page.push({ key, position })
  }
  return page.toSorted((a, b) => a.key - b.key || a.position - b.position).map(({ position }) => position)
}
