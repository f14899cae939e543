import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { emptyParts, parseLabel } from './label.ts'

suite('a label is parsed into letters and counts', () => {
  const cases: [
    string,
    { letters: string; digits: number; hyphens: number; foreign: number; length: number; isIdn: boolean },
  ][] = [
    ['green-leaf24', { letters: 'greenleaf', digits: 2, hyphens: 1, foreign: 0, length: 12, isIdn: false }],
    ['GREEN', { letters: 'green', digits: 0, hyphens: 0, foreign: 0, length: 5, isIdn: false }],
    ['', { letters: '', digits: 0, hyphens: 0, foreign: 0, length: 0, isIdn: false }],
    ['xn--mnchen-3ya', { letters: 'munchen', digits: 0, hyphens: 0, foreign: 0, length: 7, isIdn: true }],
    ['xn--fiqs8s', { letters: '', digits: 0, hyphens: 0, foreign: 2, length: 2, isIdn: true }],
    ['xn--strae-oqa', { letters: 'strasse', digits: 0, hyphens: 0, foreign: 0, length: 7, isIdn: true }],
    ['a'.repeat(200), { letters: 'a'.repeat(63), digits: 0, hyphens: 0, foreign: 0, length: 63, isIdn: false }],
  ]
  for (const [label, expected] of cases) {
    test(label.slice(0, 20) || 'the empty label', () => {
      const parts = emptyParts()
      parseLabel('leftover-99', parts)
      parseLabel(label, parts)
      const { letters, letterCount, digits, hyphens, foreign, length, isIdn } = parts
      const text = String.fromCharCode(...letters.subarray(0, letterCount).map((letter) => letter + 97))
      assert.deepEqual({ letters: text, digits, hyphens, foreign, length, isIdn }, expected)
    })
  }

  const broken: [string, string, number][] = [
    ['b2b', 'b|b', 2],
    ['x7k9q2m4', 'x|k|q|m', 7],
    ['24x7', 'x', 2],
    ['ri-ver', 'ri|ver', 0],
    ['a-1-b', 'a|b', 2],
    ['green', 'green', 0],
    ['888', '', 0],
    ['1-1', '', 0],
  ]
  for (const [label, expected, changes] of broken) {
    test(`${label} breaks at hyphens and digits, and changes between letters and digits ${changes} times`, () => {
      const parts = emptyParts()
      parseLabel('l-e-f-t-o-v-e-r-9', parts)
      parseLabel(label, parts)
      const letters = Array.from(
        parts.letters.subarray(0, parts.letterCount),
        (letter, at) => (parts.breaks[at] === 1 ? '|' : '') + String.fromCharCode(letter + 97),
      )
      assert.deepEqual([letters.join(''), parts.changes], [expected, changes])
    })
  }

  test('a label with invalid Punycode is parsed, too', () => {
    const parts = emptyParts()
    parseLabel('xn--99999999', parts)
    assert.equal(parts.isIdn, true)
    assert.ok(parts.length > 0)
  })
})
