import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { compileTrees } from '../../src/valuation/trees.ts'
import { boost } from './boosting.ts'
import { createDice } from './dice.ts'
import type { BoostOptions, Loss } from './options.ts'

const ROWS = 800

/** Three relevant features (the first decreasing, with a bump upwards), and an irrelevant one. */
function problem(seed: number) {
  const dice = createDice(seed)
  const columns = Array.from({ length: 4 }, () =>
    Float64Array.from({ length: ROWS }, () => Math.round(dice() * 100) / 10),
  )
  const target = Float64Array.from({ length: ROWS }, (_, row) => {
    const bump = columns[0]![row]! > 6 && columns[0]![row]! < 8 ? 3 : 0
    return -columns[0]![row]! + bump + 2 * Math.sin(columns[1]![row]!) + (columns[2]![row]! > 5 ? 1 : 0) + dice()
  })
  return { columns, target }
}

const options = (more: Partial<BoostOptions> = {}): BoostOptions => ({
  loss: { kind: 'squared' },
  trees: 60,
  rate: 0.2,
  leaves: 12,
  depth: 6,
  minLeafRows: 10,
  rows: 0.8,
  features: 0.8,
  seed: 5,
  directions: [-1, 0, 1, 0],
  weights: null,
  ...more,
})

const losses: Loss[] = [
  { kind: 'squared' },
  { kind: 'quantile', at: 0.5 },
  { kind: 'quantile', at: 0.2 },
  { kind: 'logistic' },
]

suite('boosted trees', () => {
  for (const loss of losses) {
    const name = loss.kind === 'quantile' ? `${loss.kind} ${loss.at}` : loss.kind
    const given = () => {
      const { columns, target } = problem(1)
      return { columns, target: loss.kind === 'logistic' ? target.map((value) => (value > -4 ? 1 : 0)) : target }
    }

    test(`${name}: is monotonic in the given directions, whatever the other features are`, () => {
      const { columns, target } = given()
      const trees = compileTrees(boost(columns, target, options({ loss })))
      const dice = createDice(2)
      for (let time = 0; time < 300; time++) {
        const row = Float64Array.from({ length: 4 }, () => dice() * 10)
        let before = Infinity
        let moved = false
        for (let step = 0; step <= 40; step++) {
          row[0] = step / 4
          const now = trees(row)
          assert.ok(now <= before + 1e-9, `rose to ${now} from ${before} at ${row.join()}`)
          moved ||= now < before && before !== Infinity
          before = now
        }
        assert.ok(moved, 'the feature that matters most must matter')
        row[2] = 2
        const low = trees(row)
        row[2] = 9
        assert.ok(trees(row) >= low - 1e-9)
      }
    })

    test(`${name}: the same rows and the same seed give the same trees`, () => {
      const { columns, target } = given()
      assert.deepEqual(boost(columns, target, options({ loss })), boost(columns, target, options({ loss })))
      assert.notDeepEqual(boost(columns, target, options({ loss })), boost(columns, target, options({ loss, seed: 6 })))
    })
  }

  test('explains most of the variance on rows that were not trained on', () => {
    const { columns, target } = problem(1)
    const trees = compileTrees(boost(columns, target, options({ directions: [0, 0, 0, 0] })))
    const other = problem(9)
    const mean = other.target.reduce((sum, value) => sum + value, 0) / ROWS
    let left = 0
    let total = 0
    for (let row = 0; row < ROWS; row++) {
      left += (other.target[row]! - trees(Float64Array.from(other.columns, (column) => column[row]!))) ** 2
      total += (other.target[row]! - mean) ** 2
    }
    assert.ok(left / total < 0.1, `${left / total} of the variance is left`)
  })

  test('about the right share of targets is below a quantile', () => {
    const { columns, target } = problem(1)
    for (const at of [0.2, 0.8]) {
      const trees = compileTrees(boost(columns, target, options({ loss: { kind: 'quantile', at } })))
      const below = target.filter(
        (value, row) => value <= trees(Float64Array.from(columns, (column) => column[row]!)),
      ).length
      assert.ok(Math.abs(below / ROWS - at) < 0.08, `${below / ROWS} below the quantile ${at}`)
    }
  })

  test('a row with zero weight has no effect', () => {
    const columns = [Float64Array.from({ length: 100 }, (_, row) => row % 2)]
    const target = Float64Array.from({ length: 100 }, (_, row) => (row < 50 ? 1 : 9))
    const weights = Float64Array.from({ length: 100 }, (_, row) => (row < 50 ? 1 : 0))
    const trees = compileTrees(boost(columns, target, options({ directions: [0], weights, rows: 1, features: 1 })))
    assert.ok(Math.abs(trees(Float64Array.of(1)) - 1) < 1e-6)
  })
})
