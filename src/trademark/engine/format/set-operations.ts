/**
 * Intersection of sorted lists and bitmaps: the first `max` numbers that are in all of them and pass `isWanted`, in
 * rising order. Bit 0 of a bitmap's first word is number 0.
 */
export function intersect(
  lists: readonly Uint32Array[],
  bitmaps: readonly Uint32Array[],
  isWanted: (value: number) => boolean,
  max: number,
): number[] {
  if (lists.length === 0) return intersectBitmaps(bitmaps, isWanted, max)
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length) as [Uint32Array, ...Uint32Array[]]
  const places = new Uint32Array(others.length)
  const found: number[] = []
  // Batch by batch, and small batches first: usually the first ones already give enough results.
  for (let from = 0, size = BATCH_SIZE / 32; from < shortest.length && found.length < max; from += size) {
    if (from > 0 && size < BATCH_SIZE) size *= 2
    const part = shortest.subarray(from, from + size)
    batch.set(part)
    let count = part.length
    for (const bitmap of bitmaps) count = retainInBitmap(count, bitmap)
    for (let which = 0; which < others.length; which++) {
      const other = others[which]!
      if (count > 0) places[which] = lowerBoundFrom(other, batch[0]!, places[which]!)
      count = retainInList(count, other, places[which]!)
    }
    for (let at = 0; at < count && found.length < max; at++) if (isWanted(batch[at]!)) found.push(batch[at]!)
  }
  return found
}

const BATCH_SIZE = 8192
/** Module-level scratch: an intersection never yields to another, and a search makes thousands of them. */
const batch = new Uint32Array(BATCH_SIZE)

/**
 * Keeps the numbers of `batch` that are in the bitmap; returns how many. Branch-free: every number is written, and the end
 * moves only on a hit.
 */
function retainInBitmap(count: number, bitmap: Uint32Array): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const value = batch[at]!
    batch[kept] = value
    kept += (bitmap[value >>> 5]! >>> (value & 31)) & 1
  }
  return kept
}

/** Keeps the numbers of `batch` that are in the list, searching from this position of it on. */
function retainInList(count: number, list: Uint32Array, place: number): number {
  let kept = 0
  for (let at = 0; at < count && place < list.length; at++) {
    const value = batch[at]!
    place = lowerBoundFrom(list, value, place)
    if (place < list.length && list[place] === value) batch[kept++] = value
  }
  return kept
}

function intersectBitmaps(
  bitmaps: readonly Uint32Array[],
  isWanted: (value: number) => boolean,
  max: number,
): number[] {
  const found: number[] = []
  const [first = new Uint32Array(0), ...others] = bitmaps
  for (let word = 0; word < first.length && found.length < max; word++) {
    let bits = first[word]!
    for (let which = 0; bits !== 0 && which < others.length; which++) bits &= others[which]![word]!
    for (; bits !== 0 && found.length < max; bits &= bits - 1) {
      const value = 32 * word + 31 - Math.clz32(bits & -bits)
      if (isWanted(value)) found.push(value)
    }
  }
  return found
}

/** Union of sorted lists: the two shortest at a time, so that long ones are read once. */
export function union(lists: readonly Uint32Array[]): Uint32Array {
  const remaining = lists.toSorted((a, b) => b.length - a.length)
  while (remaining.length > 1) {
    const united = unionTwo(remaining.pop()!, remaining.pop()!)
    let place = remaining.length
    while (place > 0 && remaining[place - 1]!.length < united.length) place--
    remaining.splice(place, 0, united)
  }
  return remaining[0] ?? new Uint32Array(0)
}

function unionTwo(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length)
  let count = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const one = a[i]!
    const two = b[j]!
    all[count++] = one < two ? one : two
    if (one <= two) i++
    if (two <= one) j++
  }
  while (i < a.length) all[count++] = a[i++]!
  while (j < b.length) all[count++] = b[j++]!
  return all.subarray(0, count)
}

/** Linear steps to try first: up to this many they are faster than galloping. */
const LINEAR_STEPS = 8

/** The first position from `from` on whose value is not below `value`. Galloping search: the answer is usually near. */
export function lowerBoundFrom(list: Uint32Array, value: number, from: number): number {
  const near = Math.min(list.length, from + LINEAR_STEPS)
  let low = from
  while (low < near && list[low]! < value) low++
  if (low < near || low === list.length) return low
  let leap = LINEAR_STEPS
  while (low + leap < list.length && list[low + leap]! < value) {
    low += leap
    leap *= 2
  }
  let high = Math.min(list.length, low + leap + 1)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
