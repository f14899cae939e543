import { CONTEXT_FEATURES, writeContext, type SaleContext } from './context.ts'
import { createFeatures, FEATURE_NAMES, type Name, type Reader, type Sight } from './features.ts'
import { belief, drawn } from './liquidity.ts'
import { simplerNames } from './simpler.ts'
import type { MarketModel, Model } from './model.ts'

/** Log prices, in order, how sure they are and how much the name looks like one that sells. */
export type LogEstimate = { low: number; mid: number; high: number; confidence: number; liquidity: number }

export type Estimator = {
  /** With no context: the price of a sale of which nothing is known but the name. */
  estimate(name: Name, context: SaleContext | null, into: LogEstimate): Sight
  /** The features of the last name given to `estimate`. */
  readonly row: Float64Array
}

const NAME_FEATURES = FEATURE_NAMES.length
const CONTEXT_END = NAME_FEATURES + CONTEXT_FEATURES.length
/** The confidence trees also see what the price trees said: the middle and the width of the band. */
export const CONFIDENCE_FEATURES = 2
const ROW = CONTEXT_END + CONFIDENCE_FEATURES

export function createEstimator(model: Model, reader: Reader): Estimator {
  const row = new Float64Array(ROW)
  const capRow = new Float64Array(ROW)
  const features = {
    open: createFeatures(reader, model.open.effects),
    known: createFeatures(reader, model.known.effects),
  }
  const capped: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }

  const price = (name: Name, context: SaleContext | null, at: Float64Array, into: LogEstimate) => {
    const market = context === null ? model.open : model.known
    const sight = features[context === null ? 'open' : 'known'](name, at)
    if (context !== null) writeContext(context, market.venues, at, NAME_FEATURES)
    priceRow(market, model, at, context === null, into)
    return sight
  }

  return {
    row,
    estimate(name, context, into) {
      const market = context === null ? model.open : model.known
      const sight = price(name, context, row, into)
      const variants = simplerNames(sight, reader.look)
      for (const label of variants) {
        price({ label, tld: name.tld }, context, capRow, capped)
        into.low = Math.min(into.low, capped.low)
        into.mid = Math.min(into.mid, capped.mid)
        into.high = Math.min(into.high, capped.high)
      }
      into.confidence = confidenceOf(market, row, into, context === null ? belief(into.liquidity) : 1)
      // The reader was asked about other names in between.
      return variants.length === 0 ? sight : reader.look(name.label)
    },
  }
}

/** The trees of middle and ends are grown apart and may meet; the band is never narrower than this on either side. */
export const NARROWEST = Math.log(1.3)

function priceRow(market: MarketModel, model: Model, row: Float64Array, mayBeJunk: boolean, into: LogEstimate): void {
  const mid = market.price(row)
  const low = Math.min(mid - NARROWEST, market.low(row) + market.calibration.low)
  const high = Math.max(mid + NARROWEST, market.high(row) + market.calibration.high)
  into.liquidity = 1 / (1 + Math.exp(-model.liquidity(row)))
  // A sale that is known to have happened needs no belief.
  const believed = mayBeJunk ? belief(into.liquidity) : 1
  into.mid = drawn(mid, 'mid', believed)
  into.low = Math.min(into.mid, drawn(low, 'low', believed))
  into.high = Math.max(into.mid, drawn(high, 'high', believed))
}

/** Lines between the points of the calibration, flat beyond them; a name we do not believe in is not sure either. */
function confidenceOf(
  market: MarketModel,
  row: Float64Array,
  { low, mid, high }: LogEstimate,
  believed: number,
): number {
  writeSpread(row, mid, high - low)
  const said = 1 / (1 + Math.exp(-market.confidence(row)))
  return interpolate(market.calibration.confidence, said) * believed
}

export function writeSpread(row: Float64Array, mid: number, width: number): void {
  row[CONTEXT_END] = mid
  row[CONTEXT_END + 1] = width
}

function interpolate(points: readonly (readonly [number, number])[], at: number): number {
  const first = points[0]
  if (first === undefined) return at
  if (at <= first[0]) return first[1]
  for (let next = 1; next < points.length; next++) {
    const [x, y] = points[next]!
    const [beforeX, beforeY] = points[next - 1]!
    if (at <= x) return beforeY + ((y - beforeY) * (at - beforeX)) / (x - beforeX)
  }
  return points.at(-1)![1]
}
