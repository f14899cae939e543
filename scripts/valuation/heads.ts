import { writeContext, type Market } from '../../src/valuation/context.ts'
import { AT } from '../../src/valuation/feature-names.ts'
import { createFeatures } from '../../src/valuation/features.ts'
import { PRICES, readMarket, type StoredMarket } from '../../src/valuation/model.ts'
import type { Reader } from '../../src/valuation/sight.ts'
import type { StoredTrees } from '../../src/valuation/trees.ts'
import { binColumns } from './bins.ts'
import { boost, boostBinned } from './boosting.ts'
import { learnEffects, storedEffects } from './effects.ts'
import { inventJunk } from './junk.ts'
import type { BoostOptions } from './options.ts'
import {
  DIRECTIONS,
  mediansOf,
  NAMES,
  newColumns,
  readingsOf,
  ROW,
  targetOf,
  trainingColumns,
  writeReading,
  type Reading,
} from './readings.ts'
import type { Sale } from './sales.ts'

const NO_TREES: StoredTrees = { base: 0, sizes: [], feature: [], value: [] }

/** Factor for the number of trees; tests train with less. */
export type Effort = number

const options = (some: Partial<BoostOptions> & Pick<BoostOptions, 'loss' | 'trees' | 'seed'>): BoostOptions => ({
  rate: 0.08,
  leaves: 24,
  depth: 6,
  minLeafRows: 25,
  rows: 0.7,
  features: 0.5,
  directions: DIRECTIONS,
  weights: null,
  ...some,
})

/** Weight of the retail price in the target of the model without context; the rest is the price of the sale. */
const RETAIL_WEIGHT = 0.25

/** The model with known context. It minimizes the absolute error, which gives the best median. */
export function trainKnown(sales: readonly Sale[], reader: Reader, effort: Effort): StoredMarket {
  const readings = readingsOf(sales, reader)
  const trees = treesOver(sales, readings, reader, true, effort)
  const prices = Float64Array.from(readings, targetOf)
  return {
    ...bandsOver(sales, reader, true, trees, prices),
    price: trees.grow(prices, { loss: { kind: 'quantile', at: 0.5 }, trees: 250, seed: 1, rate: 0.07 }),
  }
}

/**
 * The model without context. It minimizes the squared error, which gives the best ranking. Sales are auctions at some
 * hundreds of dollars or retail at some thousands, and a value in between fits neither; so the target is moved towards
 * retail.
 */
export function trainOpen(sales: readonly Sale[], reader: Reader, known: StoredMarket, effort: Effort): StoredMarket {
  const readings = readingsOf(sales, reader)
  const trees = treesOver(sales, readings, reader, false, effort)
  const prices = Float64Array.from(readings, targetOf)
  const retail = retailPrices(sales, readings, reader, known)
  const target = prices.map((price, at) => price * (1 - RETAIL_WEIGHT) + retail[at]! * RETAIL_WEIGHT)
  return {
    ...bandsOver(sales, reader, false, trees, prices),
    price: trees.grow(target, { loss: { kind: 'squared' }, trees: 200, seed: 2, rate: 0.065, features: 0.8 }),
  }
}

type Growers = {
  readonly grow: (
    target: Float64Array,
    some: Pick<BoostOptions, 'loss' | 'trees' | 'seed'> & Partial<BoostOptions>,
  ) => StoredTrees
  readonly usual: StoredMarket['usual']
}

function treesOver(
  sales: readonly Sale[],
  readings: readonly Reading[],
  reader: Reader,
  contextKnown: boolean,
  effort: Effort,
): Growers {
  const columns = trainingColumns(sales, readings, reader, contextKnown)
  const binned = binColumns(columns)
  return {
    grow: (target, some) => boostBinned(binned, target, options({ ...some, trees: Math.ceil(some.trees * effort) })),
    usual: { byWords: mediansOf(columns, 0), byLetters: mediansOf(columns, 1) },
  }
}

/** All parts but the price; confidence and calibration are added later, from sales that the trees were not trained on. */
function bandsOver(
  sales: readonly Sale[],
  reader: Reader,
  contextKnown: boolean,
  trees: Growers,
  prices: Float64Array,
) {
  const end = { leaves: 12, minLeafRows: 40, trees: 48, rate: 0.13 }
  return {
    ...storedEffects(learnEffects(sales, reader, contextKnown), reader.words.text),
    low: trees.grow(prices, { loss: { kind: 'quantile', at: 0.2 }, seed: 4, ...end }),
    high: trees.grow(prices, { loss: { kind: 'quantile', at: 0.8 }, seed: 5, ...end }),
    usual: trees.usual,
    confidence: NO_TREES,
    calibration: { low: [], middle: [], high: [], confidence: [] },
  }
}

/** The latest year with sales of a market. For a later year the trees would use the years of another market. */
export const latestYear = (sales: readonly Sale[], market: Market) =>
  sales.reduce((latest, { context }) => (context.market === market ? Math.max(latest, context.year ?? 0) : latest), 0)

function retailPrices(
  sales: readonly Sale[],
  readings: readonly Reading[],
  reader: Reader,
  known: StoredMarket,
): Float64Array {
  const market = readMarket(known, NO_TREES, reader.words)
  const features = createFeatures(reader.words, market.effects)
  const row = new Float64Array(ROW)
  const sums = new Float64Array(Object.keys(PRICES).length)
  const year = latestYear(sales, 'retail')
  writeContext({ market: 'retail', venue: null, year }, market.venues, row, NAMES)
  return Float64Array.from(readings, (reading) => {
    writeReading(reading, reader, features, row)
    market.prices(row, sums)
    return sums[PRICES.mid]!
  })
}

/** Features that the liquidity model ignores: TLD and prices, because junk is junk under every TLD. */
const IGNORED_FEATURES = new Set<number>([
  AT.tldLength,
  AT.tldDots,
  AT.tldEffect,
  AT.tldSeen,
  AT.isCom,
  AT.firstWordEffect,
  AT.lastWordEffect,
  AT.meanWordEffect,
])

/** Trains the trees that distinguish sold names from junk. */
export function trainLiquidity(sales: readonly Sale[], reader: Reader, effort: Effort): StoredTrees {
  const junk = inventJunk(reader.words, sales.length, 11)
  const readings = readingsOf(sales, reader)
  const sold = trainingColumns(sales, readings, reader, false)
  const invented = newColumns(junk.length)
  const features = createFeatures(reader.words, learnEffects(sales, reader, false))
  const row = new Float64Array(ROW)
  for (const [at, label] of junk.entries()) {
    features.write(reader.look(label), 'com', row)
    for (let feature = 0; feature < NAMES; feature++) invented[feature]![at] = row[feature]!
  }
  const columns = newColumns(readings.length + junk.length)
  for (let feature = 0; feature < NAMES; feature++) {
    if (IGNORED_FEATURES.has(feature)) continue
    columns[feature]!.set(sold[feature]!)
    columns[feature]!.set(invented[feature]!, readings.length)
  }
  const target = new Float64Array(readings.length + junk.length).fill(1, 0, readings.length)
  return boost(
    columns,
    target,
    options({
      loss: { kind: 'logistic' },
      weights: evenWeights(columns[AT.lettersOnly]!, target),
      trees: Math.ceil(56 * effort),
      seed: 6,
      rate: 0.15,
      leaves: 16,
      minLeafRows: 60,
    }),
  )
}

/** In both readings junk has the same total weight as sold names, because the amount of invented junk is arbitrary. */
function evenWeights(byLetters: Float64Array, sold: Float64Array): Float64Array {
  const counts = [0, 0, 0, 0]
  const group = (at: number) => byLetters[at]! * 2 + sold[at]!
  for (let at = 0; at < sold.length; at++) counts[group(at)]!++
  return Float64Array.from(sold, (isSold, at) => (isSold === 1 ? 1 : counts[group(at) + 1]! / counts[group(at)]!))
}

export function trainConfidence(columns: readonly Float64Array[], hits: Float64Array, effort: Effort): StoredTrees {
  return boost(
    columns,
    hits,
    options({
      loss: { kind: 'logistic' },
      trees: Math.ceil(48 * effort),
      seed: 7,
      rate: 0.1,
      leaves: 12,
      minLeafRows: 80,
      directions: DIRECTIONS.map(() => 0),
    }),
  )
}
