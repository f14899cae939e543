import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createRefusals, quoteValue, requiredColumns } from './refusals.ts'

suite('a refused record', () => {
  test('is counted by its reason, and the first three are kept', () => {
    const refusals = createRefusals([])
    for (const value of ['free', 'soon', null, 'never']) refusals.add({ refused: 'the price', value, domain: 'a.com' })
    refusals.add({ refused: 'the domain', value: ['x'] })
    assert.deepEqual(refusals.reasons, { 'the price': 4, 'the domain': 1 })
    assert.deepEqual(refusals.examples, {
      'the price': ['a.com: "free"', 'a.com: "soon"', 'a.com: nothing'],
      'the domain': ['"["x"]"'],
    })
    assert.equal(refusals.main(), 'the price (a.com: "free")')
  })

  test('is quoted short, on one line and without a key, whatever it contains', () => {
    const secret = 'key-123456'
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant(secret))).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.jsonValue()), (value) => {
        const quoted = quoteValue(value, [secret])
        assert.ok(quoted.length <= 63)
        assert.doesNotMatch(quoted, /\p{C}/u)
        assert.ok(!quoted.includes(secret))
      }),
    )
  })
})

test('missing columns are named in a sentence, required ones only', () => {
  const column = (name: string, isRequired = true) => ({ column: name, isRequired })
  assert.equal(requiredColumns([]), null)
  assert.equal(requiredColumns([column('dr', false)]), null)
  assert.equal(requiredColumns([column('a'), column('dr', false)]), 'column "a"')
  assert.equal(requiredColumns([column('a'), column('b'), column('c')]), 'columns "a", "b" and "c"')
})
