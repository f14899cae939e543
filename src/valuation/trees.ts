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

/** Several sums of trees over the same row, in the order they were planted. */
export type Forest = (row: Float64Array, sums: Float64Array) => void

/** Features are compared as whole numbers of this fineness, so that the last digits of a sum decide nothing. */
const FINENESS = 1e4
export const wholeOf = (value: number) => Math.round(value * FINENESS)
/** The leaves of a tree are the bits of one number. */
const MAX_LEAVES = 32

type Split = { readonly above: number; readonly tree: number; readonly strikes: number }

/**
 * Trees are not walked: leaves are struck out until the first one left is the answer (after QuickScorer, Lucchese and
 * others, 2015). We start from a usual row and order the leaves of each tree so that it always takes the earlier side. A
 * row that answers a question otherwise strikes out that side. Sorted by what they ask for, these questions stand between
 * the usual value and the row's own; all others, most of them, are not even looked at. Any row may be called usual: it
 * decides how fast an answer is found, not which.
 */
export function plantForest(ensembles: readonly StoredTrees[], usualRow: readonly number[] = []): Forest {
  const usual = usualValues(ensembles, usualRow)
  const asked: Split[][] = usual.map(() => [])
  const answers: number[] = []
  const firstAnswers: number[] = []
  for (const { sizes, feature, value } of ensembles) {
    let root = 0
    for (const size of sizes) {
      const tree = firstAnswers.push(answers.length) - 1
      const leftOf = leftChildren(feature, root, size)
      /** Puts the leaves below a node in order, and gives them as bits. */
      const order = (node: number): number => {
        const about = feature[node]!
        if (about < 0) return leafBit(answers.push(value[node]!) - 1 - firstAnswers[tree]!)
        const above = wholeOf(value[node]!)
        const usually = leftOf[node - root]! + (usual[about]! > above ? 1 : 0)
        const otherwise = leftOf[node - root]! + (usual[about]! > above ? 0 : 1)
        const strikes = order(usually)
        asked[about]!.push({ above, tree, strikes })
        return strikes | order(otherwise)
      }
      order(root)
      root += size
    }
  }
  const strikeOut = striker(asked, usual)
  const leaves = new Int32Array(firstAnswers.length)
  const answerOf = Float64Array.from(answers)
  const firsts = Int32Array.from(firstAnswers)
  return (row, sums) => {
    leaves.fill(-1)
    strikeOut(row, leaves)
    let tree = 0
    for (let which = 0; which < ensembles.length; which++) {
      const { base, sizes } = ensembles[which]!
      const end = tree + sizes.length
      let sum = base
      for (; tree < end; tree++) sum += answerOf[firsts[tree]! + Math.clz32(leaves[tree]!)]!
      sums[which] = sum
    }
  }
}

/** One sum of trees. */
export function plantTrees(stored: StoredTrees, usualRow?: readonly number[]): Ensemble {
  const forest = plantForest([stored], usualRow)
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

/** For each feature that is asked about its usual value; where none is given, the median of what is asked. */
function usualValues(ensembles: readonly StoredTrees[], given: readonly number[]): number[] {
  const features = ensembles.reduce((most, { feature }) => feature.reduce((a, b) => Math.max(a, b + 1), most), 0)
  const asked: number[][] = Array.from({ length: features }, () => [])
  for (const { feature, value } of ensembles) {
    for (let node = 0; node < feature.length; node++) {
      const about = feature[node]!
      if (about >= 0 && given[about] === undefined) asked[about]!.push(wholeOf(value[node]!))
    }
  }
  return asked.map((values, about) => {
    const own = given[about]
    return own === undefined ? (values.sort((a, b) => a - b)[values.length >> 1] ?? 0) : wholeOf(own)
  })
}

/** The left child of each question of a tree; the right one is next to it. Breadth first, they follow one another. */
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

/** Strikes out the leaves of all questions that a row answers otherwise than the usual one. */
function striker(asked: readonly Split[][], usual: readonly number[]) {
  const questions = asked.flatMap((some) => some.sort((one, other) => one.above - other.above))
  const trees = Uint16Array.from(questions, ({ tree }) => tree)
  const kept = Int32Array.from(questions, ({ strikes }) => ~strikes)
  // Questions that ask for the same stand together as a step; a wall at both ends of a feature stops every search.
  const steps: number[] = []
  const firsts: number[] = []
  const starts: number[] = []
  let first = 0
  for (const [about, some] of asked.entries()) {
    steps.push(-Infinity)
    firsts.push(first)
    let start = steps.length
    for (const [at, { above }] of some.entries()) {
      if (at > 0 && above === some[at - 1]!.above) continue
      steps.push(above)
      firsts.push(first + at)
      if (above < usual[about]!) start = steps.length
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
    for (let about = 0; about < startAt.length; about++) {
      const own = wholeOf(row[about]!)
      let from = startAt[about]!
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
