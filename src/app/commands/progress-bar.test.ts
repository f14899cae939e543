import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createProgressBar, formatDuration } from './progress-bar.ts'

function screen(isTTY: boolean, columns = 200) {
  const written: string[] = []
  const clock = manualClock()
  const bar = createProgressBar({ write: (text) => written.push(text), isTTY, columns }, clock)
  const show = (done: number, label = 'reading') => bar.show({ label, done, total: 1000, detail: `${done} records` })
  return { written, clock, bar, show }
}

test('the bar is redrawn in place and cleared before a line is written', () => {
  const { written, clock, bar, show } = screen(true)
  show(0)
  clock.advance(50)
  show(1)
  clock.advance(1950)
  show(250)
  bar.say('one.zip: done.')
  assert.deepEqual(written, [
    '[........................] reading, 0 %, 0 records',
    '\r\u001b[K',
    '[######..................] reading, 25 %, 250 records, about 6 s left',
    '\r\u001b[K',
    'one.zip: done.\n',
  ])
})

test('the bar is never wider than the terminal', () => {
  const { written, show } = screen(true, 30)
  show(500)
  assert.equal(written[0]!.length, 29)
})

test('the remaining time is estimated from recent progress only', () => {
  const { written, clock, show } = screen(true)
  // Fast at first, then a hundred times slower.
  for (let second = 0; second <= 5; second++, clock.advance(1000)) show(second * 100)
  for (let second = 1; second <= 60; second++, clock.advance(1000)) show(500 + second)
  assert.match(written.at(-1)!, /about 8 min left/)
})

test('without a terminal a line is written every few seconds', () => {
  const { written, clock, show } = screen(false)
  for (let second = 0; second < 12; second++, clock.advance(1000)) show(second * 10)
  assert.deepEqual(written, [
    'reading, 5 %, 50 records, about 2 min left\n',
    'reading, 10 %, 100 records, about 2 min left\n',
  ])
})

test('durations are rounded up', () => {
  for (const [ms, words] of [
    [1, '1 s'],
    [89_000, '89 s'],
    [91_000, '2 min'],
    [3_600_000, '60 min'],
    [5_460_000, '1 h 31 min'],
  ] as const)
    assert.equal(formatDuration(ms), words)
})
