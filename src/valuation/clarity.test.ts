import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { clarityOf } from './clarity.ts'
import { createReader } from './sight.ts'
import { bundledWords } from './sources/bundled.ts'

const reader = createReader(bundledWords())
const clarity = (label: string) => clarityOf(reader.look(label))

suite('the clarity of a label', () => {
  const cases: [string, number, number][] = [
    ['river', 1, 1],
    ['lumora', 1, 1],
    ['green-leaf', 1, 1],
    ['888', 1, 1],
    ['b2b', 1, 1],
    ['24x7', 1, 1],
    ['1stchoice', 1, 1],
    ['xkqz', 1, 1],
    ['ri-ver', 0, 0],
    ['x7k9q2m4', 0, 0],
    ['xkqzvjwp', 0, 0],
    ['7391046285', 0, 0],
    ['one-two-three-four-five', 0, 0],
    ['on-line', 0.1, 0.9],
    ['lumora-tech', 0.2, 0.9],
    ['video2mp3', 0.3, 0.7],
  ]
  for (const [label, least, most] of cases)
    test(`of ${label} is ${least === most ? least : `between ${least} and ${most}`}`, () => {
      assert.ok(clarity(label) >= least && clarity(label) <= most, `${clarity(label)}`)
    })

  test('never rises with an additional hyphen or digit', () => {
    const label = fc.string({
      unit: fc.constantFrom(...'abcdeghilmnoprstuvwxyz0127-'.split('')),
      minLength: 2,
      maxLength: 20,
    })
    fc.assert(
      fc.property(label, fc.nat(), fc.constantFrom('-', '0', '4', '7'), (text, lot, more) => {
        const at = 1 + (lot % (text.length - 1))
        const longer = text.slice(0, at) + more + text.slice(at)
        assert.ok(clarity(longer) <= clarity(text) + 1e-9, `${longer} ${clarity(longer)}, ${text} ${clarity(text)}`)
      }),
      { numRuns: 5000, seed: 13 },
    )
  })
})
