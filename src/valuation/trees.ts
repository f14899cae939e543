/**
 * Gradient-boosted trees as stored in the model file: the nodes of each tree in breadth-first order, one tree after another. A
 * node is a split (`feature` ≥ 0: go right if the feature is above `value`) or a leaf (`feature` -1: add `value`).
 */
export type StoredTrees = {
  readonly base: number
  /** Number of nodes of each tree. */
  readonly sizes: readonly number[]
  readonly feature: readonly number[]
  readonly value: readonly number[]
}

/** The sum of all trees and the base for one row. */
export type Ensemble = (row: Float64Array) => number

/** Evaluates several ensembles for one row; their sums are in the order in which they were compiled. */
export type Forest = (row: Float64Array, sums: Float64Array) => void

/** Features and thresholds are compared in whole steps, so that rounding errors of a sum cannot change a result. */
const STEPS_PER_UNIT = 1e4
export const quantize = (value: number) => Math.round(value * STEPS_PER_UNIT)
/** The leaves of a tree are the bits of one 32-bit number. */
const MAX_LEAVES = 32

/** A split of a tree; `removes` are the leaves that a row on its unusual side cannot reach. */
type Split = { readonly threshold: number; readonly tree: number; readonly removes: number }

/**
 * Compiles trees for evaluation with bit masks instead of a walk from the root (QuickScorer, Lucchese et al., 2015). Each tree
 * has a bit per leaf; splits remove leaves, and the first leaf that remains is the result. The leaves are ordered so that the
 * usual row takes the first side of every split and removes nothing. Another row removes leaves only at the splits whose
 * threshold lies between its value and the usual value; the others, most of them, are not visited. The choice of the usual
 * row affects speed, not results.
 */
export function compileForest(ensembles: readonly StoredTrees[], usualRow: readonly number[] = []): Forest {
  const usual = usualValues(ensembles, usualRow)
  const splits: Split[][] = usual.map(() => [])
  const leafValues: number[] = []
  const firstLeaves: number[] = []
  for (const { sizes, feature, value } of ensembles) {
    let root = 0
    for (const size of sizes) {
      const tree = firstLeaves.push(leafValues.length) - 1
      const leftOf = leftChildren(feature, root, size)
      /** Appends the leaves below a node in order, and returns their bits. */
      const order = (node: number): number => {
        const featureAt = feature[node]!
        if (featureAt < 0) return leafBit(leafValues.push(value[node]!) - 1 - firstLeaves[tree]!)
        const threshold = quantize(value[node]!)
        const usualChild = leftOf[node - root]! + (usual[featureAt]! > threshold ? 1 : 0)
        const otherChild = leftOf[node - root]! + (usual[featureAt]! > threshold ? 0 : 1)
        const removes = order(usualChild)
        splits[featureAt]!.push({ threshold, tree, removes })
        return removes | order(otherChild)
      }
      order(root)
      root += size
    }
  }
  const removeLeaves = createLeafRemover(splits, usual)
  const leaves = new Int32Array(firstLeaves.length)
  const leafValueAt = Float64Array.from(leafValues)
  const firsts = Int32Array.from(firstLeaves)
  return (row, sums) => {
    leaves.fill(-1)
    removeLeaves(row, leaves)
    let tree = 0
    for (let which = 0; which < ensembles.length; which++) {
      const { base, sizes } = ensembles[which]!
      const end = tree + sizes.length
      let sum = base
      for (; tree < end; tree++) sum += leafValueAt[firsts[tree]! + Math.clz32(leaves[tree]!)]!
      sums[which] = sum
    }
  }
}

/** Compiles a single ensemble. */
export function compileTrees(stored: StoredTrees, usualRow?: readonly number[]): Ensemble {
  const forest = compileForest([stored], usualRow)
  const sums = new Float64Array(1)
  return (row) => {
    forest(row, sums)
    return sums[0]!
  }
}

function leafBit(leaf: number): number {
  if (leaf >= MAX_LEAVES) throw new Error(`A tree of the model has more than ${MAX_LEAVES} leaves.`)
  return 1 << (MAX_LEAVES - 1 - leaf)
}

/** The usual value of each feature: the given one, or the median of the thresholds of its splits. */
function usualValues(ensembles: readonly StoredTrees[], given: readonly number[]): number[] {
  const features = ensembles.reduce((most, { feature }) => feature.reduce((a, b) => Math.max(a, b + 1), most), 0)
  const splits: number[][] = Array.from({ length: features }, () => [])
  for (const { feature, value } of ensembles) {
    for (let node = 0; node < feature.length; node++) {
      const featureAt = feature[node]!
      if (featureAt >= 0 && given[featureAt] === undefined) splits[featureAt]!.push(quantize(value[node]!))
    }
  }
  return splits.map((values, featureAt) => {
    const own = given[featureAt]
    return own === undefined ? (values.sort((a, b) => a - b)[values.length >> 1] ?? 0) : quantize(own)
  })
}

/** The left child of each split; the right child follows it. Breadth first, children are in the order of their parents. */
export function leftChildren(feature: readonly number[], root: number, size: number): Int32Array {
  const found = new Int32Array(size)
  let child = root + 1
  for (let node = root; node < root + size; node++) {
    if (feature[node]! < 0) continue
    found[node - root] = child
    child += 2
  }
  return found
}

/** Removes the leaves of all splits at which a row goes the other way than the usual row. */
function createLeafRemover(splits: readonly Split[][], usual: readonly number[]) {
  const sorted = splits.flatMap((some) => some.sort((one, other) => one.threshold - other.threshold))
  const trees = Uint16Array.from(sorted, ({ tree }) => tree)
  const kept = Int32Array.from(sorted, ({ removes }) => ~removes)
  // Splits with equal thresholds form one step. An infinite step at both ends of a feature ends every search.
  const steps: number[] = []
  const firsts: number[] = []
  const starts: number[] = []
  let first = 0
  for (const [featureAt, some] of splits.entries()) {
    steps.push(-Infinity)
    firsts.push(first)
    let start = steps.length
    for (const [at, { threshold }] of some.entries()) {
      if (at > 0 && threshold === some[at - 1]!.threshold) continue
      steps.push(threshold)
      firsts.push(first + at)
      if (threshold < usual[featureAt]!) start = steps.length
    }
    starts.push(start)
    first += some.length
    steps.push(Infinity)
    firsts.push(first)
  }
  const stepAt = Float64Array.from(steps)
  const firstAt = Int32Array.from(firsts)
  const startAt = Int32Array.from(starts)
  return (row: Float64Array, leaves: Int32Array) => {
    for (let featureAt = 0; featureAt < startAt.length; featureAt++) {
      const own = quantize(row[featureAt]!)
      let from = startAt[featureAt]!
      let to = from
      while (stepAt[to]! < own) to++
      while (stepAt[from - 1]! >= own) from--
      for (let at = firstAt[from]!, end = firstAt[to]!; at < end; at++) {
        const tree = trees[at]!
        leaves[tree] = leaves[tree]! & kept[at]!
      }
    }
  }
}
