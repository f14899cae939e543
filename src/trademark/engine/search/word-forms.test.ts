import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../../edit-distance.ts'
import { deletionsOf, formsOf, piecesNear } from '../../../../test/support/fts5-oracle/word-forms.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '2'), minLength: 3, maxLength: 14 })
const edit = fc.record({
  kind: fc.constantFrom('drop', 'add', 'change', 'swap'),
  place: fc.nat(20),
  letter: fc.constantFrom('a', 'b', 'c', 'd', '3'),
})

function applyEdit(text: string, { kind, place, letter }: { kind: string; place: number; letter: string }): string {
  const at = place % text.length
  const [before, rest] = [text.slice(0, at), text.slice(at)]
  if (kind === 'drop') return before + rest.slice(1)
  if (kind === 'add') return before + letter + rest
  if (kind === 'change') return before + letter + rest.slice(1)
  return before + rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2)
}

const share = (keys: readonly string[], other: string) => {
  const forms = new Set(formsOf(other))
  return keys.some((key) => forms.has(key))
}

test('two words one edit apart share a form', () => {
  fc.assert(
    fc.property(word, edit, (text, one) => {
      const other = applyEdit(text, one)
      fc.pre(other.length >= 3)
      assert.ok(share([text, ...deletionsOf(text)], other), `${text} ${other}`)
    }),
    { numRuns: 2000 },
  )
})

test('two long words two replaced, deleted or inserted letters apart share a piece', () => {
  const plain = edit.filter(({ kind }) => kind !== 'swap')
  fc.assert(
    fc.property(word, plain, plain, (text, one, two) => {
      const other = applyEdit(applyEdit(text, one), two)
      fc.pre(text.length >= 5 && other.length >= 5)
      assert.ok(share(piecesNear(text), other), `${text} ${other} ${editDistance(text, other)}`)
    }),
    { numRuns: 3000 },
  )
})

test('the key of a piece never equals a word', () => {
  assert.ok(piecesNear('lighthouse').every((key) => !/^[a-z0-9]+$/.test(key)))
})
