import assert from 'node:assert/strict'
import test from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { startReadiness } from './readiness.ts'

/** One part whose checks return these problems in turn, the last one for ever. */
function start(...outcomes: (readonly string[] | Error)[]) {
  const clock = manualClock()
  const ending = new AbortController()
  const delays: number[] = []
  const lines: string[] = []
  let checks = 0
  let { promise: waiting, resolve: onWait } = Promise.withResolvers<() => void>()
  const say = (_facts: object, sentence: string) => void lines.push(sentence)
  const readiness = startReadiness({
    parts: [
      {
        id: 'node',
        async check() {
          const outcome = outcomes[Math.min(checks++, outcomes.length - 1)]!
          if (outcome instanceof Error) throw outcome
          return outcome
        },
      },
    ],
    clock,
    wait: (ms) => {
      delays.push(ms)
      const { promise, resolve } = Promise.withResolvers<void>()
      onWait(() => {
        clock.advance(ms)
        resolve()
      })
      return promise
    },
    log: { debug() {}, info: say, warn: say, error: say },
    signal: ending.signal,
  })
  return {
    readiness,
    delays,
    lines,
    clock,
    ending,
    checks: () => checks,
    /** Ends the current wait. */
    async wakeUp() {
      const end = await waiting
      ;({ promise: waiting, resolve: onWait } = Promise.withResolvers<() => void>())
      end()
    },
  }
}

test('a part that can be used is checked once', async () => {
  const { readiness, delays, lines, checks } = start([])
  assert.deepEqual(readiness.problems('node'), ['It is still being checked.'])
  await readiness.firstCheck
  assert.deepEqual(readiness.problems('node'), [])
  assert.deepEqual([delays, lines, checks()], [[], [], 1])
})

test('a part that cannot be used is checked after 10 s and then less and less often, up to once a minute', async () => {
  const world = start(['It is down.'])
  await world.readiness.firstCheck
  assert.deepEqual(world.readiness.problems('node'), ['It is down.'])
  assert.equal(world.readiness.retryAfterSeconds(), 10)
  for (let time = 0; time < 5; time++) await world.wakeUp()
  await world.wakeUp()
  assert.deepEqual(world.delays.slice(0, 6), [10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
  assert.equal(world.lines.length, 1, 'logged once, not at every check')
})

test('it can be used as soon as a check succeeds, also after one that failed itself', async () => {
  const world = start(['It is down.'], new Error('a bug'), [])
  await world.readiness.firstCheck
  await world.wakeUp()
  await world.wakeUp()
  while (world.readiness.problems('node').length > 0) await new Promise(setImmediate)
  assert.equal(world.checks(), 3)
  assert.match(world.lines.at(-1)!, /can be used now/)
})

test('no check after the end', async () => {
  const world = start(['It is down.'])
  await world.readiness.firstCheck
  world.ending.abort()
  await world.wakeUp()
  await new Promise(setImmediate)
  assert.equal(world.checks(), 1)
})
