import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalize } from 'viem/ens'
import { ensNamesField, parseEnsName } from './names.ts'

test('a name is parsed with or without .eth, in any case', () => {
  for (const text of ['example', 'example.eth', ' Example.ETH ', 'EXAMPLE'])
    assert.deepEqual(parseEnsName(text), { ok: true, name: 'example' })
})

test('an invalid name is rejected with the reason', () => {
  const rows: [string, RegExp][] = [
    ['', /is empty/],
    ['.eth', /is empty/],
    ['ab', /at least 3 characters/],
    ['ab.eth', /at least 3 characters/],
    ['a'.repeat(64), /64 characters long/],
    ['sub.example.eth', /contains a dot/],
    ['example.eth.', /contains a dot/],
    ['under_score', /only the letters/],
    ['naïve', /only the letters/],
    ['ex ample', /only the letters/],
    ['-example', /start or end/],
    ['example-', /start or end/],
    ['te--st', /ENSIP-15/],
    ['xn--abc', /ENSIP-15/],
  ]
  for (const [text, problem] of rows) {
    const reading = parseEnsName(text)
    assert.ok(!reading.ok, text)
    assert.match(reading.problem, problem)
  }
})

test('a name of these characters is valid if and only if ENSIP-15 leaves it unchanged', () => {
  const isNormal = (label: string) => {
    try {
      return normalize(label) === label
    } catch {
      return false
    }
  }
  const label = fc.string({ unit: fc.constantFrom('a', 'b', 'x', 'n', '0', '9', '-'), minLength: 3, maxLength: 12 })
  fc.assert(
    fc.property(label, (text) => {
      const isEdged = text.startsWith('-') || text.endsWith('-')
      assert.equal(parseEnsName(text).ok, isNormal(text) && !isEdged)
    }),
    { numRuns: 3000 },
  )
})

test('any text is parsed or rejected, and nothing throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const reading = parseEnsName(text)
      if (reading.ok) assert.match(reading.name, /^[a-z0-9][a-z0-9-]+[a-z0-9]$/)
    }),
  )
})

test('duplicates in a list are merged, and an invalid part is named in the error', () => {
  assert.deepEqual(ensNamesField.parse('one.eth, two,ONE'), ['one', 'two'])
  const refusal = (text: string) => ensNamesField.safeParse(text).error?.issues[0]?.message ?? ''
  assert.match(refusal('one,t'), /contains "t", which is too short/)
  assert.match(refusal(','), /no name/)
  assert.match(refusal(Array.from({ length: 51 }, (_, at) => `name${at}`).join()), /more than 50/)
})
