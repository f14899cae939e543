import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { compareAll, fromVerdicts, higher, lower, ratio, type Recorded } from '../../bench/all/figures.ts'
import { parseOutput } from '../../bench/all/run-bench.ts'
import { fitExponent, growthOf } from '../../bench/growth/curves.ts'

const recorded = (value: number, better: 'higher' | 'lower'): Recorded => ({
  value,
  tolerance: 0.1,
  better,
  date: '2026-11-16',
  machine: 'test',
})
const verdictsOf = (ratios: object, before: Record<string, Recorded>) =>
  compareAll(
    [ratio('speed', higher(0.1)), ratio('cost', lower(0.1))],
    parseOutput(JSON.stringify({ ratios })),
    before,
  ).map(({ name, verdict }) => [name, verdict])

suite('figures of the benches', () => {
  const before = { speed: recorded(1, 'higher'), cost: recorded(2, 'lower') }

  test('a figure is worse only beyond its tolerance, in its own direction', () => {
    assert.deepEqual(verdictsOf({ speed: 0.91, cost: 2.19 }, before), [
      ['speed', 'ok'],
      ['cost', 'ok'],
    ])
    assert.deepEqual(verdictsOf({ speed: 0.89, cost: 2.21 }, before), [
      ['speed', 'WORSE'],
      ['cost', 'WORSE'],
    ])
    assert.deepEqual(verdictsOf({ speed: 1.2, cost: 1.7 }, before), [
      ['speed', 'better'],
      ['cost', 'better'],
    ])
  })

  test('a figure without a record is new, and one that is no longer printed is missing', () => {
    assert.deepEqual(verdictsOf({ speed: 1 }, { old: recorded(1, 'higher') }), [
      ['speed', 'new'],
      ['cost', 'MISSING'],
      ['old', 'MISSING'],
    ])
  })

  test('verdicts are found in the text and in the JSON of a bench', () => {
    const rows = fromVerdicts(/^(.+): faster than (.+)$/, higher(0.1))
    const text = 'FAIL  200 .com: faster than whoiser: 0.94 × our time\nPASS  other: 3'
    const json = JSON.stringify({
      verdicts: [{ target: '200 .com: faster than whoiser', measured: '0.94 × our time', met: false }],
    })
    for (const output of [text, json].map(parseOutput)) {
      assert.deepEqual(
        rows(output).map(({ name, value }) => [name, value]),
        [['200 .com, whoiser', 0.94]],
      )
      assert.equal(output.verdicts[0]!.met, false)
    }
  })

  test('growth is named by the exponent that fits', () => {
    const sizes = [1_000, 10_000, 100_000, 1_000_000]
    const named = (time: (size: number) => number) => growthOf(fitExponent(sizes.map((size) => [size, time(size)])))
    assert.equal(
      named(() => 5),
      'constant',
    )
    assert.equal(
      named((size) => Math.log2(size)),
      'logarithmic',
    )
    assert.equal(
      named((size) => size ** 0.2),
      'logarithmic',
    )
    assert.equal(
      named((size) => 3 * size),
      'linear',
    )
    assert.equal(
      named((size) => size * Math.log2(size)),
      'linear',
    )
    assert.equal(
      named((size) => size ** 1.5),
      'worse',
    )
  })
})
