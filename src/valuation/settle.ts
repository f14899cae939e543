import { leftChildren, wholeOf, type StoredTrees } from './trees.ts'

/**
 * The same trees for rows of which some features never change: their questions are answered beforehand, so the trees get
 * smaller; a tree of which one answer is left goes into the base.
 */
export function settleTrees(
  { base, sizes, feature, value }: StoredTrees,
  known: ReadonlyMap<number, number>,
): StoredTrees {
  const settled = { base, sizes: [] as number[], feature: [] as number[], value: [] as number[] }
  let root = 0
  for (const size of sizes) {
    const leftOf = leftChildren(feature, root, size)
    const settle = (node: number): number => {
      const own = known.get(feature[node]!)
      return own === undefined ? node : settle(leftOf[node - root]! + (wholeOf(own) > wholeOf(value[node]!) ? 1 : 0))
    }
    const nodes = [settle(root)]
    for (const node of nodes) {
      if (feature[node]! < 0) continue
      const left = leftOf[node - root]!
      nodes.push(settle(left), settle(left + 1))
    }
    if (nodes.length === 1) settled.base += value[nodes[0]!]!
    else {
      settled.sizes.push(nodes.length)
      for (const node of nodes) {
        settled.feature.push(feature[node]!)
        settled.value.push(value[node]!)
      }
    }
    root += size
  }
  return settled
}
