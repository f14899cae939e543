import { CHUNK_SIZE, createKernel, BITMAP_BYTES, type Kernel } from '../../wasm/kernel.ts'

/**
 * Allocation of the kernel's memory: work space first, then pinned allocations, then a ring buffer that caches posting lists
 * read from disk, where the oldest are evicted.
 */
export type Memory = {
  readonly kernel: Kernel
  /** Address of scratch space for one bitmap. */
  readonly bitmap: number
  /** Address of scratch space for the largest array. */
  readonly array: number
  /** Address of the result set: a bitmap for each chunk of the largest segment. */
  readonly result: number
  /** Allocates for the lifetime of the memory. */
  pin(bytes: number): number
  /** Allocates in the ring. Any later call may evict it, and then calls `onEvict`. */
  allocate(bytes: number, onEvict: () => void): number
}

type Allocation = { readonly begin: number; readonly onEvict: () => void }

/** `pinnedBytes` is the sum of all `pin` calls to come. The ring has `ringBytes`, or more if the largest list needs it. */
export function createMemory(chunks: number, pinnedBytes: number, ringBytes: number): Memory {
  const result = BITMAP_BYTES + CHUNK_SIZE * 2
  const pinnedBegin = result + chunks * BITMAP_BYTES
  const ringBegin = pinnedBegin + pinnedBytes
  const largestList = 4 + chunks * (4 + BITMAP_BYTES)
  const ringEnd = ringBegin + Math.max(ringBytes, 2 * largestList)
  const kernel = createKernel(ringEnd)
  let pinnedEnd = pinnedBegin
  // Oldest first. The oldest allocations lie ahead of `next`.
  let allocations: Allocation[] = []
  let oldest = 0
  let next = ringBegin

  /** Evicts allocations that start in this range; as the ring is filled in order, they are the oldest. */
  function evict(begin: number, end: number): void {
    while (oldest < allocations.length && allocations[oldest]!.begin >= begin && allocations[oldest]!.begin < end)
      allocations[oldest++]!.onEvict()
    if (oldest > 1024) {
      allocations = allocations.slice(oldest)
      oldest = 0
    }
  }

  return {
    kernel,
    bitmap: 0,
    array: BITMAP_BYTES,
    result,
    pin(bytes) {
      const begin = pinnedEnd
      pinnedEnd += bytes
      if (pinnedEnd > ringBegin) throw new RangeError('More memory is pinned than was announced.')
      return begin
    },
    allocate(bytes, onEvict) {
      if (bytes > ringEnd - ringBegin) throw new RangeError('A posting list is larger than its segment allows.')
      if (next + bytes > ringEnd) {
        evict(next, ringEnd)
        next = ringBegin
      }
      const begin = next
      next += bytes
      evict(begin, next)
      allocations.push({ begin, onEvict })
      return begin
    },
  }
}
