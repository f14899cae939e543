import { categoryOf } from './category.ts'
import { createEstimator, type LogEstimate } from './estimate.ts'
import { factorsOf, keyFactorsOf, piecesOf, type Factor, type KeyFactors } from './factors.ts'
import { FEATURE_NAMES, type FeatureName } from './feature-names.ts'
import { createReader, type Name } from './sight.ts'
import { belief, drawn } from './liquidity.ts'
import type { Model } from './model.ts'
import type { Words } from './word-list.ts'

/** Whole US dollars, low ≤ mid ≤ high. */
export type Appraisal = {
  readonly low: number
  readonly mid: number
  readonly high: number
  /** Probability, 0 to 1, that a sale of the name in any market brings between half and twice `mid`. */
  readonly confidence: number
  /** How similar the name is to names that sell, 0 to 1. */
  readonly liquidity: number
  readonly factors: readonly Factor[]
  readonly keyFactors: KeyFactors
  /** The label split into words; letters that belong to no word are segments, too. */
  readonly segments: readonly string[]
}

export type Appraiser = {
  readonly model: { readonly id: string; readonly date: string }
  appraise(name: Name): Appraisal
  /** Estimated price for a reseller at auction and for an end user: low ≤ wholesale ≤ mid ≤ retail ≤ high. */
  markets(name: Name, year: number): { readonly wholesale: number; readonly retail: number }
  /** The feature vector of the model, for inspection. */
  featuresOf(name: Name): Readonly<Record<FeatureName, number>>
}

/** Reuses its buffers for every name to avoid allocation. */
export function createAppraiser(model: Model, words: Words): Appraiser {
  const estimator = createEstimator(model, createReader(words))
  const estimated: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }
  const inMarket = (name: Name, market: 'auction' | 'retail', year: number) => {
    estimator.estimate(name, { market, venue: null, year: Math.min(year, model.latest[market]) }, estimated)
    return drawn(estimated.mid, 'mid', belief(estimated.liquidity))
  }
  return {
    model: { id: model.id, date: model.date },
    appraise(name) {
      const sight = estimator.estimate(name, null, estimated)
      const segments = piecesOf(sight)
      const category = categoryOf(segments)
      return {
        low: dollars(estimated.low),
        mid: dollars(estimated.mid),
        high: dollars(estimated.high),
        confidence: hundredths(estimated.confidence),
        liquidity: hundredths(estimated.liquidity),
        factors: factorsOf(name, sight, words, segments, category),
        keyFactors: keyFactorsOf(name, sight, words, category),
        segments,
      }
    },
    markets(name, year) {
      const auction = inMarket(name, 'auction', year)
      const retail = inMarket(name, 'retail', year)
      estimator.estimate(name, null, estimated)
      const { low, mid, high } = estimated
      return {
        wholesale: dollars(Math.max(low, Math.min(auction, mid))),
        retail: dollars(Math.min(high, Math.max(retail, mid))),
      }
    },
    featuresOf(name) {
      estimator.estimate(name, null, estimated)
      return Object.fromEntries(FEATURE_NAMES.map((feature, at) => [feature, estimator.row[at]!])) as Record<
        FeatureName,
        number
      >
    },
  }
}

/** Rounds to three digits: the model is not more precise. */
function dollars(logPrice: number): number {
  const price = Math.exp(logPrice)
  const step = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 2)
  return Math.round(price / step) * step
}

const hundredths = (share: number) => Math.round(share * 100) / 100
