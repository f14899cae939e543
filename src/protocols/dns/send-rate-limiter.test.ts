import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createSendRateLimiter } from './send-rate-limiter.ts'

function open(t: TestContext, perMs: number) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] })
  const clock = manualClock()
  const sent: number[] = []
  const limiter = createSendRateLimiter<number>({ clock, perMs, send: (item) => sent.push(item) })
  const push = (first: number, last: number) => {
    for (let item = first; item <= last; item++) limiter.push(item)
  }
  /** The event loop has handled the events at hand. */
  const endTurn = () => t.mock.timers.tick(0)
  /** Time passes, on the clock and for timers. */
  const pass = (ms: number) => {
    clock.advance(ms)
    t.mock.timers.tick(ms)
  }
  return { limiter, clock, sent, push, endTurn, pass }
}

test('what is queued in one turn of the event loop is sent in one batch after it', (t) => {
  const { sent, push, endTurn } = open(t, 100)
  push(1, 3)
  assert.deepEqual(sent, [])
  endTurn()
  assert.deepEqual(sent, [1, 2, 3])
  push(4, 5)
  endTurn()
  assert.deepEqual(sent, [1, 2, 3, 4, 5])
})

test('at most perMs items are sent per millisecond, the rest later in order', (t) => {
  const { sent, push, endTurn, pass, clock } = open(t, 3)
  push(1, 7)
  endTurn()
  assert.deepEqual(sent, [1, 2, 3])
  push(8, 8)
  endTurn()
  assert.equal(sent.length, 3)
  pass(1)
  assert.deepEqual(sent, [1, 2, 3, 4, 5, 6])
  pass(1)
  assert.deepEqual(sent, [1, 2, 3, 4, 5, 6, 7, 8])
  // One is left of this millisecond, three of the next.
  push(9, 10)
  endTurn()
  assert.equal(sent.at(-1), 9)
  pass(1)
  clock.advance(1)
  push(11, 14)
  endTurn()
  assert.equal(sent.at(-1), 13)
})

test('items that are cleared are never sent, and later ones are', (t) => {
  const { limiter, sent, push, endTurn, pass } = open(t, 2)
  push(1, 1)
  limiter.clear()
  endTurn()
  push(2, 5)
  endTurn()
  limiter.clear()
  pass(5)
  assert.deepEqual(sent, [2, 3])
  push(6, 6)
  endTurn()
  assert.deepEqual(sent, [2, 3, 6])
})
