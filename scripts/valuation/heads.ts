import { CONTEXT_FEATURES, writeContext, type Market } from '../../src/valuation/context.ts'
import { CONFIDENCE_FEATURES } from '../../src/valuation/estimate.ts'
import { AT, createFeatures, FEATURE_DIRECTIONS, FEATURE_NAMES, type Reader } from '../../src/valuation/features.ts'
import { readMarket, type StoredMarket } from '../../src/valuation/model.ts'
import type { StoredTrees } from '../../src/valuation/trees.ts'
import { binColumns } from './bins.ts'
import { boost, boostBinned } from './boosting.ts'
import { learnEffects, storedEffects } from './effects.ts'
import { inventJunk } from './junk.ts'
import type { BoostOptions } from './options.ts'
import type { Sale } from './sales.ts'
import { foldOf } from './split.ts'

const NO_TREES: StoredTrees = { base: 0, sizes: [], feature: [], value: [] }

const NAMES = FEATURE_NAMES.length
const ROW = NAMES + CONTEXT_FEATURES.length + CONFIDENCE_FEATURES
const DIRECTIONS = [...FEATURE_DIRECTIONS, ...Array<number>(ROW - NAMES).fill(0)]
const EFFECT_FOLDS = 8

/** Multiplies the number of trees; tests train with less. */
export type Effort = number

const options = (some: Partial<BoostOptions> & Pick<BoostOptions, 'loss' | 'trees' | 'seed'>): BoostOptions => ({
  rate: 0.08,
  leaves: 24,
  depth: 6,
  smallestLeaf: 25,
  rows: 0.7,
  features: 0.5,
  directions: DIRECTIONS,
  weights: null,
  ...some,
})

/** Without a context the middle leans this far from the sale's own price towards what the name would bring at retail. */
const LEAN = 0.25

/** With the context known: absolute error, which gives the best middle. */
export function trainKnown(sales: readonly Sale[], reader: Reader, effort: Effort): StoredMarket {
  const trees = treesOver(sales, reader, true, effort)
  const prices = Float64Array.from(sales, ({ logPrice }) => logPrice)
  return {
    ...bandsOver(sales, reader, true, trees, prices),
    price: trees(prices, { loss: { kind: 'quantile', at: 0.5 }, trees: 250, seed: 1, rate: 0.07 }),
  }
}

/**
 * Without a context: squared error, which gives the best order. Sales are auctions at some hundreds of dollars or
 * retail at some thousands, and the middle between the two is right about neither; so the target leans towards retail.
 */
export function trainOpen(sales: readonly Sale[], reader: Reader, known: StoredMarket, effort: Effort): StoredMarket {
  const trees = treesOver(sales, reader, false, effort)
  const prices = Float64Array.from(sales, ({ logPrice }) => logPrice)
  const retail = retailPrices(sales, reader, known)
  const leaning = prices.map((price, at) => price * (1 - LEAN) + retail[at]! * LEAN)
  return {
    ...bandsOver(sales, reader, false, trees, prices),
    price: trees(leaning, { loss: { kind: 'squared' }, trees: 200, seed: 2, rate: 0.065, features: 0.8 }),
  }
}

type Growers = (
  target: Float64Array,
  some: Pick<BoostOptions, 'loss' | 'trees' | 'seed'> & Partial<BoostOptions>,
) => StoredTrees

function treesOver(sales: readonly Sale[], reader: Reader, contextKnown: boolean, effort: Effort): Growers {
  const binned = binColumns(trainingColumns(sales, reader, contextKnown))
  return (target, some) => boostBinned(binned, target, options({ ...some, trees: Math.ceil(some.trees * effort) }))
}

/** Everything but the middle; confidence and calibration come later, from sales the trees have not seen. */
function bandsOver(
  sales: readonly Sale[],
  reader: Reader,
  contextKnown: boolean,
  trees: Growers,
  prices: Float64Array,
) {
  const end = { leaves: 16, smallestLeaf: 40, trees: 64, rate: 0.1 }
  return {
    ...storedEffects(learnEffects(sales, reader, contextKnown), reader.words.text),
    low: trees(prices, { loss: { kind: 'quantile', at: 0.2 }, seed: 4, ...end }),
    high: trees(prices, { loss: { kind: 'quantile', at: 0.8 }, seed: 5, ...end }),
    confidence: NO_TREES,
    calibration: { low: 0, high: 0, confidence: [] },
  }
}

/** The last year a market was seen in; asked for a later one, the trees would answer with some other market's years. */
export const latestYear = (sales: readonly Sale[], market: Market) =>
  sales.reduce((latest, { context }) => (context.market === market ? Math.max(latest, context.year ?? 0) : latest), 0)

function retailPrices(sales: readonly Sale[], reader: Reader, known: StoredMarket): Float64Array {
  const market = readMarket(known, reader.words)
  const features = createFeatures(reader, market.effects)
  const row = new Float64Array(ROW)
  const year = latestYear(sales, 'retail')
  writeContext({ market: 'retail', venue: null, year }, market.venues, row, NAMES)
  return Float64Array.from(sales, ({ name }) => {
    features(name, row)
    return market.price(row)
  })
}

/**
 * The features of each sale, with the effects of TLDs and words learned from other names only: a name must not be
 * explained by its own price.
 */
function trainingColumns(sales: readonly Sale[], reader: Reader, contextKnown: boolean): Float64Array[] {
  const folds = Array.from({ length: EFFECT_FOLDS }, (_, fold) =>
    learnEffects(
      sales.filter(({ domain }) => foldOf(domain, EFFECT_FOLDS) !== fold),
      reader,
      contextKnown,
    ),
  )
  const readers = folds.map((effects) => createFeatures(reader, effects))
  const columns = newColumns(sales.length)
  const row = new Float64Array(ROW)
  for (const [at, { domain, name, context }] of sales.entries()) {
    const fold = foldOf(domain, EFFECT_FOLDS)
    readers[fold]!(name, row)
    if (contextKnown) writeContext(context, folds[fold]!.venues, row, NAMES)
    for (let feature = 0; feature < ROW; feature++) columns[feature]![at] = row[feature]!
  }
  return columns
}

const newColumns = (rows: number) => Array.from({ length: ROW }, () => new Float64Array(rows))

/** What tells a name that sold from junk. The TLD and prices have no say: junk is junk under every TLD. */
const NOT_ASKED = new Set<number>([
  AT.tldLength,
  AT.tldDots,
  AT.tldEffect,
  AT.tldSeen,
  AT.isCom,
  AT.firstWordEffect,
  AT.lastWordEffect,
  AT.meanWordEffect,
])

export function trainLiquidity(sales: readonly Sale[], reader: Reader, effort: Effort): StoredTrees {
  const junk = inventJunk(reader.words, sales.length, 11)
  const sold = trainingColumns(sales, reader, false)
  const invented = newColumns(junk.length)
  const features = createFeatures(reader, learnEffects(sales, reader, false))
  const row = new Float64Array(ROW)
  for (const [at, label] of junk.entries()) {
    features({ label, tld: 'com' }, row)
    for (let feature = 0; feature < NAMES; feature++) invented[feature]![at] = row[feature]!
  }
  const columns = newColumns(sales.length + junk.length)
  for (let feature = 0; feature < NAMES; feature++) {
    if (NOT_ASKED.has(feature)) continue
    columns[feature]!.set(sold[feature]!)
    columns[feature]!.set(invented[feature]!, sales.length)
  }
  const target = new Float64Array(sales.length + junk.length).fill(1, 0, sales.length)
  return boost(
    columns,
    target,
    options({
      loss: { kind: 'logistic' },
      trees: Math.ceil(64 * effort),
      seed: 6,
      rate: 0.13,
      leaves: 16,
      smallestLeaf: 60,
    }),
  )
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
      smallestLeaf: 80,
      directions: DIRECTIONS.map(() => 0),
    }),
  )
}
