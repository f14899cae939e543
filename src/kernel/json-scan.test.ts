import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { scanJson } from './json-scan.ts'

test('finds the first repeated field of the object, in any spelling, and none below it', () => {
  for (const [text, repeated] of [
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061" : 2}', 'a'],
    ['{"a":{"b":1,"b":2},"c":[{"a":1}]}', undefined],
    ['{"a":"\\"","b":"a\\\\","b":1}', 'b'],
    ['{"a":"b","b":"a"}', undefined],
    ['{"a', undefined],
    ['"a":"a":', undefined],
  ] as const) {
    assert.equal(scanJson(text).repeated, repeated, text)
  }
})

test('any JSON of moderate size passes, and text that is not JSON does no harm', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 10 }), (text) => assert.equal(scanJson(text).problem, undefined)))
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'a', ' ') }),
      (text) => void scanJson(text),
    ),
  )
})

test('too many values, beside or within each other, are a problem, also after a repeated field; long strings are not', () => {
  assert.match(scanJson(`[${'0,'.repeat(20_001)}0]`).problem!, /more than 20000 values/)
  assert.match(scanJson(`{"a":0,"a":${'['.repeat(20_001)}`).problem!, /more than 20000 values/)
  assert.deepEqual(scanJson(JSON.stringify({ a: '[{,'.repeat(100_000) })), {})
})
