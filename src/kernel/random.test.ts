import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureRandom, seededRandom } from './random.ts'

test('identifiers are of version 4, and no two are equal', () => {
  for (const random of [secureRandom, seededRandom(1)]) {
    const seen = new Set(Array.from({ length: 1_000 }, () => random.uuid()))
    assert.equal(seen.size, 1_000)
    for (const uuid of seen) assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
})
