import { CHUNK_SIZE, createKernel, BITMAP_BYTES, type Kernel } from '../../wasm/kernel.ts'

/**
 * The kernel's memory and who may write where in it: work space at the beginning, then what stays, then lists that were
 * read from the disk, one after the other in a ring, where the oldest make room for the next.
 */
export type Memory = {
  readonly kernel: Kernel
  /** Room for one map. */
  readonly map: number
  /** Room for all numbers of a chunk as a list. */
  readonly list: number
  /** Room for a map for each chunk of the largest segment. */
  readonly result: number
  /** Room that stays. */
  keep(bytes: number): number
  /** Room in the ring. Once it is given to another, `leave` is called. All of it may be gone at the next `lend`. */
  lend(bytes: number, leave: () => void): number
}

type Lent = { readonly begin: number; readonly leave: () => void }

/** `kept` is all that will be asked of `keep`; the ring has the rest of `lists` bytes, or more where a list needs it. */
export function createMemory(chunks: number, kept: number, lists: number): Memory {
  const result = BITMAP_BYTES + CHUNK_SIZE * 2
  const keptBegin = result + chunks * BITMAP_BYTES
  const ringBegin = keptBegin + kept
  const largestList = 4 + chunks * (4 + BITMAP_BYTES)
  const ringEnd = ringBegin + Math.max(lists, 2 * largestList)
  const kernel = createKernel(ringEnd)
  let keptEnd = keptBegin
  // Oldest first. Between those ahead of `next`, which are the older ones, and those behind it lies the free room.
  let lent: Lent[] = []
  let oldest = 0
  let next = ringBegin

  /** Whoever begins in this room leaves: as they lie there one after the other, they are the oldest. */
  function clear(begin: number, end: number): void {
    while (oldest < lent.length && lent[oldest]!.begin >= begin && lent[oldest]!.begin < end) lent[oldest++]!.leave()
    if (oldest > 1024) {
      lent = lent.slice(oldest)
      oldest = 0
    }
  }

  return {
    kernel,
    map: 0,
    list: BITMAP_BYTES,
    result,
    keep(bytes) {
      const begin = keptEnd
      keptEnd += bytes
      if (keptEnd > ringBegin) throw new RangeError('More is to be kept than was said.')
      return begin
    },
    lend(bytes, leave) {
      if (bytes > ringEnd - ringBegin) throw new RangeError('A list is larger than its segment allows.')
      if (next + bytes > ringEnd) {
        clear(next, ringEnd)
        next = ringBegin
      }
      const begin = next
      next += bytes
      clear(begin, next)
      lent.push({ begin, leave })
      return begin
    },
  }
}
