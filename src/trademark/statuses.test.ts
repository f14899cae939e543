import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLive, knownStatuses, statusOf } from './statuses.ts'

test('the whole table of the Office is known: 169 codes, 124 live, 41 dead, 4 indifferent', () => {
  const codes = knownStatuses()
  const count = (life: string) => codes.filter((code) => statusOf(code).life === life).length
  assert.deepEqual([codes.length, count('live'), count('dead'), count('indifferent')], [169, 124, 41, 4])
  assert.equal(new Set(codes).size, 169)
})

test('every code has three digits and a description of its own', () => {
  const descriptions = new Set<string>()
  for (const code of knownStatuses()) {
    assert.match(code, /^\d{3}$/)
    assert.match(statusOf(code).description, /^[a-z][^\n]+[a-z)]$/)
    descriptions.add(statusOf(code).description)
  }
  assert.equal(descriptions.size, 169)
})

test('common codes are live or dead as in the contract', () => {
  for (const code of ['700', '702', '800']) assert.equal(isLive(code), true, code)
  for (const code of ['602', '604', '606', '710', '900']) assert.equal(statusOf(code).life, 'dead', code)
})

test('an unknown code is neither live nor dead', () => {
  for (const code of ['999', '', '7', 'toString', '__proto__']) {
    assert.equal(statusOf(code).life, 'indifferent')
    assert.equal(isLive(code), false)
  }
})
