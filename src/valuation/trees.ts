/**
 * Boosted trees as they are stored: for each tree its nodes breadth first, all trees one after another. A node is a
 * question (`feature` ≥ 0: goes right when the feature is above `value`) or an answer (`feature` -1: adds `value`).
 */
export type StoredTrees = {
  readonly base: number
  /** Nodes of each tree. */
  readonly sizes: readonly number[]
  readonly feature: readonly number[]
  readonly value: readonly number[]
}

export type Ensemble = (row: Float64Array) => number

/**
 * Features are compared as whole numbers of this fineness: the sign of a difference then is the way to go, and the
 * processor need not guess it.
 */
const FINENESS = 1e4
const FEATURE_BITS = 7
const FEATURE_MASK = (1 << FEATURE_BITS) - 1
/** No feature is above it: who asks for it stays to the left. */
const NEVER_ABOVE = 2 ** 30
/** Trees walked side by side, so that the processor need not wait for one of them. */
const ABREAST = 4

/**
 * Trees in flat arrays. The children of a node are neighbours, so one number finds both; a leaf is its own child, so
 * trees of about the same depth can be walked abreast, all the same number of steps.
 */
export function plantTrees({ base, sizes, feature, value }: StoredTrees): Ensemble {
  const nowhere = feature.length
  const links = new Int32Array((nowhere + 1) * 2)
  const answers = new Float64Array(nowhere + 1)
  const depths = new Int32Array(nowhere + 1)
  const roots: { root: number; depth: number }[] = []
  const stay = (node: number) => {
    links[node * 2] = node << FEATURE_BITS
    links[node * 2 + 1] = NEVER_ABOVE
  }
  let root = 0
  for (const size of sizes) {
    let child = root + 1
    let depth = 0
    for (let node = root; node < root + size; node++) {
      if (feature[node]! < 0) {
        stay(node)
        answers[node] = value[node]!
        depth = Math.max(depth, depths[node]!)
      } else {
        links[node * 2] = (child << FEATURE_BITS) | feature[node]!
        links[node * 2 + 1] = Math.round(value[node]! * FINENESS)
        depths[child] = depths[child + 1] = depths[node]! + 1
        child += 2
      }
    }
    roots.push({ root, depth })
    root += size
  }
  stay(nowhere)
  while (roots.length % ABREAST !== 0) roots.push({ root: nowhere, depth: 0 })
  roots.sort((one, other) => one.depth - other.depth)
  const starts = Int32Array.from(roots, (tree) => tree.root)
  const steps = Int32Array.from({ length: roots.length / ABREAST }, (_, group) => roots[group * ABREAST + 3]!.depth)
  const asked = Math.max(1, feature.reduce((most, one) => Math.max(most, one), -1) + 1)
  const whole = new Int32Array(asked)
  return (row) => {
    for (let at = 0; at < asked; at++) whole[at] = Math.round(row[at]! * FINENESS)
    let sum = base
    for (let group = 0; group < steps.length; group++) {
      let a = starts[group * ABREAST]!
      let b = starts[group * ABREAST + 1]!
      let c = starts[group * ABREAST + 2]!
      let d = starts[group * ABREAST + 3]!
      for (let step = steps[group]!; step > 0; step--) {
        const linkA = links[a * 2]!
        const linkB = links[b * 2]!
        const linkC = links[c * 2]!
        const linkD = links[d * 2]!
        a = (linkA >> FEATURE_BITS) + ((links[a * 2 + 1]! - whole[linkA & FEATURE_MASK]!) >>> 31)
        b = (linkB >> FEATURE_BITS) + ((links[b * 2 + 1]! - whole[linkB & FEATURE_MASK]!) >>> 31)
        c = (linkC >> FEATURE_BITS) + ((links[c * 2 + 1]! - whole[linkC & FEATURE_MASK]!) >>> 31)
        d = (linkD >> FEATURE_BITS) + ((links[d * 2 + 1]! - whole[linkD & FEATURE_MASK]!) >>> 31)
      }
      sum += answers[a]! + answers[b]! + (answers[c]! + answers[d]!)
    }
    return sum
  }
}
