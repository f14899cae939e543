import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { UpstreamError } from './errors.ts'
import { createKeyedLimits, createConcurrencyLimit } from './concurrency-limit.ts'

const gate = () => Promise.withResolvers<void>()
const unavailable = (error: unknown) => error instanceof UpstreamError && error.failure === 'unavailable'
const settle = () => new Promise(setImmediate)

test('no more run at once than the limit allows, in order of arrival', async () => {
  const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: 2, maxQueue: 10 })
  const gates = Array.from({ length: 5 }, gate)
  const began: number[] = []
  const all = gates.map(({ promise }, i) => limit.run(async () => (began.push(i), promise)))
  await settle()
  assert.deepEqual(began, [0, 1])
  assert.equal(limit.waiting, 3)
  gates[1]!.resolve()
  await settle()
  assert.deepEqual(began, [0, 1, 2])
  for (const { resolve } of gates) resolve()
  await Promise.all(all)
  assert.deepEqual(began, [0, 1, 2, 3, 4])
  assert.deepEqual([limit.active, limit.waiting], [0, 0])
})

test('a full queue rejects at once', async () => {
  const limit = createConcurrencyLimit({ name: 'rdap.example', maxConcurrent: 1, maxQueue: 1 })
  const { promise, resolve } = gate()
  const running = limit.run(() => promise)
  const waiting = limit.run(async () => 'ran')
  await assert.rejects(
    limit.run(async () => 'never'),
    unavailable,
  )
  resolve()
  await running
  assert.equal(await waiting, 'ran')
})

test('with a queue of 0, nothing is queued', async () => {
  const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: 1, maxQueue: 0 })
  const { promise, resolve } = gate()
  const running = limit.run(() => promise)
  await assert.rejects(
    limit.run(async () => {}),
    unavailable,
  )
  resolve()
  await running
  await limit.run(async () => {})
})

test('an aborted call leaves the queue', async () => {
  const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: 1, maxQueue: 2 })
  const { promise, resolve } = gate()
  const running = limit.run(() => promise)
  const impatient = new AbortController()
  let ran = false
  const leaving = limit.run(async () => (ran = true), impatient.signal)
  const patient = limit.run(async () => 'ran')
  impatient.abort(new Error('gone'))
  await assert.rejects(leaving, /gone/)
  assert.equal(limit.waiting, 1)
  resolve()
  await running
  assert.equal(await patient, 'ran')
  assert.equal(ran, false)
  assert.equal(getEventListeners(impatient.signal, 'abort').length, 0)
})

test('a slot given to a call that aborts at the same time is not lost', async () => {
  const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: 1, maxQueue: 2 })
  const { promise, resolve } = gate()
  const impatient = new AbortController()
  const running = limit.run(async () => {
    await promise
    // The next call gets the slot a few microtasks from now; it aborts just before that.
    queueMicrotask(() => queueMicrotask(() => impatient.abort(new Error('gone'))))
  })
  const leaving = limit.run(async () => 'ran', impatient.signal).catch(() => 'left')
  const patient = limit.run(async () => 'ran')
  resolve()
  await running
  await leaving
  assert.equal(await patient, 'ran')
  assert.deepEqual([limit.active, limit.waiting], [0, 0])
})

test('a call whose signal has already aborted never runs', async () => {
  const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: 1, maxQueue: 1 })
  await assert.rejects(limit.run(async () => {}, AbortSignal.abort()))
  assert.equal(limit.active, 0)
})

test('a failure frees its slot', async () => {
  const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: 1, maxQueue: 1 })
  await assert.rejects(
    limit.run(() => Promise.reject(new Error('failed'))),
    /failed/,
  )
  const throws = () => {
    throw new Error('thrown at once')
  }
  await assert.rejects(limit.run(throws), /thrown at once/)
  assert.equal(limit.active, 0)
})

test('for any order of calls, failures and aborts, the limit holds and every call settles', async () => {
  const step = fc.record({ fails: fc.boolean(), leaves: fc.boolean(), ticks: fc.nat(5), leavesAfter: fc.nat(8) })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(6),
      fc.array(step, { maxLength: 30 }),
      async (concurrent, queue, steps) => {
        const limit = createConcurrencyLimit({ name: 'x', maxConcurrent: concurrent, maxQueue: queue })
        let running = 0
        let most = 0
        const pause = async (ticks: number) => {
          for (let i = 0; i < ticks; i++) await Promise.resolve()
        }
        const all = steps.map(async ({ fails, leaves, ticks, leavesAfter }) => {
          const caller = new AbortController()
          if (leaves) void pause(leavesAfter).then(() => caller.abort())
          return limit.run(async () => {
            most = Math.max(most, ++running)
            await pause(ticks)
            running--
            if (fails) throw new Error('failed')
          }, caller.signal)
        })
        await Promise.allSettled(all)
        assert.ok(most <= concurrent)
        assert.deepEqual([running, limit.active, limit.waiting], [0, 0, 0])
      },
    ),
  )
})

test('every key has its own limit', async () => {
  const limits = createKeyedLimits({ maxConcurrent: 1, maxQueue: 0, maxKeys: 10 })
  const { promise, resolve } = gate()
  const busy = limits.run('a', () => promise)
  await assert.rejects(
    limits.run('a', async () => {}),
    unavailable,
  )
  assert.equal(await limits.run('b', async () => 'free'), 'free')
  resolve()
  await busy
})

test('idle keys are forgotten', async () => {
  const limits = createKeyedLimits({ maxConcurrent: 1, maxQueue: 1, maxKeys: 2 })
  for (let i = 0; i < 100; i++) await limits.run(`host-${i}`, async () => {})
  await assert.rejects(
    limits.run('failing', () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(limits.size, 0)
})

test('more keys at once than allowed are rejected', async () => {
  const limits = createKeyedLimits({ maxConcurrent: 1, maxQueue: 1, maxKeys: 2 })
  const { promise, resolve } = gate()
  const busy = [limits.run('a', () => promise), limits.run('b', () => promise)]
  await assert.rejects(
    limits.run('c', async () => {}),
    unavailable,
  )
  resolve()
  await Promise.all(busy)
  assert.equal(await limits.run('c', async () => 'free'), 'free')
})

test('a key is kept while it is in use', async () => {
  const limits = createKeyedLimits({ maxConcurrent: 2, maxQueue: 0, maxKeys: 1 })
  const { promise, resolve } = gate()
  const busy = limits.run('a', () => promise)
  await limits.run('a', async () => {})
  const also = limits.run('a', () => promise)
  await assert.rejects(
    limits.run('a', async () => {}),
    unavailable,
  )
  resolve()
  await Promise.all([busy, also])
})

test('a call whose signal has already aborted leaves no key behind', async () => {
  const limits = createKeyedLimits({ maxConcurrent: 1, maxQueue: 1, maxKeys: 1 })
  await assert.rejects(limits.run('a', async () => {}, AbortSignal.abort()))
  assert.equal(limits.size, 0)
})
