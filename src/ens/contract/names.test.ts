import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalize } from 'viem/ens'
import { ensNamesField, parseEnsName } from './names.ts'

test('a name is read with or without .eth, in any case', () => {
  for (const text of ['example', 'example.eth', ' Example.ETH ', 'EXAMPLE'])
    assert.deepEqual(parseEnsName(text), { ok: true, name: 'example' })
})

test('what is no name is refused, and why', () => {
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

test('every name that is read is normal by ENSIP-15, and every normal one of these characters is read', () => {
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

test('any text is read or refused, never more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const reading = parseEnsName(text)
      if (reading.ok) assert.match(reading.name, /^[a-z0-9][a-z0-9-]+[a-z0-9]$/)
    }),
  )
})

test('a list is read once each, and refused with the part that is wrong', () => {
  assert.deepEqual(ensNamesField.parse('one.eth, two,ONE'), ['one', 'two'])
  const refusal = (text: string) => ensNamesField.safeParse(text).error?.issues[0]?.message ?? ''
  assert.match(refusal('one,t'), /contains "t", which is too short/)
  assert.match(refusal(','), /no name/)
  assert.match(refusal(Array.from({ length: 51 }, (_, at) => `name${at}`).join()), /more than 50/)
})
