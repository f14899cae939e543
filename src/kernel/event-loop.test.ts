import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn, shareTurn } from './event-loop.ts'

test('all that wait for the same turn go on before the next turn, and later ones wait for their own', async () => {
  let turns = 0
  const shared = shareTurn(async () => {
    turns++
    await nextTurn()
  })
  await Promise.all([shared(), shared(), shared()])
  assert.equal(turns, 1)
  await shared()
  assert.equal(turns, 2)
})
