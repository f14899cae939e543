/** Grows as it is filled; a plain array of numbers would cost several times the memory. */
export function createNumbers() {
  let values = new Uint32Array(4)
  let length = 0
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Uint32Array(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    done: (): Uint32Array => values.slice(0, length),
  }
}

/** What is in all lists. Each is in rising order, and so is the result. */
export function intersect(lists: readonly Uint32Array[]): Uint32Array {
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length)
  let kept = shortest ?? new Uint32Array(0)
  for (const other of others) {
    const both = new Uint32Array(kept.length)
    let count = 0
    let from = 0
    for (const value of kept) {
      from = firstFrom(other, value, from)
      if (from === other.length) break
      if (other[from] === value) both[count++] = value
    }
    kept = both.subarray(0, count)
  }
  return kept
}

/** What is in any of the lists, once. */
export function unite(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let length = 0
  for (const list of lists) {
    all.set(list, length)
    length += list.length
  }
  all.sort()
  let count = 0
  for (let at = 0; at < all.length; at++) if (at === 0 || all[at] !== all[at - 1]) all[count++] = all[at]!
  return all.subarray(0, count)
}

/** The first place at or after `from` whose value is not below: in leaps, since it is mostly near. */
function firstFrom(list: Uint32Array, value: number, from: number): number {
  let leap = 1
  let low = from
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
