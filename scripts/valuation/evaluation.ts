import { createEstimator, type LogEstimate } from '../../src/valuation/estimate.ts'
import type { Reader } from '../../src/valuation/sight.ts'
import type { Model } from '../../src/valuation/model.ts'
import {
  calibrationBins,
  calibrationError,
  isWithinTwo,
  medianFactor,
  rankScore,
  type CalibrationBin,
} from './metrics.ts'
import type { Sale } from './sales.ts'

export type Metrics = {
  readonly rows: number
  readonly rankScore: number
  readonly medianFactor: number
  readonly withinTwo: number
  readonly calibrationError: number
  /** Estimates with a confidence over 0.7: their number, and the share that was right. */
  readonly sure: { readonly count: number; readonly right: number }
  readonly bandCoverage: number
  readonly bandWidth: number
  readonly bins: readonly CalibrationBin[]
}

const SURE_CONFIDENCE = 0.7

/** Estimates every sale as the service would, with or without the context of the sale. */
export function evaluate(model: Model, reader: Reader, sales: readonly Sale[], contextKnown: boolean): Metrics {
  const { estimate } = createEstimator(model, reader)
  const estimated: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }
  const mids = new Float64Array(sales.length)
  const confidence = new Float64Array(sales.length)
  const widths = new Float64Array(sales.length)
  const hits = new Uint8Array(sales.length)
  const prices = Float64Array.from(sales, ({ logPrice }) => logPrice)
  let covered = 0
  for (const [at, { name, context, logPrice }] of sales.entries()) {
    estimate(name, contextKnown ? context : null, estimated)
    mids[at] = estimated.mid
    confidence[at] = estimated.confidence
    widths[at] = estimated.high - estimated.low
    hits[at] = isWithinTwo(estimated.mid, logPrice) ? 1 : 0
    if (logPrice >= estimated.low && logPrice <= estimated.high) covered++
  }
  const bins = calibrationBins(confidence, hits)
  const sure = Array.from(confidence.keys()).filter((at) => confidence[at]! > SURE_CONFIDENCE)
  const shareOf = (count: number, of: number) => short(of === 0 ? 0 : count / of)
  return {
    rows: sales.length,
    rankScore: short(rankScore(mids, prices)),
    medianFactor: short(medianFactor(mids, prices)),
    withinTwo: shareOf(
      hits.reduce((sum, hit) => sum + hit, 0),
      sales.length,
    ),
    calibrationError: short(calibrationError(bins)),
    sure: {
      count: sure.length,
      right: shareOf(
        sure.reduce((sum, at) => sum + hits[at]!, 0),
        sure.length,
      ),
    },
    bandCoverage: shareOf(covered, sales.length),
    bandWidth: short(Math.exp(widths.toSorted()[Math.floor(widths.length / 2)] ?? 0)),
    bins: bins.map(({ from, to, count, said: told, happened }) => ({
      from,
      to,
      count,
      said: short(told),
      happened: short(happened),
    })),
  }
}

const short = (number: number) => Math.round(number * 1e4) / 1e4
