import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../../edit-distance.ts'
import { deletionsOf, formsOf, piecesNear } from './record-terms.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '2'), minLength: 3, maxLength: 14 })
const slip = fc.record({
  kind: fc.constantFrom('drop', 'add', 'change', 'swap'),
  place: fc.nat(20),
  letter: fc.constantFrom('a', 'b', 'c', 'd', '3'),
})

function slipped(text: string, { kind, place, letter }: { kind: string; place: number; letter: string }): string {
  const at = place % text.length
  const [before, rest] = [text.slice(0, at), text.slice(at)]
  if (kind === 'drop') return before + rest.slice(1)
  if (kind === 'add') return before + letter + rest
  if (kind === 'change') return before + letter + rest.slice(1)
  return before + rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2)
}

const meet = (keys: readonly string[], other: string) => {
  const filed = new Set(formsOf(other))
  return keys.some((key) => filed.has(key))
}

test('a word one slip away always leads to the word', () => {
  fc.assert(
    fc.property(word, slip, (text, one) => {
      const other = slipped(text, one)
      fc.pre(other.length >= 3)
      assert.ok(meet([text, ...deletionsOf(text)], other), `${text} ${other}`)
    }),
    { numRuns: 2000 },
  )
})

test('a word two changed, lost or added letters away leads to the word, where both are long enough', () => {
  const plain = slip.filter(({ kind }) => kind !== 'swap')
  fc.assert(
    fc.property(word, plain, plain, (text, one, two) => {
      const other = slipped(slipped(text, one), two)
      fc.pre(text.length >= 5 && other.length >= 5)
      assert.ok(meet(piecesNear(text), other), `${text} ${other} ${editDistance(text, other)}`)
    }),
    { numRuns: 3000 },
  )
})

test('no piece is a word', () => {
  assert.ok(piecesNear('lighthouse').every((key) => !/^[a-z0-9]+$/.test(key)))
})
