import type { StoredTrees } from '../../src/valuation/trees.ts'
import { binColumns, type Binned } from './bins.ts'
import { growTree } from './grow.ts'
import { createDice } from './dice.ts'
import { round, weightedQuantile } from './numbers.ts'
import type { BoostOptions, Loss } from './options.ts'

/** Gradient-boosted trees over histograms. The same rows and options give exactly the same trees. */
export function boost(columns: readonly Float64Array[], target: Float64Array, options: BoostOptions): StoredTrees {
  return boostBinned(binColumns(columns), target, options)
}

export function boostBinned(binned: Binned, target: Float64Array, options: BoostOptions): StoredTrees {
  const { loss, seed, trees } = options
  const count = target.length
  const dice = createDice(seed)
  const weights = options.weights ?? new Float64Array(count).fill(1)
  const base = round(startOf(target, weights, loss))
  const score = new Float64Array(count).fill(base)
  const gradient = new Float64Array(count)
  const hessian = new Float64Array(count)
  const sizes: number[] = []
  const feature: number[] = []
  const value: number[] = []
  for (let tree = 0; tree < trees; tree++) {
    fillGradients(target, score, weights, loss, gradient, hessian)
    const rows = pick(count, options.rows, dice)
    const used = pick(binned.columns.length, options.features, dice)
    const residual = loss.kind === 'quantile' ? { target, score, at: loss.at, weights: options.weights } : null
    const grown = growTree({ binned, gradient, hessian, rows, used, residual, options })
    for (let row = 0; row < count; row++) score[row]! += grown.valueOf(row)
    sizes.push(grown.feature.length)
    feature.push(...grown.feature)
    value.push(...grown.value)
  }
  return { base, sizes, feature, value }
}

function fillGradients(
  target: Float64Array,
  score: Float64Array,
  weights: Float64Array,
  loss: Loss,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  for (let row = 0; row < target.length; row++) {
    const weight = weights[row]!
    const error = target[row]! - score[row]!
    if (loss.kind === 'squared') {
      gradient[row] = error * weight
      hessian[row] = weight
    } else if (loss.kind === 'quantile') {
      gradient[row] = (error >= 0 ? loss.at : loss.at - 1) * weight
      hessian[row] = weight
    } else {
      const odds = 1 / (1 + Math.exp(-score[row]!))
      gradient[row] = (target[row]! - odds) * weight
      hessian[row] = Math.max(1e-6, odds * (1 - odds)) * weight
    }
  }
}

function startOf(target: Float64Array, weights: Float64Array, loss: Loss): number {
  if (loss.kind === 'quantile') return weightedQuantile(target, weights, loss.at)
  let sum = 0
  let total = 0
  for (let row = 0; row < target.length; row++) {
    sum += target[row]! * weights[row]!
    total += weights[row]!
  }
  const mean = sum / total
  return loss.kind === 'squared' ? mean : Math.log(mean / (1 - mean))
}

/** A random share of 0..count-1, in order. */
function pick(count: number, share: number, dice: () => number): Uint32Array {
  if (share >= 1) return Uint32Array.from({ length: count }, (_, index) => index)
  const chosen: number[] = []
  for (let index = 0; index < count; index++) if (dice() < share) chosen.push(index)
  return chosen.length === 0 ? Uint32Array.of(Math.floor(dice() * count)) : Uint32Array.from(chosen)
}
