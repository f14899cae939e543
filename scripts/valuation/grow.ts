import type { Binned } from './bins.ts'
import { round, weightedQuantile } from './numbers.ts'
import type { BoostOptions } from './options.ts'

type TreeInput = {
  readonly binned: Binned
  readonly gradient: Float64Array
  readonly hessian: Float64Array
  readonly rows: Uint32Array
  readonly used: Uint32Array
  /** For the quantile loss: the value of a leaf is a quantile of its residuals instead of a Newton step. */
  readonly residual: {
    readonly target: Float64Array
    readonly score: Float64Array
    readonly weights: Float64Array | null
    readonly at: number
  } | null
  readonly options: BoostOptions
}

export type GrownTree = {
  /** Breadth-first, the order of src/valuation/trees.ts. */
  readonly feature: number[]
  readonly value: number[]
  valueOf(row: number): number
}

type Split = { readonly feature: number; readonly bin: number; readonly gain: number }
type Node = {
  readonly rows: Uint32Array
  readonly depth: number
  readonly histogram: Float64Array
  readonly low: number
  readonly high: number
  readonly split: Split | null
  children: readonly [Node, Node] | null
}

const BINS = 256
/** L2 regularization: keeps the values of small leaves small. */
const L2 = 5

/** Grows one tree, always splitting the leaf with the largest gain. */
export function growTree(input: TreeInput): GrownTree {
  const { options, rows } = input
  const root = newNode(input, rows, 0, histogramOf(input, rows), -Infinity, Infinity)
  const open = [root]
  for (let leaves = 1; leaves < options.leaves; leaves++) {
    let best: Node | null = null
    for (const node of open) if (node.split !== null && node.split.gain > (best?.split?.gain ?? 0)) best = node
    if (best === null) break
    best.children = divide(input, best, best.split!)
    open.splice(open.indexOf(best), 1, ...best.children)
  }
  return flatten(input, root)
}

function newNode(
  input: TreeInput,
  rows: Uint32Array,
  depth: number,
  histogram: Float64Array,
  low: number,
  high: number,
): Node {
  const mayDivide = depth < input.options.depth
  const split = mayDivide ? bestSplit(input, histogram, rows.length, low, high) : null
  return { rows, depth, histogram, low, high, split, children: null }
}

/** Sums of gradient, hessian and count for each bin of each feature in use. */
function histogramOf({ binned, gradient, hessian, used }: TreeInput, rows: Uint32Array): Float64Array {
  const histogram = new Float64Array(used.length * BINS * 3)
  for (let at = 0; at < used.length; at++) {
    const column = binned.columns[used[at]!]!
    const from = at * BINS * 3
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!
      const slot = from + column[row]! * 3
      histogram[slot]! += gradient[row]!
      histogram[slot + 1]! += hessian[row]!
      histogram[slot + 2]! += 1
    }
  }
  return histogram
}

function bestSplit(input: TreeInput, histogram: Float64Array, count: number, low: number, high: number): Split | null {
  const { used, binned, options } = input
  const { minLeafRows, directions } = options
  if (count < minLeafRows * 2) return null
  let best: Split | null = null
  for (let at = 0; at < used.length; at++) {
    const feature = used[at]!
    const bins = binned.edges[feature]!.length
    const from = at * BINS * 3
    let gradients = 0
    let hessians = 0
    for (let bin = 0; bin < bins; bin++) {
      gradients += histogram[from + bin * 3]!
      hessians += histogram[from + bin * 3 + 1]!
    }
    const whole = (gradients * gradients) / (hessians + L2)
    let leftGradients = 0
    let leftHessians = 0
    let left = 0
    for (let bin = 0; bin < bins - 1; bin++) {
      const slot = from + bin * 3
      leftGradients += histogram[slot]!
      leftHessians += histogram[slot + 1]!
      left += histogram[slot + 2]!
      if (left < minLeafRows) continue
      if (count - left < minLeafRows) break
      const rightGradients = gradients - leftGradients
      const rightHessians = hessians - leftHessians
      const gain =
        (leftGradients * leftGradients) / (leftHessians + L2) +
        (rightGradients * rightGradients) / (rightHessians + L2) -
        whole
      if (gain <= (best?.gain ?? 1e-9)) continue
      const direction = directions[feature]!
      if (direction !== 0) {
        const leftStep = leftGradients / (leftHessians + L2)
        const rightStep = rightGradients / (rightHessians + L2)
        if (direction * (rightStep - leftStep) < 0) continue
        if (low === high) continue
      }
      best = { feature, bin, gain }
    }
  }
  return best
}

/**
 * Splits a node. For a monotonic feature the two halves get a common bound that neither their values nor those of their
 * descendants can cross.
 */
function divide(input: TreeInput, node: Node, { feature, bin }: Split): readonly [Node, Node] {
  const column = input.binned.columns[feature]!
  let size = 0
  for (const row of node.rows) if (column[row]! <= bin) size++
  const left = new Uint32Array(size)
  const right = new Uint32Array(node.rows.length - size)
  let atLeft = 0
  let atRight = 0
  for (const row of node.rows) {
    if (column[row]! <= bin) left[atLeft++] = row
    else right[atRight++] = row
  }
  let { low: leftLow, high: leftHigh, low: rightLow, high: rightHigh } = node
  const direction = input.options.directions[feature]!
  if (direction !== 0) {
    const bound = (leafValue(input, left, leftLow, leftHigh) + leafValue(input, right, rightLow, rightHigh)) / 2
    if (direction > 0) leftHigh = rightLow = bound
    else leftLow = rightHigh = bound
  }
  const smaller = histogramOf(input, left.length < right.length ? left : right)
  const larger = node.histogram
  for (const [at, used] of input.used.entries()) {
    const from = at * BINS * 3
    const end = from + input.binned.edges[used]!.length * 3
    for (let slot = from; slot < end; slot++) larger[slot]! -= smaller[slot]!
  }
  const [ofLeft, ofRight] = left.length < right.length ? [smaller, larger] : [larger, smaller]
  return [
    newNode(input, left, node.depth + 1, ofLeft, leftLow, leftHigh),
    newNode(input, right, node.depth + 1, ofRight, rightLow, rightHigh),
  ]
}

function leafValue({ gradient, hessian, residual }: TreeInput, rows: Uint32Array, low: number, high: number): number {
  let answer = 0
  if (residual !== null) {
    const left = Float64Array.from(rows, (row) => residual.target[row]! - residual.score[row]!)
    const { weights: all } = residual
    const weights = all && Float64Array.from(rows, (row) => all[row]!)
    answer = weightedQuantile(left, weights, residual.at) * (rows.length / (rows.length + L2))
  } else {
    let gradients = 0
    let hessians = L2
    for (const row of rows) {
      gradients += gradient[row]!
      hessians += hessian[row]!
    }
    answer = gradients / hessians
  }
  return Math.min(high, Math.max(low, answer))
}

function flatten(input: TreeInput, root: Node): GrownTree {
  const { binned, options } = input
  const nodes = [root]
  for (let at = 0; at < nodes.length; at++) nodes.push(...(nodes[at]!.children ?? []))
  const feature = nodes.map(({ children, split }) => (children === null ? -1 : split!.feature))
  const bins = nodes.map(({ split }) => split?.bin ?? 0)
  const value = nodes.map(({ children, split, rows, low, high }) =>
    children === null
      ? round(leafValue(input, rows, low, high) * options.rate)
      : binned.edges[split!.feature]![split!.bin]!,
  )
  const firstChild = new Int32Array(nodes.length)
  for (let at = 0, next = 1; at < nodes.length; at++) {
    if (feature[at]! < 0) continue
    firstChild[at] = next
    next += 2
  }
  return {
    feature,
    value,
    valueOf(row) {
      let node = 0
      while (feature[node]! >= 0) {
        node = firstChild[node]! + (binned.columns[feature[node]!]![row]! > bins[node]! ? 1 : 0)
      }
      return value[node]!
    },
  }
}
