import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

test('the examples of RFC 8785', () => {
  const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001]
  const value = { numbers, string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/', literals: [null, true, false] }
  const expected =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
  assert.equal(canonicalJson(value), expected)
  const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
  assert.deepEqual(Object.values(JSON.parse(canonicalJson(keys)) as object).length, 7)
  const order = [...canonicalJson(keys).matchAll(/:(\d)/g)].map(([, digit]) => Number(digit))
  assert.deepEqual(order, [2, 4, 6, 7, 1, 5, 3])
})

test('equal values have equal text, whatever the order of their members, and the text is JSON of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const reversed = reverse(value)
      assert.equal(canonicalJson(reversed), canonicalJson(value))
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a value that is nested too deep is refused instead of exhausting the stack', () => {
  assert.throws(() => canonicalJson(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))), RangeError)
})

const reverse = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reverse)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reverse(member)]),
  )
}
