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
  /** P(a sale of the name, wherever it happens, falls within half and twice `mid`), 0 to 1. */
  readonly confidence: number
  /** How much the name looks like names that sell, 0 to 1. */
  readonly liquidity: number
  readonly factors: readonly Factor[]
  readonly keyFactors: KeyFactors
  /** The name as words, letters that belong to none included. */
  readonly segments: readonly string[]
}

export type Appraiser = {
  readonly model: { readonly id: string; readonly date: string }
  appraise(name: Name): Appraisal
  /** What a reseller at an auction and an end user at a shop would pay, about: low ≤ wholesale ≤ mid ≤ retail ≤ high. */
  markets(name: Name, year: number): { readonly wholesale: number; readonly retail: number }
  /** The feature vector of the model, for inspection. */
  featuresOf(name: Name): Readonly<Record<FeatureName, number>>
}

/** Answers one name after another; it keeps its working space, so it is quick and not for two threads at once. */
export function createAppraiser(model: Model, words: Words): Appraiser {
  const estimator = createEstimator(model, createReader(words))
  const said: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }
  const inMarket = (name: Name, market: 'auction' | 'retail', year: number) => {
    estimator.estimate(name, { market, venue: null, year: Math.min(year, model.latest[market]) }, said)
    return drawn(said.mid, 'mid', belief(said.liquidity))
  }
  return {
    model: { id: model.id, date: model.date },
    appraise(name) {
      const sight = estimator.estimate(name, null, said)
      const segments = piecesOf(sight)
      const category = categoryOf(segments)
      return {
        low: dollars(said.low),
        mid: dollars(said.mid),
        high: dollars(said.high),
        confidence: hundredths(said.confidence),
        liquidity: hundredths(said.liquidity),
        factors: factorsOf(name, sight, words, segments, category),
        keyFactors: keyFactorsOf(name, sight, words, category),
        segments,
      }
    },
    markets(name, year) {
      const auction = inMarket(name, 'auction', year)
      const retail = inMarket(name, 'retail', year)
      estimator.estimate(name, null, said)
      const { low, mid, high } = said
      return {
        wholesale: dollars(Math.max(low, Math.min(auction, mid))),
        retail: dollars(Math.min(high, Math.max(retail, mid))),
      }
    },
    featuresOf(name) {
      estimator.estimate(name, null, said)
      return Object.fromEntries(FEATURE_NAMES.map((feature, at) => [feature, estimator.row[at]!])) as Record<
        FeatureName,
        number
      >
    },
  }
}

/** Three digits are more than the model knows. */
function dollars(logPrice: number): number {
  const price = Math.exp(logPrice)
  const step = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 2)
  return Math.round(price / step) * step
}

const hundredths = (share: number) => Math.round(share * 100) / 100
