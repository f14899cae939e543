import { calibratedEnd } from '../../src/valuation/estimate.ts'
import { drawn } from '../../src/valuation/liquidity.ts'
import type { Points, StoredMarket } from '../../src/valuation/model.ts'
import { round } from './numbers.ts'
import type { Sale } from './sales.ts'

/** The estimate for a sale that the trees were not trained on, in log prices. */
export type UnseenEstimate = {
  readonly sale: Sale
  readonly low: number
  readonly mid: number
  readonly high: number
  readonly believed: number
}

type Shifts = Pick<StoredMarket['calibration'], 'low' | 'middle' | 'high'>

/** Names are calibrated in groups of similar price. Limits as shares of all names, finer where prices differ more. */
const LEVELS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1]
/** From this level on the mid estimate is shifted, too. Below, it is moved towards retail on purpose. */
const TOP_LEVEL = 0.95
const BAND = { low: 0.2, high: 0.8 }
const MIN_LEVEL_SALES = 40

/** The shifts that make the right share of sales fall below each end of the band, at every level. */
export function bandShifts(unseen: readonly UnseenEstimate[]): Shifts {
  const levels = levelsOf(unseen)
  const middle = middleShifts(levels)
  const end = (which: 'low' | 'high'): Points => {
    const shiftOf = (members: readonly UnseenEstimate[]) =>
      bisect((shift) => {
        const alone = { low: [], high: [], middle, [which]: [[0, shift] as const] }
        const isBelow = ({ sale, mid, believed, ...ends }: UnseenEstimate) =>
          sale.logPrice < drawn(calibratedEnd(which, alone, mid, ends[which]), which, believed)
        return members.filter(isBelow).length / members.length < BAND[which]
      })
    return rising(levels, shiftOf)
  }
  return { low: end('low'), middle, high: end('high') }
}

type Level = { readonly from: number; readonly at: number; readonly members: readonly UnseenEstimate[] }

function levelsOf(unseen: readonly UnseenEstimate[]): Level[] {
  const byPrice = unseen.toSorted((a, b) => a.mid - b.mid)
  const cut = (share: number) => Math.floor(share * byPrice.length)
  return LEVELS.slice(1).flatMap((to, index) => {
    const from = LEVELS[index]!
    const members = byPrice.slice(cut(from), cut(to))
    return members.length < MIN_LEVEL_SALES
      ? []
      : [{ from, at: round(middleOf(members.map(({ mid }) => mid))), members }]
  })
}

/** Never negative, and never so that two names change their order. */
function middleShifts(levels: readonly Level[]): Points {
  const points: [number, number][] = []
  for (const { from, at, members } of levels) {
    const off = middleOf(members.map(({ sale, mid }) => sale.logPrice - mid))
    const [beforeAt, before] = points.at(-1) ?? [at, 0]
    const wanted = from < TOP_LEVEL ? 0 : Math.max(0, round(off))
    points.push([at, Math.max(wanted, before - (at - beforeAt))])
  }
  return points
}

/**
 * A shift per level that never decreases from one level to the next: levels where it would are merged (isotonic
 * regression). So the order of two names is kept at both ends of the band.
 */
function rising(levels: readonly Level[], shiftOf: (members: readonly UnseenEstimate[]) => number): Points {
  const runs: { readonly levels: readonly Level[]; readonly shift: number }[] = []
  for (const level of levels) {
    let run = { levels: [level], shift: shiftOf(level.members) }
    for (let before = runs.at(-1); before && before.shift > run.shift; before = runs.at(-1)) {
      runs.pop()
      const together = [...before.levels, ...run.levels]
      run = { levels: together, shift: shiftOf(together.flatMap(({ members }) => members)) }
    }
    runs.push(run)
  }
  return runs.flatMap(({ levels: ofRun, shift }) => ofRun.map(({ at }) => [at, shift] as const))
}

const middleOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** The shift from which on `isTooLow` is false. */
function bisect(isTooLow: (shift: number) => boolean): number {
  let low = -4
  let high = 4
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (isTooLow(middle)) low = middle
    else high = middle
  }
  return round((low + high) / 2)
}
