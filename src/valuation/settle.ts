import { leftChildren, quantize, type StoredTrees } from './trees.ts'

/**
 * Simplifies trees for rows in which some features have known values: the splits on these features are resolved in advance. A
 * tree that is reduced to one leaf is added to the base.
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
      return own === undefined ? node : settle(leftOf[node - root]! + (quantize(own) > quantize(value[node]!) ? 1 : 0))
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
