import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createProgressBar, durationOf } from './progress-bar.ts'

function screen(isTTY: boolean, columns = 200) {
  const written: string[] = []
  const clock = manualClock()
  const bar = createProgressBar({ write: (text) => written.push(text), isTTY, columns }, clock)
  const show = (done: number, words = 'reading') => bar.show({ words, done, total: 1000, more: `${done} records` })
  return { written, clock, bar, show }
}

test('a bar stays on its line, and is out of the way of what is said', () => {
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
    '[######..................] reading, 25 %, 250 records, about 6 s to go',
    '\r\u001b[K',
    'one.zip: done.\n',
  ])
})

test('it never is longer than the terminal', () => {
  const { written, show } = screen(true, 30)
  show(500)
  assert.equal(written[0]!.length, 29)
})

test('the time to go is told by the pace of late, not by that of the beginning', () => {
  const { written, clock, show } = screen(true)
  // Fast at first, then a hundredth of it.
  for (let second = 0; second <= 5; second++, clock.advance(1000)) show(second * 100)
  for (let second = 1; second <= 60; second++, clock.advance(1000)) show(500 + second)
  assert.match(written.at(-1)!, /about 8 min to go/)
})

test('where there is no terminal, a line comes every few seconds', () => {
  const { written, clock, show } = screen(false)
  for (let second = 0; second < 12; second++, clock.advance(1000)) show(second * 10)
  assert.deepEqual(written, [
    'reading, 5 %, 50 records, about 2 min to go\n',
    'reading, 10 %, 100 records, about 2 min to go\n',
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
    assert.equal(durationOf(ms), words)
})
