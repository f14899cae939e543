import { CONTEXT_FEATURES } from '../../src/valuation/context.ts'
import {
  calibratedEnd,
  calibratedMid,
  CONFIDENCE_FEATURES,
  createEstimator,
  writeSpread,
  type LogEstimate,
} from '../../src/valuation/estimate.ts'
import { FEATURE_NAMES } from '../../src/valuation/feature-names.ts'
import type { Reader } from '../../src/valuation/sight.ts'
import { belief, drawn } from '../../src/valuation/liquidity.ts'
import { PRICES, readMarket, type Model, type ModelFile, type StoredMarket } from '../../src/valuation/model.ts'
import { compileTrees } from '../../src/valuation/trees.ts'
import { bandShifts, type UnseenEstimate } from './levels.ts'
import { latestYear, trainConfidence, trainKnown, trainLiquidity, trainOpen, type Effort } from './heads.ts'
import { isWithinTwo } from './metrics.ts'
import { round } from './numbers.ts'
import type { Sale } from './sales.ts'
import { foldOf } from './split.ts'

export type Trained = Pick<ModelFile, 'open' | 'known' | 'liquidity' | 'latest'>

const FOLDS = 4
const ROW = FEATURE_NAMES.length + CONTEXT_FEATURES.length + CONFIDENCE_FEATURES

/** The estimate of the model of the other folds, with its features. */
type Unseen = UnseenEstimate & { readonly row: Float64Array }

/** Trains on all sales, and calibrates band and confidence by cross-validation. */
export function trainModel(
  sales: readonly Sale[],
  reader: Reader,
  effort: Effort,
  print: (step: string) => void,
): Trained {
  const unseen: Record<'open' | 'known', Unseen[]> = { open: [], known: [] }
  for (let fold = 0; fold < FOLDS; fold++) {
    print(`fold ${fold + 1} of ${FOLDS}`)
    const others = trainTrees(
      sales.filter(({ domain }) => foldOf(domain, FOLDS) !== fold),
      reader,
      effort,
    )
    const model = modelOf(others, reader)
    for (const sale of sales) {
      if (foldOf(sale.domain, FOLDS) !== fold) continue
      for (const which of ['open', 'known'] as const) unseen[which].push(askUnseen(model, reader, sale, which))
    }
  }
  print('all sales')
  const trees = trainTrees(sales, reader, effort)
  return {
    open: calibrate(trees.open, unseen.open, effort),
    known: calibrate(trees.known, unseen.known, effort),
    liquidity: trees.liquidity,
    latest: trees.latest,
  }
}

function trainTrees(sales: readonly Sale[], reader: Reader, effort: Effort): Trained {
  const known = trainKnown(sales, reader, effort)
  return {
    known,
    open: trainOpen(sales, reader, known, effort),
    liquidity: trainLiquidity(sales, reader, effort),
    latest: { auction: latestYear(sales, 'auction'), retail: latestYear(sales, 'retail') },
  }
}

export const modelOf = ({ open, known, liquidity, latest }: Trained, { words }: Reader): Model => ({
  id: 'in training',
  date: '',
  open: readMarket(open, liquidity, words),
  known: readMarket(known, liquidity, words),
  latest,
})

const estimators = new WeakMap<Model, ReturnType<typeof createEstimator>>()

function askUnseen(model: Model, reader: Reader, sale: Sale, which: 'open' | 'known'): Unseen {
  const estimator = estimators.get(model) ?? createEstimator(model, reader)
  estimators.set(model, estimator)
  const said: LogEstimate = { low: 0, mid: 0, high: 0, confidence: 0, liquidity: 0 }
  estimator.estimate(sale.name, which === 'open' ? null : sale.context, said)
  const row = estimator.row.slice()
  if (which === 'open') row.fill(0, FEATURE_NAMES.length)
  const sums = new Float64Array(Object.keys(PRICES).length)
  model[which].prices(row, sums)
  return {
    sale,
    row,
    mid: sums[PRICES.mid]!,
    low: sums[PRICES.low]!,
    high: sums[PRICES.high]!,
    believed: which === 'open' ? belief(said.liquidity) : 1,
  }
}

/** Shifts the ends of the band to the right coverage, then trains the confidence that the mid estimate is right. */
function calibrate(market: StoredMarket, unseen: readonly Unseen[], effort: Effort): StoredMarket {
  const shifts = bandShifts(unseen)
  const midOf = ({ mid, believed }: Unseen) => drawn(calibratedMid(shifts, mid), 'mid', believed)
  const hits = Float64Array.from(unseen, (one) => (isWithinTwo(midOf(one), one.sale.logPrice) ? 1 : 0))
  for (const one of unseen) {
    const end = (which: 'low' | 'high') => drawn(calibratedEnd(which, shifts, one.mid, one[which]), which, one.believed)
    writeSpread(one.row, midOf(one), end('high') - end('low'))
  }
  const said = new Float64Array(unseen.length)
  for (let fold = 0; fold < FOLDS; fold++) {
    const inFold = unseen.map(({ sale }) => foldOf(sale.domain, FOLDS) === fold)
    const others = unseen.filter((_, at) => !inFold[at])
    const trees = compileTrees(
      trainConfidence(
        columnsOf(others),
        hits.filter((_, at) => !inFold[at]),
        effort,
      ),
    )
    for (const [at, { row }] of unseen.entries()) if (inFold[at]) said[at] = 1 / (1 + Math.exp(-trees(row)))
  }
  return {
    ...market,
    confidence: trainConfidence(columnsOf(unseen), hits, effort),
    calibration: { ...shifts, confidence: calibrationPoints(said, hits) },
  }
}

const columnsOf = (rows: readonly Unseen[]) =>
  Array.from({ length: ROW }, (_, feature) => Float64Array.from(rows, ({ row }) => row[feature]!))

const CALIBRATION_POINTS = 15

/** Calibration points: mean confidence and actual share of groups of equal size; never decreasing. */
function calibrationPoints(said: Float64Array, hits: Float64Array): [number, number][] {
  const order = Array.from(said.keys()).sort((a, b) => said[a]! - said[b]!)
  const points: [number, number][] = []
  for (let point = 0; point < CALIBRATION_POINTS; point++) {
    const group = order.slice(
      Math.floor((point * order.length) / CALIBRATION_POINTS),
      Math.floor(((point + 1) * order.length) / CALIBRATION_POINTS),
    )
    if (group.length === 0) continue
    const mean = (of: Float64Array) => group.reduce((sum, at) => sum + of[at]!, 0) / group.length
    const [x, y] = [round(mean(said)), round(mean(hits))]
    const before = points.at(-1)
    if (before === undefined || x > before[0]) points.push([x, Math.max(y, before?.[1] ?? 0)])
  }
  return points
}
