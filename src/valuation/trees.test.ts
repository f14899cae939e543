import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { settleTrees } from './settle.ts'
import { compileForest, compileTrees, type StoredTrees } from './trees.ts'

const FEATURES = 5

type Node = {
  readonly feature: number
  readonly value: number
  readonly children?: readonly [Node, Node]
}

const number = fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10)
const leaf = number.map((value): Node => ({ feature: -1, value }))
const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    leaf,
    fc
      .tuple(fc.nat(FEATURES - 1), number, tie('tree'), tie('tree'))
      .map(([feature, value, left, right]): Node => ({ feature, value, children: [left, right] })),
  ),
}))
const stored = fc.tuple(number, fc.array(tree, { maxLength: 6 })).map(([base, trees]) => storedOf(base, trees))
const row = fc.array(number, { minLength: FEATURES, maxLength: FEATURES }).map((values) => Float64Array.from(values))

/** The nodes in breadth-first order, as in the model file. */
function storedOf(base: number, trees: readonly Node[]): StoredTrees {
  const all = trees.map((root) => {
    const nodes = [root]
    for (const node of nodes) nodes.push(...(node.children ?? []))
    return nodes
  })
  return {
    base,
    sizes: all.map((nodes) => nodes.length),
    feature: all.flat().map(({ feature }) => feature),
    value: all.flat().map(({ value }) => value),
  }
}

/** The reference implementation: walks from the root of each tree to a leaf. */
function walk({ base, sizes, feature, value }: StoredTrees, features: Float64Array): number {
  let sum = base
  let root = 0
  for (const size of sizes) {
    let node = root
    while (feature[node]! >= 0) {
      const splits = feature.slice(root, node).filter((one) => one >= 0).length
      node = root + 1 + splits * 2 + (features[feature[node]!]! > value[node]! ? 1 : 0)
    }
    sum += value[node]!
    root += size
  }
  return sum
}

const assertClose = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`)

suite('trees', () => {
  test('compiled trees give the sums of a walk from the root, for any usual row', () => {
    fc.assert(
      fc.property(fc.array(stored, { minLength: 1, maxLength: 3 }), fc.array(row, { maxLength: 4 }), (some, rows) => {
        const [usual = []] = rows
        const forest = compileForest(some, Array.from(usual))
        const sums = new Float64Array(some.length)
        for (const features of rows) {
          forest(features, sums)
          for (const [at, trees] of some.entries()) assertClose(sums[at]!, walk(trees, features))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('settling known features changes no sum and removes their splits', () => {
    fc.assert(
      fc.property(stored, row, fc.uniqueArray(fc.nat(FEATURES - 1)), (trees, features, known) => {
        const settled = settleTrees(trees, new Map(known.map((at) => [at, features[at]!])))
        assertClose(walk(settled, features), walk(trees, features))
        assert.ok(settled.feature.every((at) => !known.includes(at)))
        assert.ok(settled.sizes.every((size) => size > 1))
      }),
      { numRuns: 500 },
    )
  })

  test('a tree with 32 leaves compiles, one with 33 is rejected', () => {
    /** Splits at 1, 2, 3 and so on; the result is the first threshold that the feature does not exceed. */
    const comb = (leaves: number, from = 1): Node =>
      leaves === 1
        ? { feature: -1, value: from }
        : { feature: 0, value: from, children: [{ feature: -1, value: from }, comb(leaves - 1, from + 1)] }
    const trees = compileTrees(storedOf(0, [comb(32)]))
    for (const at of [0.5, 7.5, 16, 31, 31.5, 99]) assert.equal(trees(Float64Array.of(at)), Math.min(32, Math.ceil(at)))
    assert.throws(() => compileTrees(storedOf(0, [comb(33)])), /more than 32 leaves/)
  })
})
