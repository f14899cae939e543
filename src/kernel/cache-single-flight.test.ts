import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { createTestCache, loads, mustNotLoad, settle, slowLoad } from './cache.fixture.ts'
import { UpstreamError } from './errors.ts'

test('concurrent calls for one key share one load', async () => {
  const { cache } = createTestCache()
  const { load, seen, resolve } = slowLoad()
  const asking = Array.from({ length: 50 }, () => cache.getOrLoad('k', load))
  await settle()
  resolve({ value: 'v', ttlMs: 1000 })
  const answers = await Promise.all(asking)
  assert.equal(seen.begun, 1)
  assert.ok(answers.every(({ value, cached }) => value === 'v' && !cached))
})

test('different keys do not wait for each other', async () => {
  const { cache } = createTestCache()
  const { load, resolve } = slowLoad()
  const slow = cache.getOrLoad('slow', load)
  assert.equal((await cache.getOrLoad('quick', loads('q'))).value, 'q')
  resolve({ value: 's', ttlMs: 1 })
  await slow
})

test('a failing load fails for all callers, and is not stored', async () => {
  const { cache } = createTestCache()
  const { load, reject, seen } = slowLoad()
  const asking = [cache.getOrLoad('k', load), cache.getOrLoad('k', load)]
  await settle()
  reject(new Error('failed'))
  for (const each of asking) await assert.rejects(each, /failed/)
  assert.equal(seen.begun, 1)
  assert.equal((await cache.getOrLoad('k', loads('v'))).value, 'v')
})

test('a load that throws synchronously is a failing load', async () => {
  const { cache } = createTestCache({ maxConcurrentLoads: 1 })
  const throws = () => {
    throw new Error('thrown at once')
  }
  await assert.rejects(cache.getOrLoad('k', throws), /thrown at once/)
  assert.equal((await cache.getOrLoad('k', loads('v'))).value, 'v')
})

test('an abort of one caller does not affect the others', async () => {
  const { cache } = createTestCache()
  const { load, seen, resolve } = slowLoad()
  const caller = new AbortController()
  const leaving = cache.getOrLoad('k', load, { signal: caller.signal })
  const staying = cache.getOrLoad('k', load)
  await settle()
  caller.abort(new Error('gone'))
  await assert.rejects(leaving, /gone/)
  assert.equal(seen.signal?.aborted, false)
  resolve({ value: 'v', ttlMs: 1000 })
  assert.equal((await staying).value, 'v')
  assert.equal(seen.begun, 1)
})

test('the load is aborted with its last caller, and the next caller starts a new one', async () => {
  const { cache } = createTestCache()
  const first = slowLoad()
  const callers = [new AbortController(), new AbortController()]
  const leaving = callers.map(({ signal }) => cache.getOrLoad('k', first.load, { signal }))
  await settle()
  callers[0]!.abort()
  await assert.rejects(leaving[0]!)
  assert.equal(first.seen.signal?.aborted, false)
  callers[1]!.abort()
  await assert.rejects(leaving[1]!)
  assert.equal(first.seen.signal?.aborted, true)
  const next = cache.getOrLoad('k', loads('new'))
  // The aborted load may still settle either way: it neither answers nor overwrites.
  first.resolve({ value: 'old', ttlMs: 1000 })
  assert.equal((await next).value, 'new')
  await settle()
  assert.equal(cache.get('k')?.value, 'new')
})

test('an abandoned load that fails later has no effect', async () => {
  const { cache } = createTestCache()
  const { load, reject } = slowLoad()
  const caller = new AbortController()
  const leaving = cache.getOrLoad('k', load, { signal: caller.signal })
  await settle()
  caller.abort()
  await assert.rejects(leaving)
  // An unhandled rejection would fail the run.
  reject(new Error('too late'))
  await settle()
})

test('a load that has ended is not aborted', async () => {
  const { cache } = createTestCache()
  const { load, seen, resolve } = slowLoad()
  const caller = new AbortController()
  const asking = cache.getOrLoad('k', load, { signal: caller.signal })
  await settle()
  resolve({ value: 'v', ttlMs: 1000 })
  await asking
  caller.abort()
  assert.equal(seen.signal?.aborted, false)
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
})

test('a caller whose signal has already aborted starts no load', async () => {
  const { cache } = createTestCache()
  await assert.rejects(cache.getOrLoad('k', mustNotLoad, { signal: AbortSignal.abort() }))
})

test('more concurrent loads than allowed are rejected; hits and calls that join a load are not', async () => {
  const { cache } = createTestCache({ maxConcurrentLoads: 2 })
  await cache.getOrLoad('stored', loads('v'))
  const [a, b] = [slowLoad(), slowLoad()]
  const asking = [cache.getOrLoad('a', a.load), cache.getOrLoad('b', b.load), cache.getOrLoad('a', mustNotLoad)]
  await assert.rejects(
    cache.getOrLoad('c', mustNotLoad),
    (error) => error instanceof UpstreamError && error.failure === 'unavailable',
  )
  assert.equal((await cache.getOrLoad('stored', mustNotLoad)).value, 'v')
  a.resolve({ value: 'a', ttlMs: 1 })
  b.reject(new Error('failed'))
  await Promise.allSettled(asking)
  assert.equal((await cache.getOrLoad('c', loads('c'))).value, 'c')
})

test('a load that ignores its abort still counts for the limit', async () => {
  const { cache } = createTestCache({ maxConcurrentLoads: 1 })
  const deaf = slowLoad()
  const caller = new AbortController()
  const leaving = cache.getOrLoad('a', deaf.load, { signal: caller.signal })
  caller.abort()
  await assert.rejects(leaving)
  await assert.rejects(cache.getOrLoad('b', mustNotLoad), UpstreamError)
  deaf.resolve({ value: 'late', ttlMs: 1 })
  await settle()
  assert.equal((await cache.getOrLoad('b', loads('b'))).value, 'b')
})
