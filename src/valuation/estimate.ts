import { CONTEXT_FEATURES, writeContext, type SaleContext } from './context.ts'
import { FEATURE_NAMES } from './feature-names.ts'
import { createFeatures } from './features.ts'
import { isReadByWords, MAX_SHORT_NAME_LENGTH, type Name, type Reader, type Sight } from './sight.ts'
import { clarityByLetters, clarityOf } from './clarity.ts'
import { capByParts } from './hyphens.ts'
import { belief, drawn, floorOf, liquidityCap } from './liquidity.ts'
import { simplerNames } from './simpler.ts'
import { PRICES, type MarketModel, type Model, type Points, type StoredMarket } from './model.ts'

/** Log prices, low ≤ mid ≤ high, with confidence and liquidity as in `Appraisal`. */
export type LogEstimate = { low: number; mid: number; high: number; confidence: number; liquidity: number }

export type Estimator = {
  /** Writes the estimate into `into`. A null context is a sale about which nothing but the name is known. */
  estimate(name: Name, context: SaleContext | null, into: LogEstimate): Sight
  /** The features of the last name passed to `estimate`. */
  readonly row: Float64Array
}

const NAME_FEATURES = FEATURE_NAMES.length
const CONTEXT_END = NAME_FEATURES + CONTEXT_FEATURES.length
/** The confidence trees have two more features: the middle and the width of the estimated band. */
export const CONFIDENCE_FEATURES = 2
const ROW_LENGTH = CONTEXT_END + CONFIDENCE_FEATURES

export function createEstimator(model: Model, reader: Reader): Estimator {
  const row = new Float64Array(ROW_LENGTH)
  const partRow = new Float64Array(ROW_LENGTH)
  const otherRow = new Float64Array(ROW_LENGTH)
  const partReader = reader.another()
  const simplerReader = reader.another()
  const features = {
    open: createFeatures(reader.words, model.open.effects),
    known: createFeatures(reader.words, model.known.effects),
  }
  const part: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }
  const other: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }

  return {
    row,
    estimate({ label, tld }, context, into) {
      const { write, writeByLetters } = context === null ? features.open : features.known
      const market = context === null ? model.open : model.known
      const price = (at: Float64Array, clarity: number, to: LogEstimate) => {
        if (context !== null) writeContext(context, market.venues, at, NAME_FEATURES)
        // A known sale has happened, so its price is not lowered by low liquidity.
        priceRow(market, at, context === null ? clarity : null, to)
      }
      const value = (text: string, by: Reader, at: Float64Array, to: LogEstimate): Sight => {
        const sight = by.look(text)
        write(sight, tld, at)
        price(at, clarityOf(sight), to)
        if (!isReadByWords(sight)) return sight
        for (const simpler of simplerNames(sight)) {
          const seen = simplerReader.look(simpler)
          write(seen, tld, otherRow)
          price(otherRow, clarityOf(seen), other)
          limit(to, other, Math.min)
        }
        // The highest value that a longer name read by its letters can have if it contains this one. This name is worth at
        // least as much, so that additional letters that form no words never raise its value.
        writeByLetters(sight, tld, otherRow, Math.max(1, MAX_SHORT_NAME_LENGTH + 1 - sight.parts.letterCount))
        price(otherRow, clarityByLetters(sight), other)
        limit(to, other, Math.max)
        return sight
      }
      const sight = value(label, reader, row, into)
      const { hyphens, isIdn } = sight.parts
      if (context === null && hyphens > 0 && !isIdn && into.high > floorOf('high')) {
        capByParts(label, into, (joined) => {
          value(joined, partReader, partRow, part)
          return part
        })
      }
      into.confidence = confidenceOf(market, row, into, context === null ? belief(into.liquidity) : 1)
      return sight
    },
  }
}

function limit(into: LogEstimate, { low, mid, high }: LogEstimate, by: (one: number, other: number) => number): void {
  into.low = by(into.low, low)
  into.mid = by(into.mid, mid)
  into.high = by(into.high, high)
}

/** Minimum log distance of either end from the middle: their trees are trained separately, so the predictions may cross. */
const MIN_LOG_DISTANCE = Math.log(1.3)

/** Module-level scratch: pricing never yields to another call, and a batch prices thousands of rows. */
const sums = new Float64Array(Object.keys(PRICES).length)

/** `clarity` caps the share of the market price in the estimate; null uses the full market price. */
function priceRow(market: MarketModel, row: Float64Array, clarity: number | null, into: LogEstimate): void {
  market.prices(row, sums)
  const { calibration } = market
  const predicted = sums[PRICES.mid]!
  const mid = calibratedMid(calibration, predicted)
  const low = calibratedEnd('low', calibration, predicted, sums[PRICES.low]!)
  const high = calibratedEnd('high', calibration, predicted, sums[PRICES.high]!)
  into.liquidity = Math.min(1 / (1 + Math.exp(-sums[PRICES.liquidity]!)), liquidityCap(clarity ?? 1))
  const believed = clarity === null ? 1 : belief(into.liquidity)
  into.mid = drawn(mid, 'mid', believed)
  into.low = Math.min(into.mid, drawn(low, 'low', believed))
  into.high = Math.max(into.mid, drawn(high, 'high', believed))
}

type Shifts = Pick<StoredMarket['calibration'], 'low' | 'middle' | 'high'>

/** The calibrated middle for a prediction of the price trees. */
export const calibratedMid = ({ middle }: Pick<Shifts, 'middle'>, predicted: number): number =>
  predicted + shiftAt(middle, predicted)

/** A calibrated end of the band, for the predictions of the price trees and of the trees of that end. */
export function calibratedEnd(which: 'low' | 'high', shifts: Shifts, predicted: number, end: number): number {
  const mid = calibratedMid(shifts, predicted)
  const shifted = end + shiftAt(shifts[which], predicted)
  return which === 'low' ? Math.min(mid - MIN_LOG_DISTANCE, shifted) : Math.max(mid + MIN_LOG_DISTANCE, shifted)
}

const shiftAt = (points: Points, at: number): number => (points.length === 0 ? 0 : interpolate(points, at))

/** The calibrated confidence; low liquidity lowers it like the price. */
function confidenceOf(
  market: MarketModel,
  row: Float64Array,
  { low, mid, high }: LogEstimate,
  believed: number,
): number {
  writeSpread(row, mid, high - low)
  const predicted = 1 / (1 + Math.exp(-market.confidence(row)))
  return interpolate(market.calibration.confidence, predicted) * believed
}

/** Writes the two additional features of the confidence trees. */
export function writeSpread(row: Float64Array, mid: number, width: number): void {
  row[CONTEXT_END] = mid
  row[CONTEXT_END + 1] = width
}

/** Piecewise linear between the points, constant beyond them. */
function interpolate(points: Points, at: number): number {
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
