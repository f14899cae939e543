import { floorOf } from './liquidity.ts'

const ENDS = ['low', 'mid', 'high'] as const
/** Log prices. */
type Band = Record<(typeof ENDS)[number], number>

/** Log of the share of the value that remains at most with each hyphen. */
const HYPHEN_LOG_FACTOR = Math.log(2 / 3)

/**
 * Caps the value of a name with hyphens at the value of the same name without them and at the value of its best part, both
 * reduced for each hyphen. Adjacent parts may be joined (`a-b-c` as `ab` and `c`, or as `a` and `bc`), and the lowest cap of
 * all combinations holds, so that an additional hyphen cannot raise the value by creating a better part. `valueOf` may
 * return the same object each time.
 */
export function capByParts(label: string, into: Band, valueOf: (joined: string) => Readonly<Band>): void {
  const parts = label.split('-').filter((part) => part !== '')
  const discount = (label.length - parts.join('').length) * HYPHEN_LOG_FACTOR
  const cap = (band: Band) => {
    for (const end of ENDS) into[end] = Math.min(into[end], Math.max(floorOf(end), band[end] + discount))
  }
  /** Whether a cap at this value changes nothing; then no combination with this part needs to be tried. */
  const isHighEnough = (band: Band) => ENDS.every((end) => band[end] + discount >= into[end])
  /** Tries all ways to join the parts from here on; `best` is the best part before them. */
  const tryFrom = (from: number, best: Band) => {
    for (let to = parts.length; to > from; to--) {
      const { low, mid, high } = valueOf(parts.slice(from, to).join(''))
      const better = { low: Math.max(best.low, low), mid: Math.max(best.mid, mid), high: Math.max(best.high, high) }
      if (to === parts.length) cap(better)
      else if (!isHighEnough(better)) tryFrom(to, better)
    }
  }
  tryFrom(0, { low: -Infinity, mid: -Infinity, high: -Infinity })
}
