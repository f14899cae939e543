import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createSendRateLimiter } from './send-rate-limiter.ts'

test('at most perMs items are sent per millisecond, the rest later in order', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const clock = manualClock()
  const handed: number[] = []
  const limiter = createSendRateLimiter<number>({ clock, perMs: 3, send: (item) => handed.push(item) })
  for (let item = 1; item <= 7; item++) limiter.push(item)
  assert.deepEqual(handed, [1, 2, 3])
  t.mock.timers.tick(1)
  assert.deepEqual(handed, [1, 2, 3, 4, 5, 6])
  limiter.push(8)
  assert.equal(handed.length, 6)
  t.mock.timers.tick(1)
  assert.deepEqual(handed, [1, 2, 3, 4, 5, 6, 7, 8])
  clock.advance(1)
  for (let item = 9; item <= 12; item++) limiter.push(item)
  assert.equal(handed.at(-1), 11)
  limiter.clear()
  t.mock.timers.tick(5)
  assert.equal(handed.at(-1), 11)
})
