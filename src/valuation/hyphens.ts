import { floorOf } from './liquidity.ts'

const ENDS = ['low', 'mid', 'high'] as const
/** Log prices. */
type Band = Record<(typeof ENDS)[number], number>

/** What each hyphen leaves of the value of the same letters without it, at most (log). */
const EACH_HYPHEN = Math.log(2 / 3)

/**
 * Lowers the value of a name with hyphens to that of the same name without them, less for each, and to that of its best
 * part. Parts may stand together, `a-b-c` being `ab` and `c` or `a` and `bc`, and the least of these holds: so a hyphen
 * more cannot raise the value by making a better part. `valueOf` may write into the same place for every label.
 */
export function capByParts(label: string, into: Band, valueOf: (joined: string) => Readonly<Band>): void {
  const parts = label.split('-').filter((part) => part !== '')
  const discount = (label.length - parts.join('').length) * EACH_HYPHEN
  const cap = (band: Band) => {
    for (const end of ENDS) into[end] = Math.min(into[end], Math.max(floorOf(end), band[end] + discount))
  }
  /** Whether a cap of this value would change nothing; then nothing that holds this part needs to be looked at. */
  const isHighEnough = (band: Band) => ENDS.every((end) => band[end] + discount >= into[end])
  /** Every way to put the parts from here on together, each with the best part so far. */
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
