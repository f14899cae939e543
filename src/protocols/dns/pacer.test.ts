import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createPacer } from './pacer.ts'

test('so many in a millisecond, the others in the next ones, in their order', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const clock = manualClock()
  const handed: number[] = []
  const pacer = createPacer<number>({ clock, perMs: 3, handOn: (item) => handed.push(item) })
  for (let item = 1; item <= 7; item++) pacer.push(item)
  assert.deepEqual(handed, [1, 2, 3])
  t.mock.timers.tick(1)
  assert.deepEqual(handed, [1, 2, 3, 4, 5, 6])
  pacer.push(8)
  assert.equal(handed.length, 6)
  t.mock.timers.tick(1)
  assert.deepEqual(handed, [1, 2, 3, 4, 5, 6, 7, 8])
  clock.advance(1)
  for (let item = 9; item <= 12; item++) pacer.push(item)
  assert.equal(handed.at(-1), 11)
  pacer.clear()
  t.mock.timers.tick(5)
  assert.equal(handed.at(-1), 11)
})
